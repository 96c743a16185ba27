/// Decodes the escape sequences in a value of the form `e"…"`, which are similar to those of C.
enum UdevRuleEscape {
  /// Returns the decoded bytes; `nil` if an escape sequence is invalid.
  static func unescaped(_ text: ArraySlice<UInt8>) -> [UInt8]? {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.count)
    var rest = text
    while let byte = rest.popFirst() {
      guard byte == .backslash else {
        bytes.append(byte)
        continue
      }
      guard let kind = rest.popFirst() else { return nil }
      if let single = singles[kind] {
        bytes.append(single)
        continue
      }
      switch kind {
      case UInt8(ascii: "x"):
        guard let value = number(&rest, count: 2, base: 16), value > 0 else { return nil }
        bytes.append(UInt8(truncatingIfNeeded: value))
      case UInt8(ascii: "u"):
        guard let value = number(&rest, count: 4, base: 16), value > 0 else { return nil }
        append(value, to: &bytes)
      case UInt8(ascii: "U"):
        guard let value = number(&rest, count: 8, base: 16), value > 0,
          UdevRuleCharacters.isValid(value)
        else { return nil }
        append(value, to: &bytes)
      case UInt8(ascii: "0")...UInt8(ascii: "7"):
        rest = text[(rest.startIndex - 1)...]
        guard let value = number(&rest, count: 3, base: 8), (1...255).contains(value) else {
          return nil
        }
        bytes.append(UInt8(truncatingIfNeeded: value))
      default:
        return nil
      }
    }
    return bytes
  }

  private static let singles: [UInt8: UInt8] = [
    UInt8(ascii: "a"): 7, UInt8(ascii: "b"): 8, UInt8(ascii: "f"): 12, UInt8(ascii: "n"): 10,
    UInt8(ascii: "r"): 13, UInt8(ascii: "t"): 9, UInt8(ascii: "v"): 11, UInt8(ascii: "s"): 32,
    UInt8(ascii: "\\"): UInt8(ascii: "\\"), UInt8(ascii: "\""): UInt8(ascii: "\""),
    UInt8(ascii: "'"): UInt8(ascii: "'"),
  ]

  private static func number(
    _ rest: inout ArraySlice<UInt8>, count: Int, base: UInt32
  ) -> UInt32? {
    guard rest.count >= count else { return nil }
    var value: UInt32 = 0
    for byte in rest.prefix(count) {
      guard let digit = UdevRuleNumber.hexadecimal(byte), UInt32(digit) < base else { return nil }
      value = value << (base == 16 ? 4 : 3) | UInt32(digit)
    }
    rest = rest.dropFirst(count)
    return value
  }

  /// Appends the UTF-8 encoding of a code point, even if it is one half of a UTF-16 surrogate pair.
  private static func append(_ value: UInt32, to bytes: inout [UInt8]) {
    func tail(_ shift: UInt32) -> UInt8 { UInt8(truncatingIfNeeded: value >> shift & 0x3F) | 0x80 }
    switch value {
    case ..<0x80:
      bytes.append(UInt8(truncatingIfNeeded: value))
    case ..<0x800:
      bytes += [UInt8(truncatingIfNeeded: value >> 6) | 0xC0, tail(0)]
    case ..<0x10000:
      bytes += [UInt8(truncatingIfNeeded: value >> 12) | 0xE0, tail(6), tail(0)]
    default:
      bytes += [UInt8(truncatingIfNeeded: value >> 18) | 0xF0, tail(12), tail(6), tail(0)]
    }
  }
}

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
