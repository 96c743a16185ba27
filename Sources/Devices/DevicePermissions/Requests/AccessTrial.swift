/// A method that was tried, with its outcome.
public struct AccessTrial: Hashable, Sendable {
  /// The outcome of a method.
  public enum Outcome: String, Hashable, Sendable, Codable, CaseIterable {
    /// The method gave access.
    case granted
    /// The method does not exist here, and no user was asked.
    case unavailable
    /// A user, a stored answer or the kernel refused.
    case refused
    /// The desktop settings forbid it.
    case forbidden
    /// No answer arrived in time.
    case timedOut
    /// The caller's task was cancelled.
    case cancelled
    /// Opening the device has an effect, and the request does not force it.
    case withheld
    /// The method failed, or the driver did not open a device that may be opened, such as a busy
    /// one.
    case failed
  }

  /// The method.
  public var road: AccessRoad
  /// The outcome of the method.
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
