public import AccessModel

/// Tells when facts of a machine may no longer hold.
///
/// It ends when the task that iterates over ``signals`` is cancelled, and when it goes away.
public protocol MachineWatch: AnyObject, Sendable {
  /// Watches what facts depend on, in place of what was watched before.
  ///
  /// - Parameters:
  ///   - facts: The facts, of one question or of several.
  ///   - interval: How often to signal where something is not told by events.
  /// - Returns: How far they are watched.
  func cover(_ facts: [AccessFacts], pollingEvery interval: Duration) -> WatchCoverage

  /// A signal for one or more reasons to look again, for one consumer.
  var signals: AsyncStream<Void> { get }

  /// Signals as if something had happened.
  func wake()
}

/// How far facts are watched.
public struct WatchCoverage: Hashable, Sendable {
  /// Whether something is watched that was not before: the facts may be out of date already.
  public var isNew: Bool
  /// What is not told by events, so that it is looked at again after an interval; each with the
  /// reason.
  public var gaps: [Unobserved]

  /// Creates the coverage of some facts.
  public init(isNew: Bool, gaps: [Unobserved] = []) {
    self.isNew = isNew
    self.gaps = gaps
  }
}
