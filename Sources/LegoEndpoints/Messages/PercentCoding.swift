/// The percent-encoding of the parts of an address (RFC 3986, section 2.1).
enum PercentCoding {
  /// A text in which everything is encoded that may have a meaning of its own.
  static func encoded(_ text: String) -> String { encoded(text, alsoAllowing: "-._~") }

  /// The literal part of a path: what separates its segments stays.
  static func encodedPath(_ text: String) -> String {
    encoded(text, alsoAllowing: "-._~/!$&'()*+,;=:@")
  }

  /// A text as a form encodes it, in which a space is a plus sign.
  static func encodedForm(_ text: String) -> String {
    encoded(text, alsoAllowing: "-._*", spaceIsPlus: true)
  }

  private static func encoded(
    _ text: String, alsoAllowing others: String, spaceIsPlus: Bool = false
  ) -> String {
    var result: [UInt8] = []
    result.reserveCapacity(text.utf8.count)
    let digits = Array("0123456789ABCDEF".utf8)
    let others = Array(others.utf8)
    for byte in text.utf8 {
      if HTTPToken.isLetterOrDigit(byte) || others.contains(byte) {
        result.append(byte)
      } else if spaceIsPlus, byte == UInt8(ascii: " ") {
        result.append(UInt8(ascii: "+"))
      } else {
        result += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
    return String(decoding: result, as: UTF8.self)
  }
}
