internal import LinuxDevices
internal import Synchronization

/// Sends a signal after each interval, for a machine that sends no events.
final class Ticker: Sendable {
  private let state = Mutex<(interval: Duration, task: Task<Void, Never>)?>(nil)
  private let continuation: AsyncStream<Void>.Continuation
  let signals: AsyncStream<Void>

  init() {
    (signals, continuation) = AsyncStream.makeStream(
      of: Void.self, bufferingPolicy: .bufferingNewest(1))
    continuation.onTermination = { [weak self] _ in self?.end() }
  }

  deinit { end() }

  func wake() { continuation.yield() }

  /// Sets the interval; if it differs from the current one, the wait starts again.
  func set(_ interval: Duration) {
    state.withLock { state in
      guard state?.interval != interval else { return }
      state?.task.cancel()
      let task = Task { [continuation] in
        while !Task.isCancelled {
          await Pause.wait(until: .now.advanced(by: interval))
          continuation.yield()
        }
      }
      state = (interval, task)
    }
  }

  private func end() {
    state.withLock { $0?.task.cancel() }
  }
}
