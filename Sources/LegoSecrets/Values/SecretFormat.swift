/// How a value becomes the bytes of a secret.
public struct SecretFormat: Hashable, Sendable {
  enum Kind: Hashable, Sendable {
    case automatic
    case json
  }

  let kind: Kind

  /// A `String` is its text in UTF-8, `[UInt8]` is its bytes, and every other type is JSON.
  ///
  /// So a `String` reads what people and other programs write: a password in a file, for example.
  public static let automatic = SecretFormat(kind: .automatic)

  /// Every type is JSON, a `String` too.
  public static let json = SecretFormat(kind: .json)
}
