/// The name of a secret, valid in every store.
///
/// The rules are those of systemd credentials, which are the strictest: the name is a file name.
struct SecretName: Hashable, Sendable {
  let text: String

  init(_ text: String) throws(SecretFailure) {
    guard Self.isPlain(text) else {
      throw SecretFailure(
        .badName,
        "a name must have 1 to 255 printable ASCII characters without / and :, and not be . or ..")
    }
    self.text = text
  }

  /// Checks the name of the application that owns the secrets in a shared store.
  static func check(application: String) throws(SecretFailure) {
    guard isPlain(application) else {
      throw SecretFailure(
        .badName, "cannot be used: the name of the application is not valid")
    }
  }

  /// A Boolean value that indicates whether a text is a valid name.
  static func isPlain(_ text: String) -> Bool {
    let bytes = text.utf8
    guard (1...255).contains(bytes.count), text != ".", text != ".." else { return false }
    return bytes.allSatisfy {
      (0x20...0x7E).contains($0) && $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: ":")
    }
  }
}
