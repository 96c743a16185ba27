/// Replaces the characters that udevd does not allow in names and results.
enum UdevRuleCharacters {
  /// The characters that are allowed in results of programs and attributes, in addition to letters,
  /// digits and `#+-.:=@_`.
  static let input = Array("/ $%?,".utf8)

  /// Returns the text with each disallowed character replaced.
  ///
  /// A blank becomes a space if spaces are allowed. Any other disallowed byte becomes an
  /// underscore.
  static func replaced(_ text: [UInt8], allowing extra: [UInt8]) -> [UInt8] {
    var bytes = text
    var index = 0
    while index < bytes.count {
      let byte = bytes[index]
      if byte.isDecimal || byte.isLatinLetter || common.contains(byte) || extra.contains(byte) {
        index += 1
      } else if byte == .backslash, index + 1 < bytes.count, bytes[index + 1] == 0x78 {
        index += 2
      } else if let length = characterLength(bytes[index...]) {
        index += length
      } else {
        bytes[index] = byte.isSpace && extra.contains(.space) ? .space : .underscore
        index += 1
      }
    }
    return bytes
  }

  /// Returns the text without blanks at its ends, and with one underscore for each run of blanks
  /// inside.
  static func joined(_ text: [UInt8]) -> [UInt8] {
    var bytes: [UInt8] = []
    var hasGap = false
    for byte in text.drop(while: { $0.isBlank }) {
      if byte.isSpace {
        hasGap = true
      } else {
        if hasGap { bytes.append(.underscore) }
        hasGap = false
        bytes.append(byte)
      }
    }
    return bytes
  }

  /// Returns whether systemd accepts a code point as a character.
  static func isValid(_ value: UInt32) -> Bool {
    value < 0x110000 && value & 0xFFFF_F800 != 0xD800 && !(0xFDD0...0xFDEF).contains(value)
      && value & 0xFFFE != 0xFFFE
  }

  private static let common = Array("#+-.:=@_".utf8)

  /// Returns the length of a valid multibyte character at the beginning of the bytes; `nil` if
  /// there is none.
  private static func characterLength(_ bytes: ArraySlice<UInt8>) -> Int? {
    guard let first = bytes.first, first >= 0xC2, first < 0xF5 else { return nil }
    let length = first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
    guard bytes.count >= length else { return nil }
    var value = UInt32(first) & (0x7F >> UInt32(length))
    for byte in bytes.dropFirst().prefix(length - 1) {
      guard byte & 0xC0 == 0x80 else { return nil }
      value = value << 6 | UInt32(byte & 0x3F)
    }
    let least: UInt32 = length == 2 ? 0x80 : length == 3 ? 0x800 : 0x10000
    return value >= least && isValid(value) ? length : nil
  }
}
