public import AccessModel

/// Reports when the facts of a machine may have changed.
///
/// A watch ends when the task that iterates over ``signals`` is cancelled, or when the watch is
/// released.
public protocol MachineWatch: AnyObject, Sendable {
  /// Watches the objects that the facts of some questions depend on.
  ///
  /// These replace the objects that were watched for the same questions before. The watches for
  /// other questions do not change.
  ///
  /// - Parameters:
  ///   - facts: The facts, by question number.
  ///   - interval: The interval between signals while some changes cause no events.
  /// - Returns: The coverage of all questions.
  func cover(_ facts: [Int: AccessFacts], pollingEvery interval: Duration) -> WatchCoverage

  /// A stream with an element after one or more reasons to scan again, for one consumer.
  var signals: AsyncStream<Void> { get }

  /// Returns the changes that were reported since the last call.
  ///
  /// Later changes send another signal.
  func takeTold() -> WatchNews

  /// Returns the same as ``takeTold()``, and the changes that have not been reported yet.
  ///
  /// The call does not wait. If facts changed while they were read, some of them may be old and
  /// others new.
  func takeNews() -> WatchNews

  /// Sends a signal as if everything could have changed.
  func wake()

  /// Returns whether a session switch is in progress, or was when the facts were read.
  ///
  /// Such facts may contradict each other. The end of the switch sends a signal.
  func isSwitchingSessions(since facts: AccessFacts) -> Bool
}

extension MachineWatch {
  /// Returns all questions, for a watch that cannot distinguish between them.
  public func takeTold() -> WatchNews { .all }

  /// Returns no changes, for a watch that reports every change soon enough.
  public func takeNews() -> WatchNews { .none }

  /// Returns `false`, for a machine that switches sessions instantly.
  public func isSwitchingSessions(since facts: AccessFacts) -> Bool { false }
}

/// Describes how completely facts are watched.
public struct WatchCoverage: Hashable, Sendable {
  /// A Boolean value that indicates whether the given facts may be out of date.
  ///
  /// They may if an object was not watched before, or if they include facts that cause no events
  /// and were not read again.
  public var isNew: Bool
  /// The facts whose changes cause no events, each with a reason.
  ///
  /// They are read again after an interval.
  public var gaps: [Unobserved]

  /// Creates a coverage.
  public init(isNew: Bool, gaps: [Unobserved] = []) {
    self.isNew = isNew
    self.gaps = gaps
  }
}
