/// Writes JSON strings that are safe to show on a terminal.
///
/// Unprintable characters, such as control characters, line separators and characters that reorder
/// text, are escaped.
package enum JSONQuotes {
  /// Returns a string as a JSON literal.
  package static func quoted(_ string: String) -> String {
    var text = ""
    write(string, to: &text)
    return text
  }

  /// Returns the beginning of a string as a JSON literal, with an ellipsis if it was truncated.
  ///
  /// - Parameters:
  ///   - string: The string, which may be untrusted and of any length.
  ///   - limit: The maximum number of characters (Unicode scalars).
  /// - Returns: The literal.
  package static func quoted(_ string: some StringProtocol, limit: Int) -> String {
    let beginning = string.unicodeScalars.prefix(limit)
    let isCut = beginning.endIndex != string.unicodeScalars.endIndex
    return quoted(String(String.UnicodeScalarView(beginning)) + (isCut ? "…" : ""))
  }

  /// Returns the beginning of a string with the escapes of a JSON literal, but without quotes.
  ///
  /// - Parameters:
  ///   - string: The string, which may be untrusted and of any length.
  ///   - limit: The maximum number of characters (Unicode scalars).
  /// - Returns: The text between the quotes of the literal.
  package static func escaped(_ string: some StringProtocol, limit: Int = 200) -> String {
    // Remove scalars, because a combining mark at the beginning forms one character with the quote.
    String(quoted(string, limit: limit).unicodeScalars.dropFirst().dropLast())
  }

  /// Appends a string as a JSON literal.
  static func write(_ string: String, to text: inout String) {
    text += "\""
    if string.utf8.allSatisfy(isPlain) {
      text += string
    } else {
      for scalar in string.unicodeScalars { write(scalar, to: &text) }
    }
    text += "\""
  }

  /// Returns `true` if a byte is an ASCII character that needs no escape.
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

extension Unicode.Scalar {
  /// A Boolean value that indicates whether the character must not be sent to a terminal unescaped.
  ///
  /// This applies to control characters, line separators, unassigned and private-use characters,
  /// and characters that hide or reorder text.
  package var isUnprintable: Bool {
    if value >= 0x20 && value < 0x7F { return false }
    switch properties.generalCategory {
    case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator,
      .paragraphSeparator:
      return true
    default:
      return false
    }
  }
}
