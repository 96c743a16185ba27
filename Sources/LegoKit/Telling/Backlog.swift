/// How many changes of a store may wait to be told, and what happens when there are more.
///
/// Changes wait where several threads build, or where effects send changes, faster than observers
/// and adaptors take them. A builder that finds too many waits until one less waits; those who
/// wait go on in the order in which they came. So memory is bounded, and the builders share the
/// speed of the slowest observer.
///
/// No builder waits longer than ``patience``, since it may be the one that the observer waits for.
/// Where observers take longer than that for a change, the backlog grows past the limit, by one
/// change of each builder in that time. A build inside an observer or an adaptor of the same store
/// never waits. One inside an observer of another store waits as any other does, unless the thread
/// that tells the changes is itself waiting in a build: so no two wait for each other.
public struct Backlog: Sendable, Hashable {
  /// How many changes may wait before builders do.
  public var limit: Int
  /// How long a builder waits at most.
  public var patience: Duration

  /// Creates a policy.
  ///
  /// - Parameters:
  ///   - limit: How many changes may wait before builders do.
  ///   - patience: How long a builder waits at most.
  public init(limit: Int = 1_024, patience: Duration = .microseconds(500)) {
    self.limit = max(0, limit)
    self.patience = patience
  }

  /// Builders never wait, and memory is the only limit.
  public static let unlimited = Backlog(limit: .max)
}
