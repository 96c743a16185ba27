/// Untrusted text for a reader of markup, who shows it as it is.
enum Markup {
  /// How long a name is at most.
  static let limit = 64

  /// Escapes what has a meaning in XML; control characters are escaped as for a terminal.
  static func escape(_ text: String, limit: Int = limit) -> String {
    // By scalars: a sign and a mark that follows would be one character, which is no sign.
    Escaped(text, limit: limit).description.unicodeScalars.reduce(into: "") { result, scalar in
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "'": result += "&#39;"
      default: result.unicodeScalars.append(scalar)
      }
    }
  }
}
