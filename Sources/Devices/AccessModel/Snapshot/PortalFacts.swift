/// The facts about the camera portal of a desktop, and its stored answer for an application.
///
/// They are only written by hand. Asking the permission store or the portal would start them
/// through D-Bus activation, which an observer must not do.
public struct PortalFacts: Hashable, Sendable, Codable {
  /// The answer in the permission store (table `devices`, ID `camera`), which is `yes`, `no` or
  /// `ask`.
  ///
  /// It is `nil` if the store contains no answer.
  public var storedAnswer: String?
  /// The problem with the portal or its backend, as one clause; `nil` if none is known.
  public var problem: String?

  /// Creates the facts about a portal, by default without an answer and a problem.
  public init(storedAnswer: String? = nil, problem: String? = nil) {
    self.storedAnswer = storedAnswer
    self.problem = problem
  }

  private enum CodingKeys: String, CodingKey {
    case storedAnswer = "stored_answer"
    case problem
  }
}
