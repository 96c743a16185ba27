/// The name of a program on the user's bus, which is also that of its desktop entry.
struct BusName: Hashable, Sendable {
  let text: String

  /// Takes a name such as `org.example.Photos`.
  init(_ text: String) throws(DesktopApplicationError) {
    let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard text.utf8.count <= 255, parts.count > 1, parts.allSatisfy(Self.isPart) else {
      throw DesktopApplicationError(
        .badName, text,
        "the name of a program has parts of letters, digits, - and _, as in org.example.Photos")
    }
    self.text = text
  }

  private static func isPart(_ part: Substring.UTF8View) -> Bool {
    guard let first = part.first, !ASCII.isDigit(first) else { return false }
    return part.allSatisfy {
      ASCII.isLetter($0) || ASCII.isDigit($0) || $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: "-")
    }
  }

  /// The path of the program's object, as the Desktop Entry Specification derives it.
  var path: String {
    text.reduce(into: "/") { $0.append($1 == "." ? "/" : $1 == "-" ? "_" : $1) }
  }
}
