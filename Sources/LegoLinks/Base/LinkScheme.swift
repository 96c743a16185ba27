/// What the links of a program begin with, without the colon.
struct LinkScheme: Hashable, Sendable {
  /// In lower case.
  let text: String

  /// Takes a scheme such as `photos` (RFC 3986, section 3.1).
  init(_ text: String) throws(DesktopApplicationError) {
    let bytes = text.utf8
    guard let first = bytes.first, ASCII.isLetter(first), bytes.count <= 64,
      bytes.allSatisfy({
        ASCII.isLetter($0) || ASCII.isDigit($0) || "+-.".utf8.contains($0)
      })
    else {
      throw DesktopApplicationError(
        .badScheme, text, "a scheme is a letter and then letters, digits, +, - and .")
    }
    self.text = text.lowercased()
  }

  /// Whether a link begins with the scheme.
  func begins(_ link: String) -> Bool {
    let head = link.utf8.prefix(text.utf8.count + 1)
    return head.count == text.utf8.count + 1 && head.last == UInt8(ascii: ":")
      && head.dropLast().elementsEqual(text.utf8) { ASCII.lowercase($0) == $1 }
  }
}
