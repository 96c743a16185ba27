/// The name of a secret: one that every store takes.
///
/// The rules are those of systemd's credentials, which are the strictest: a name is that of a file.
struct SecretName: Hashable, Sendable {
  let text: String

  init(_ text: String) throws(SecretFailure) {
    guard Self.isPlain(text) else {
      throw SecretFailure(
        .badName,
        "a name has 1 to 255 printable ASCII characters without / and :, and is not . or ..")
    }
    self.text = text
  }

  /// Checks the name of the program whose secrets are kept beside those of others.
  static func check(application: String) throws(SecretFailure) {
    guard isPlain(application) else {
      throw SecretFailure(
        .badName, "cannot be asked: the name of the application is not one that a secret may have")
    }
  }

  /// Whether a text can be a name.
  static func isPlain(_ text: String) -> Bool {
    let bytes = text.utf8
    guard (1...255).contains(bytes.count), text != ".", text != ".." else { return false }
    return bytes.allSatisfy {
      (0x20...0x7E).contains($0) && $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: ":")
    }
  }
}
