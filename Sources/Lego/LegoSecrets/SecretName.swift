/// A secret name that is valid in every store.
///
/// Names follow the rules for systemd credentials. Those rules are the strictest, because the name
/// of a credential is also a file name.
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

  /// Throws an error if an application name is not valid.
  static func check(application: String) throws(SecretFailure) {
    guard isPlain(application) else {
      throw SecretFailure(
        .badName, "cannot be used: the name of the application is not valid")
    }
  }

  /// Returns a Boolean value that indicates whether a string is a valid name.
  static func isPlain(_ text: String) -> Bool {
    let bytes = text.utf8
    guard (1...255).contains(bytes.count), text != ".", text != ".." else { return false }
    return bytes.allSatisfy {
      (0x20...0x7E).contains($0) && $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: ":")
    }
  }
}
