internal import JSONText

/// Makes text printable that comes from outside.
enum Escaping {
  /// The text without quotes around it, with control characters escaped.
  static func printable(_ text: some StringProtocol) -> String {
    String(JSONQuotes.quoted(String(text)).dropFirst().dropLast())
  }
}
