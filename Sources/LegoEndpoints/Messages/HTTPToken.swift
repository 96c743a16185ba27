/// What HTTP allows in names and values.
enum HTTPToken {
  /// Whether a text can be the name of a method or of a header field (RFC 9110, section 5.6.2).
  static func isName(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.count <= 256 && text.utf8.allSatisfy(isNameByte)
  }

  /// Whether a text can be the value of a header field.
  ///
  /// A line break in a value would begin another field, or another request.
  static func isValue(_ text: String) -> Bool {
    text.utf8.count <= 16_384 && text.utf8.allSatisfy { $0 == 9 || ($0 >= 32 && $0 != 127) }
  }

  private static func isNameByte(_ byte: UInt8) -> Bool {
    isLetterOrDigit(byte) || "!#$%&'*+-.^_`|~".utf8.contains(byte)
  }

  /// Whether it is a letter or a digit of ASCII.
  static func isLetterOrDigit(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "A")...UInt8(ascii: "Z"):
      true
    default: false
    }
  }
}
