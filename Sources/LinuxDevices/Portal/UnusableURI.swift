/// What a portal named as a chosen file, and is not the path of one.
public struct UnusableURI: Hashable, Sendable {
  /// What the portal wrote, no more than ``longest`` characters of it; untrusted text.
  public let uri: String
  /// Why it cannot be used, as one clause.
  public let reason: String

  /// How much of a URI is kept.
  public static let longest = 512

  /// Creates one.
  public init(_ uri: String, reason: String) {
    self.uri = String(String.UnicodeScalarView(uri.unicodeScalars.prefix(Self.longest)))
    self.reason = reason
  }
}
