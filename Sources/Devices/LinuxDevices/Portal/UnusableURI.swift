/// A chosen item whose URI is not a valid path of a file.
public struct UnusableURI: Hashable, Sendable {
  /// The URI that the portal sent, truncated to ``longest`` Unicode scalars; untrusted text.
  public let uri: String
  /// The reason why the URI cannot be used, as a clause for a sentence.
  public let reason: String

  /// The maximum length of ``uri`` in Unicode scalars.
  public static let longest = 512

  /// Creates an unusable URI, and truncates its text.
  public init(_ uri: String, reason: String) {
    self.uri = String(String.UnicodeScalarView(uri.unicodeScalars.prefix(Self.longest)))
    self.reason = reason
  }
}
