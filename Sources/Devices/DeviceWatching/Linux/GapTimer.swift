internal import AccessModel
internal import LinuxDevices
internal import Synchronization

/// Wakes a watch at regular intervals while some changes cause no events.
///
/// The interval is set after each scan. If a timer cannot be created for lack of descriptors or
/// threads, the watch is woken once, and the scan that follows sets the interval again.
final class GapTimer: Sendable {
  /// Registers a timer with the event loop.
  typealias Start = @Sendable (DescriptorSource) throws(Errno) -> WatchRegistration

  private struct State {
    var interval: Duration?
    var registration: WatchRegistration?
    /// The substitute for a timer that could not be created.
    var pause: OneShotTimer?
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

  /// Sets the interval; `nil` stops the timer.
  ///
  /// Only one thread may call this at a time.
  func set(_ interval: Duration?) {
    guard state.withLock({ $0.interval }) != interval else { return }
    replace(interval)
    guard let interval else { return }
    do throws(Errno) {
      let registration = try start(PollTimer.source(every: interval, signal))
      keep { $0.registration = registration }
    } catch {
      let pause = OneShotTimer(until: .now.advanced(by: interval)) { [weak self] in self?.wakeOnce()
      }
      keep { $0.pause = pause }
    }
  }

  func end() {
    state.withLock { $0.isOver = true }
    replace(nil)
  }

  /// Wakes the watch once, and resets the interval so that it can be set again.
  private func wakeOnce() {
    state.withLock { $0.interval = nil }
    signal()
  }

  /// Stores the interval, and stops the previous timer.
  private func replace(_ interval: Duration?) {
    let before = state.withLock { state in
      let before = (state.registration, state.pause)
      (state.registration, state.pause) = (nil, nil)
      state.interval = state.isOver ? nil : interval
      return before
    }
    // Outside of the lock, because releasing them may run other code.
    before.0?.cancel()
  }

  /// Stores a timer, or releases it if this object has ended.
  private func keep(_ body: (inout State) -> Void) {
    state.withLock { state in
      if !state.isOver { body(&state) }
    }
  }
}
