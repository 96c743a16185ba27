/// A name that identifies an application on the user's bus and in the file name of its desktop
/// entry.
struct BusName: Hashable, Sendable {
  let text: String

  /// Creates a name such as `org.example.Photos`.
  init(_ text: String) throws(DesktopApplicationError) {
    let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard text.utf8.count <= 255, parts.count > 1, parts.allSatisfy(Self.isPart) else {
      throw DesktopApplicationError(
        .badName, text,
        "the name must have parts of letters, digits, - and _, as in org.example.Photos")
    }
    self.text = text
  }

  private static func isPart(_ part: Substring.UTF8View) -> Bool {
    guard let first = part.first, !ASCII.isDigit(first) else { return false }
    return part.allSatisfy {
      ASCII.isLetter($0) || ASCII.isDigit($0) || $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: "-")
    }
  }

  /// The path of the application's object, which the Desktop Entry Specification derives from the
  /// name.
  var path: String {
    text.reduce(into: "/") { $0.append($1 == "." ? "/" : $1 == "-" ? "_" : $1) }
  }
}

/// The scheme of an application's links, without the colon.
struct LinkScheme: Hashable, Sendable {
  /// The scheme in lowercase.
  let text: String

  /// Creates a scheme such as `photos` (RFC 3986, section 3.1).
  init(_ text: String) throws(DesktopApplicationError) {
    let bytes = text.utf8
    guard let first = bytes.first, ASCII.isLetter(first), bytes.count <= 64,
      bytes.allSatisfy({
        ASCII.isLetter($0) || ASCII.isDigit($0) || "+-.".utf8.contains($0)
      })
    else {
      throw DesktopApplicationError(
        .badScheme, text, "a scheme must be a letter followed by letters, digits, +, - and .")
    }
    self.text = text.lowercased()
  }

  /// Returns a Boolean value that indicates whether a link has this scheme.
  func matches(_ link: String) -> Bool {
    let head = link.utf8.prefix(text.utf8.count + 1)
    return head.count == text.utf8.count + 1 && head.last == UInt8(ascii: ":")
      && head.dropLast().elementsEqual(text.utf8) { ASCII.lowercase($0) == $1 }
  }
}

/// Limits for input from other programs.
enum LinkLimits {
  /// The maximum length of a link in bytes.
  static let linkBytes = 65_536
  /// The maximum number of links in a call.
  static let linksInCall = 64
}

/// Functions for ASCII letters and digits.
enum ASCII {
  static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }

  static func isLetter(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(lowercase(byte))
  }

  /// Returns the lowercase form of an uppercase letter, and any other byte unchanged.
  static func lowercase(_ byte: UInt8) -> UInt8 {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
  }
}
