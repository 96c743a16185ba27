internal import JSONText

/// Makes text printable that comes from outside.
enum Escaping {
  /// The text without quotes around it, with control characters escaped, and cut where it is long.
  static func printable(_ text: String) -> String {
    String(quoted(text).dropFirst().dropLast())
  }

  /// The text in quotes, with control characters escaped, and cut where it is long.
  static func quoted(_ text: String) -> String {
    let beginning = text.unicodeScalars.prefix(200)
    let isCut = beginning.endIndex < text.unicodeScalars.endIndex
    return JSONQuotes.quoted(String(beginning) + (isCut ? "…" : ""))
  }
}
