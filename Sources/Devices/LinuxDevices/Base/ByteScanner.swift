/// Splits text files into lines and lines into fields without copying them.
enum ByteScanner {
  static let newline = UInt8(ascii: "\n")
  static let space = UInt8(ascii: " ")

  /// Returns the parts between separators, including empty ones.
  static func split(
    _ bytes: ArraySlice<UInt8>, at separator: UInt8
  ) -> [ArraySlice<UInt8>] {
    bytes.split(separator: separator, omittingEmptySubsequences: false)
  }

  /// Returns the words of a line, which are separated by spaces and tabs.
  static func words(_ bytes: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
    bytes.split { $0 == space || $0 == UInt8(ascii: "\t") }
  }

  /// Returns the value of decimal digits; `nil` for any other text or if the value does not fit.
  static func number(_ bytes: ArraySlice<UInt8>) -> UInt32? {
    guard !bytes.isEmpty, bytes.count <= 10 else { return nil }
    var value: UInt64 = 0
    for byte in bytes {
      guard byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") else { return nil }
      value = value * 10 + UInt64(byte - UInt8(ascii: "0"))
    }
    return UInt32(exactly: value)
  }

  /// Returns the value of at most 16 hexadecimal digits; `nil` for any other text.
  static func hexadecimal(_ bytes: ArraySlice<UInt8>) -> UInt64? {
    guard !bytes.isEmpty, bytes.count <= 16,
      let text = String(validating: bytes, as: UTF8.self), text.first != "+"
    else { return nil }
    return UInt64(text, radix: 16)
  }
}
