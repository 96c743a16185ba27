/// The cause of a refusal, with a code from a closed set.
public struct Cause: Hashable, Sendable {
  /// The code of the cause, whose meaning never changes.
  public var code: CauseCode
  /// A one-sentence description of the problem, with the names and numbers of this case.
  public var summary: String
  /// The path that the cause concerns.
  public var at: String?
  /// A Boolean value that indicates whether the facts prove the cause.
  ///
  /// If it is `false`, the cause is only the most likely explanation.
  public var isProven: Bool

  /// Creates a cause, which is proven by default.
  public init(_ code: CauseCode, summary: String, at: String? = nil, isProven: Bool = true) {
    self.code = code
    self.summary = summary
    self.at = at
    self.isProven = isProven
  }
}
