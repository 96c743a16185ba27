internal import Synchronization

/// Collects the questions that the sources of a watch report, for one consumer.
///
/// The sources refer only to this object, so they do not keep the watch alive.
final class WatchTouches: Sendable {
  private struct State {
    var touched = TouchedQuestions.none
    /// The questions with gaps, which are reported after each interval.
    var untold = TouchedQuestions.none
  }

  private let state = Mutex(State())
  private let continuation: AsyncStream<Void>.Continuation

  init(_ continuation: AsyncStream<Void>.Continuation) {
    self.continuation = continuation
  }

  func add(_ questions: TouchedQuestions) {
    state.withLock { $0.touched.formUnion(questions) }
    continuation.yield()
  }

  func take() -> TouchedQuestions {
    state.withLock { state in
      defer { state.touched = .none }
      return state.touched
    }
  }

  /// Sets the questions with gaps.
  func setUntold(_ questions: TouchedQuestions) { state.withLock { $0.untold = questions } }

  /// Reports the questions with gaps.
  func addUntold() { add(state.withLock { $0.untold }) }
}
