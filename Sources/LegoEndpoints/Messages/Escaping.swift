internal import JSONText

/// Makes text printable that comes from outside.
enum Escaping {
  /// The text without quotes around it, with control characters escaped, and cut if it is long.
  static func printable(_ text: some StringProtocol, limit: Int = 200) -> String {
    let head = text.unicodeScalars.prefix(limit)
    let isCut = head.endIndex != text.unicodeScalars.endIndex
    return String(JSONQuotes.quoted(String(String.UnicodeScalarView(head))).dropFirst().dropLast())
      + (isCut ? "…" : "")
  }
}
