internal import Synchronization

/// Wakes a watch after each interval, as long as something is not told by events.
final class GapTimer: Sendable {
  private struct State {
    var timer: (interval: Duration, registration: WatchRegistration)?
    var isOver = false
  }

  private let state = Mutex(State())
  private let signal: @Sendable () -> Void

  init(_ signal: @escaping @Sendable () -> Void) {
    self.signal = signal
  }

  deinit { end() }

  /// Wakes after each interval from now on; `nil` for never.
  func set(_ interval: Duration?) {
    guard state.withLock({ $0.timer?.interval }) != interval else { return }
    var timer: (interval: Duration, registration: WatchRegistration)?
    if let interval,
      let source = try? PollTimer.source(every: interval, signal),
      let registration = try? EventLoop.shared.watch(source)
    {
      timer = (interval, registration)
    }
    let before = state.withLock { state in
      let before = state.timer
      state.timer = state.isOver ? nil : timer
      return before
    }
    // Ends outside of the lock.
    before?.registration.cancel()
  }

  func end() {
    let registration = state.withLock { state in
      state.isOver = true
      let registration = state.timer?.registration
      state.timer = nil
      return registration
    }
    registration?.cancel()
  }
}
