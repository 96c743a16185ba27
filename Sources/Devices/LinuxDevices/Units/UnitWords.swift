/// Splits the value of a setting into words, with the quotes and escapes of systemd.syntax(7).
///
/// It needs only the text and never fails; an unfinished quote ends at the end of the value.
enum UnitWords {
  /// The maximum number of words, which no real setting exceeds.
  static let limit = 4096

  /// Returns the words of a value, without quotes and escapes.
  ///
  /// Text in single or double quotes is not split. The character after a backslash is taken
  /// literally.
  static func split(_ value: String) -> [String] {
    fields(value, separator: nil).compactMap(\.first)
  }

  /// Returns the words of a value, each split at colons that are neither quoted nor escaped.
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
