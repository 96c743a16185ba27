/// Splits the value of a setting into words, with the quotes and escapes of systemd.syntax(7).
///
/// It works on text alone and never fails: an unfinished quote ends with the value.
enum UnitWords {
  /// More words than any setting needs.
  static let limit = 4096

  /// The words of a value; single and double quotes join, and a backslash takes the character behind
  /// it as it is.
  static func split(_ value: String) -> [String] {
    fields(value, separator: nil).compactMap(\.first)
  }

  /// The words of a value, each split at colons outside of quotes and not behind a backslash.
  static func fields(_ value: String) -> [[String]] {
    fields(value, separator: UInt8(ascii: ":"))
  }

  private static func fields(_ value: String, separator: UInt8?) -> [[String]] {
    var words: [[String]] = []
    var rest = Array(value.utf8)[...]
    while words.count < limit {
      rest = rest.drop(while: isBlank)
      guard !rest.isEmpty else { break }
      words.append(word(&rest, separator))
    }
    return words
  }

  private static func word(_ rest: inout ArraySlice<UInt8>, _ separator: UInt8?) -> [String] {
    var fields: [String] = []
    var bytes: [UInt8] = []
    var quote: UInt8?
    while let byte = rest.first {
      if quote == nil && isBlank(byte) { break }
      rest.removeFirst()
      if byte == UInt8(ascii: "\\") {
        bytes.append(rest.popFirst() ?? byte)
      } else if byte == quote {
        quote = nil
      } else if quote == nil, byte == UInt8(ascii: "'") || byte == UInt8(ascii: "\"") {
        quote = byte
      } else if quote == nil, byte == separator {
        fields.append(String(decoding: bytes, as: UTF8.self))
        bytes = []
      } else {
        bytes.append(byte)
      }
    }
    return fields + [String(decoding: bytes, as: UTF8.self)]
  }

  private static func isBlank(_ byte: UInt8) -> Bool {
    byte == 0x20 || (0x09...0x0D).contains(byte)
  }
}
