/// Parses the numbers in udev's rules as strictly as udevd does.
enum UdevRuleNumber {
  /// Returns an octal mode of at most 07777.
  static func mode(_ bytes: [UInt8]) -> UInt16? {
    guard let value = number(bytes.drop { $0.isBlank }, base: 8), value <= 0o7777 else {
      return nil
    }
    return UInt16(value)
  }

  /// Returns the ID of a user or group.
  ///
  /// A sign, leading zeros, and the invalid IDs 65535 and 4294967295 are not accepted.
  static func id(_ bytes: [UInt8]) -> UInt32? {
    guard let first = bytes.first, first.isDecimal, first != 48 || bytes.count == 1,
      let value = number(bytes[...], base: 10), value < UInt64(UInt32.max), value != 0xFFFF
    else { return nil }
    return UInt32(value)
  }

  /// Returns an integer in C notation, with an optional sign.
  static func integer(_ bytes: [UInt8]) -> Int32? {
    var digits = bytes.drop { $0.isBlank }
    let isNegative = digits.first == UInt8(ascii: "-")
    if isNegative || digits.first == UInt8(ascii: "+") { digits = digits.dropFirst() }
    guard let value = literal(digits) else { return nil }
    return Int32(exactly: isNegative ? -Int64(value) : Int64(value))
  }

  /// Returns the index of a part of a result.
  ///
  /// `2` is the second part; `2+` is the second part and all that follow.
  static func part(_ bytes: [UInt8]) -> (index: UInt32, isOpen: Bool)? {
    let isOpen = bytes.last == UInt8(ascii: "+")
    var digits = (isOpen ? bytes.dropLast() : bytes[...]).drop { $0.isBlank }
    if digits.first == UInt8(ascii: "+") { digits = digits.dropFirst() }
    guard let value = literal(digits), let index = UInt32(exactly: value) else { return nil }
    return (index, isOpen)
  }

  private static func literal(_ digits: ArraySlice<UInt8>) -> UInt64? {
    let rest = digits.dropFirst(2)
    switch digits.prefix(2).map(\.smallLetter) {
    case Array("0x".utf8): return number(rest, base: 16)
    case Array("0b".utf8): return number(rest, base: 2)
    case Array("0o".utf8): return number(rest, base: 8)
    default: return number(digits, base: digits.first == 48 && digits.count > 1 ? 8 : 10)
    }
  }

  private static func number(_ digits: ArraySlice<UInt8>, base: UInt64) -> UInt64? {
    guard !digits.isEmpty, digits.count <= 40 else { return nil }
    var value: UInt64 = 0
    for digit in digits {
      guard let part = hexadecimal(digit), UInt64(part) < base else { return nil }
      value = value * base + UInt64(part)
      guard value <= UInt64(UInt32.max) else { return nil }
    }
    return value
  }

  /// Returns the value of a hexadecimal digit.
  static func hexadecimal(_ byte: UInt8) -> UInt8? {
    if byte.isDecimal { return byte - 48 }
    let lower = byte | 0x20
    return (97...102).contains(lower) ? lower - 87 : nil
  }
}
