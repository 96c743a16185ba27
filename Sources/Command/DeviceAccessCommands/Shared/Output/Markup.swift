/// Escapes untrusted text for programs that interpret it as markup.
enum Markup {
  /// The default maximum length of a name.
  static let limit = 64

  /// Escapes control characters as ``Escaped`` does, and the characters that are special in XML.
  static func escape(_ text: String, limit: Int = limit) -> String {
    // Iterate over scalars: a `Character` may join a special character and a combining mark.
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
