/// Writes JSON strings that are safe to show on a terminal.
///
/// Control characters, line separators and characters that reorder text are written as escapes.
package enum JSONQuotes {
  /// A string as a JSON literal.
  package static func quoted(_ string: String) -> String {
    var text = ""
    write(string, to: &text)
    return text
  }

  /// The beginning of a string as a JSON literal, with an ellipsis where it was cut.
  ///
  /// - Parameters:
  ///   - string: What comes from outside, and may be of any length.
  ///   - limit: The most characters (Unicode scalars) of it.
  /// - Returns: The literal.
  package static func quoted(_ string: some StringProtocol, limit: Int) -> String {
    let beginning = string.unicodeScalars.prefix(limit)
    let isCut = beginning.endIndex != string.unicodeScalars.endIndex
    return quoted(String(String.UnicodeScalarView(beginning)) + (isCut ? "…" : ""))
  }

  /// The beginning of a string with the escapes of a JSON literal, and without its quotes.
  ///
  /// - Parameters:
  ///   - string: What comes from outside, and may be of any length.
  ///   - limit: The most characters (Unicode scalars) of it.
  /// - Returns: What stands between the quotes.
  package static func escaped(_ string: some StringProtocol, limit: Int = 200) -> String {
    // By scalars: a mark at the beginning makes one character with the quote.
    String(quoted(string, limit: limit).unicodeScalars.dropFirst().dropLast())
  }

  /// Adds a string as a JSON literal.
  static func write(_ string: String, to text: inout String) {
    text += "\""
    if string.utf8.allSatisfy(isPlain) {
      text += string
    } else {
      for scalar in string.unicodeScalars { write(scalar, to: &text) }
    }
    text += "\""
  }

  /// Whether a byte is a character that needs no escape.
  private static func isPlain(_ byte: UInt8) -> Bool {
    byte >= 0x20 && byte < 0x7F && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
  }

  private static func write(_ scalar: Unicode.Scalar, to text: inout String) {
    switch scalar {
    case "\"": text += "\\\""
    case "\\": text += "\\\\"
    case "\n": text += "\\n"
    case "\r": text += "\\r"
    case "\t": text += "\\t"
    case let scalar where scalar.isUnprintable:
      for unit in String(Character(scalar)).utf16 {
        let digits = String(unit, radix: 16)
        text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      }
    default: text.unicodeScalars.append(scalar)
    }
  }
}
