/// Writes the values of desktop entries and of service files of the bus.
enum DesktopText {
  /// A text as the value of a key.
  static func value(_ text: String) -> String {
    var value = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\": value += #"\\"#
      case "\n": value += #"\n"#
      case "\t": value += #"\t"#
      case "\r": value += #"\r"#
      // Blanks at the beginning would be skipped.
      case " " where value.isEmpty: value += #"\s"#
      default:
        // Other control characters have no place in such a file.
        if scalar.value >= 0x20, scalar.value != 0x7F { value.unicodeScalars.append(scalar) }
      }
    }
    return value
  }

  /// A command as the value of a key.
  ///
  /// - Parameters:
  ///   - words: The program and its arguments.
  ///   - hasFields: Whether a percent sign begins a field.
  /// - Returns: The value.
  static func command(_ words: [String], hasFields: Bool = true) -> String {
    value(words.map { quoted($0, hasFields) }.joined(separator: " "))
  }

  /// A word as the specification and a shell quote it.
  private static func quoted(_ word: String, _ hasFields: Bool) -> String {
    let isPlain = word.utf8.allSatisfy {
      ASCII.isLetter($0) || ASCII.isDigit($0) || "+-./:_%".utf8.contains($0)
    }
    // By scalars: a mark that follows a quote makes one character of both.
    let escaped = word.unicodeScalars.reduce(into: "") { result, scalar in
      switch scalar {
      case "\"", "`", "$", "\\": result += "\\"
      case "%" where hasFields: result += "%"
      default: break
      }
      result.unicodeScalars.append(scalar)
    }
    return isPlain && !word.isEmpty ? escaped : "\"\(escaped)\""
  }
}
