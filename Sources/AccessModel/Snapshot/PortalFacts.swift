/// What the camera portal of a desktop stores about an application.
///
/// Recorded only by hand: asking the store or the portal starts them (D-Bus activation), which
/// an observer must not do.
public struct PortalFacts: Hashable, Sendable, Codable {
  /// The answer in the permission store (table `devices`, id `camera`): `yes`, `no` or `ask`;
  /// `nil` when it holds none.
  public var storedAnswer: String?
  /// What is wrong with the portal or its backend, as one clause; `nil` when nothing is known.
  public var problem: String?

  /// Creates the facts of a portal; by default nothing is known about it.
  public init(storedAnswer: String? = nil, problem: String? = nil) {
    self.storedAnswer = storedAnswer
    self.problem = problem
  }

  private enum CodingKeys: String, CodingKey {
    case storedAnswer = "stored_answer"
    case problem
  }
}
