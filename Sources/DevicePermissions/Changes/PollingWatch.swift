internal import AccessModel
internal import LinuxDevices

/// Signals after each interval, for a machine that tells of no changes.
final class PollingWatch: MachineWatch {
  private let ticker = Ticker()
  private let reason: String

  /// - Parameter reason: Why there is no other watch.
  init(because reason: String) {
    self.reason = reason
  }

  var signals: AsyncStream<Void> { ticker.signals }

  func wake() { ticker.wake() }

  func cover(_ facts: [Int: AccessFacts], pollingEvery interval: Duration) -> WatchCoverage {
    ticker.set(interval)
    return WatchCoverage(isNew: false, gaps: [Unobserved("events", reason: reason)])
  }
}
