/// The text of a terminal's capability (terminfo(5)), as it is sent.
enum CapabilityText {
  /// The bytes without padding, such as `$<5/>`: only terminals of the past need pauses.
  static func withoutPadding(_ bytes: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    var rest = bytes[...]
    while let first = rest.first {
      if first == UInt8(ascii: "$"), rest.dropFirst().first == UInt8(ascii: "<"),
        let end = rest.firstIndex(of: UInt8(ascii: ">"))
      {
        rest = rest[(end + 1)...]
      } else {
        result.append(first)
        rest = rest.dropFirst()
      }
    }
    return result
  }
}
