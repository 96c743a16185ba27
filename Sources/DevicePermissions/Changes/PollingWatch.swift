internal import AccessModel
internal import LinuxDevices
internal import Synchronization

/// Signals after each interval, for a machine that tells of no changes.
final class PollingWatch: MachineWatch {
  private let state = Mutex<(interval: Duration, task: Task<Void, Never>)?>(nil)
  private let continuation: AsyncStream<Void>.Continuation
  private let reason: String
  let signals: AsyncStream<Void>

  /// - Parameter reason: Why there is no other watch.
  init(because reason: String) {
    self.reason = reason
    (signals, continuation) = AsyncStream.makeStream(
      of: Void.self, bufferingPolicy: .bufferingNewest(1))
    continuation.onTermination = { [weak self] _ in self?.end() }
  }

  deinit { end() }

  func wake() { continuation.yield() }

  func cover(_ facts: [AccessFacts], pollingEvery interval: Duration) -> WatchCoverage {
    state.withLock { state in
      guard state?.interval != interval else { return }
      state?.task.cancel()
      let task = Task { [continuation] in
        while !Task.isCancelled {
          try? await Task.sleep(for: interval)
          continuation.yield()
        }
      }
      state = (interval, task)
    }
    return WatchCoverage(isNew: false, gaps: [Unobserved("events", reason: reason)])
  }

  private func end() {
    state.withLock { $0?.task.cancel() }
  }
}
