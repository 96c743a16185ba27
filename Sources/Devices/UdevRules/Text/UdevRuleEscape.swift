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
