internal import AccessModel
internal import Synchronization

/// Wakes a watch after each interval, as long as something is not told by events.
///
/// It is set after each look. Where no descriptor or thread can be had for a timer, it wakes once, and
/// the look that follows sets it again.
final class GapTimer: Sendable {
  /// Has the event loop wait for a timer.
  typealias Start = @Sendable (DescriptorSource) throws(Errno) -> WatchRegistration

  private struct State {
    var interval: Duration?
    var registration: WatchRegistration?
    /// What wakes in place of a timer.
    var pause: Pause?
    var isOver = false
  }

  private let state = Mutex(State())
  private let start: Start
  private let signal: @Sendable () -> Void

  init(
    startingWith start: @escaping Start = { (source) throws(Errno) in
      try EventLoop.shared.watch(source)
    },
    _ signal: @escaping @Sendable () -> Void
  ) {
    self.start = start
    self.signal = signal
  }

  deinit { end() }

  /// Wakes after each interval from now on; `nil` for never.
  ///
  /// One caller at a time.
  func set(_ interval: Duration?) {
    guard state.withLock({ $0.interval }) != interval else { return }
    replace(interval)
    guard let interval else { return }
    do throws(Errno) {
      let registration = try start(PollTimer.source(every: interval, signal))
      keep { $0.registration = registration }
    } catch {
      let pause = Pause(until: .now.advanced(by: interval)) { [weak self] in self?.wakeOnce() }
      keep { $0.pause = pause }
    }
  }

  func end() {
    state.withLock { $0.isOver = true }
    replace(nil)
  }

  /// Wakes, and waits for being set again.
  private func wakeOnce() {
    state.withLock { $0.interval = nil }
    signal()
  }

  /// Takes another interval, and ends what was started for the one before.
  private func replace(_ interval: Duration?) {
    let before = state.withLock { state in
      let before = (state.registration, state.pause)
      (state.registration, state.pause) = (nil, nil)
      state.interval = state.isOver ? nil : interval
      return before
    }
    // Outside of the lock: their ends may be those of others.
    before.0?.cancel()
  }

  /// Keeps what was started unless this has ended, which frees it.
  private func keep(_ body: (inout State) -> Void) {
    state.withLock { state in
      if !state.isOver { body(&state) }
    }
  }
}
