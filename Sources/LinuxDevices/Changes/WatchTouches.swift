internal import Synchronization

/// Collects what the sources of a watch tell, for its one consumer.
///
/// The sources know this alone, and keep nothing else of the watch alive.
final class WatchTouches: Sendable {
  private struct State {
    var touched = TouchedQuestions.none
    /// What is looked at after each interval, because something about it is not told.
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

  /// Says which questions have something that is not told.
  func setUntold(_ questions: TouchedQuestions) { state.withLock { $0.untold = questions } }

  /// Adds those that have something that is not told.
  func addUntold() { add(state.withLock { $0.untold }) }
}
