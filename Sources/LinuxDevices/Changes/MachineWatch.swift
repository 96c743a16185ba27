public import AccessModel

/// Tells when facts of a machine may no longer hold.
///
/// It ends when the task that iterates over ``signals`` is cancelled, and when it goes away.
public protocol MachineWatch: AnyObject, Sendable {
  /// Watches what the facts of some questions depend on, in place of what was watched for these
  /// questions before; what is watched for others stays.
  ///
  /// - Parameters:
  ///   - facts: The facts, by the numbers of the questions.
  ///   - interval: How often to signal where something is not told by events.
  /// - Returns: How far all questions are watched.
  func cover(_ facts: [Int: AccessFacts], pollingEvery interval: Duration) -> WatchCoverage

  /// A signal for one or more reasons to look again, for one consumer.
  var signals: AsyncStream<Void> { get }

  /// Takes what has been a reason to look since this was last called.
  ///
  /// What happens afterwards signals again.
  func takeTold() -> WatchNews

  /// Takes what ``takeTold()`` does, and what has happened and is not told yet.
  ///
  /// It does not wait. Facts that changed while they were read may be half of what they were and half
  /// of what they are.
  func takeNews() -> WatchNews

  /// Signals as if something had happened.
  func wake()

  /// Whether a switch of sessions is going on, or was when some facts were read, so that they contradict
  /// each other; its end is told.
  func isSwitchingSessions(since facts: AccessFacts) -> Bool
}

extension MachineWatch {
  /// Every question: a watch that cannot tell them apart needs to say no more.
  public func takeTold() -> WatchNews { .all }

  /// Nothing: what happens is told soon enough.
  public func takeNews() -> WatchNews { .none }

  /// Never, where a switch is made at once.
  public func isSwitchingSessions(since facts: AccessFacts) -> Bool { false }
}

/// How far facts are watched.
public struct WatchCoverage: Hashable, Sendable {
  /// Whether the facts that were given may be out of date already: something is watched that was not
  /// before, or they rely on what nothing tells of and was not read again.
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
