/// Why access is refused, as one member of a closed vocabulary.
public struct Cause: Hashable, Sendable {
  /// The cause as a word that never changes its meaning.
  public var code: CauseCode
  /// The problem as one sentence, with the names and numbers of this case.
  public var summary: String
  /// The path it concerns.
  public var at: String?
  /// Whether the facts prove it, or only make it the best explanation.
  public var isProven: Bool

  /// Creates a cause, proven unless said otherwise.
  public init(_ code: CauseCode, summary: String, at: String? = nil, isProven: Bool = true) {
    self.code = code
    self.summary = summary
    self.at = at
    self.isProven = isProven
  }
}
