/// One road that was tried, with its outcome.
public struct AccessTrial: Hashable, Sendable {
  /// The outcome of a road.
  public enum Outcome: String, Hashable, Sendable, Codable, CaseIterable {
    /// The road led to access.
    case granted
    /// The road does not exist here, and no user was asked.
    case unavailable
    /// A user, a stored answer or the kernel refused.
    case refused
    /// The desktop settings forbid it.
    case forbidden
    /// No answer came in time.
    case timedOut
    /// The caller's task was cancelled.
    case cancelled
    /// Opening the device has an effect, and the request does not force it.
    case withheld
    /// The road failed, or the driver did not open a device that may be opened, such as a busy one.
    case failed
  }

  /// The road.
  public var road: AccessRoad
  /// The outcome of the road.
  public var outcome: Outcome
  /// More detail about the outcome, as one sentence; it may contain untrusted text.
  public var reason: String?

  /// Creates a trial.
  public init(_ road: AccessRoad, _ outcome: Outcome, reason: String? = nil) {
    self.road = road
    self.outcome = outcome
    self.reason = reason
  }
}
