/// One road that was tried, and how that ended.
public struct AccessTrial: Hashable, Sendable {
  /// How a road ended.
  public enum Outcome: String, Hashable, Sendable, Codable, CaseIterable {
    /// It led to access.
    case granted
    /// There is no such road here; nobody was asked.
    case unavailable
    /// A person, a stored answer or the kernel said no.
    case refused
    /// The desktop settings forbid it.
    case forbidden
    /// No answer came in time.
    case timedOut
    /// The caller's task was cancelled.
    case cancelled
    /// The device acts when it is opened, and the request does not force that.
    case withheld
    /// It broke on the way, or the device may be opened and its driver does not, such as for a busy one.
    case failed
  }

  /// The road.
  public var road: AccessRoad
  /// How it ended.
  public var outcome: Outcome
  /// More about that, as one sentence; it may hold untrusted text.
  public var reason: String?

  /// Creates a trial.
  public init(_ road: AccessRoad, _ outcome: Outcome, reason: String? = nil) {
    self.road = road
    self.outcome = outcome
    self.reason = reason
  }
}
