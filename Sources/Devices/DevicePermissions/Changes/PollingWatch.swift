internal import AccessModel
internal import LinuxDevices

/// A watch that signals after each interval, for a machine that sends no events.
final class PollingWatch: MachineWatch {
  private let ticker = Ticker()
  private let reason: String

  /// Creates a watch that polls.
  ///
  /// - Parameter reason: The reason why the machine has to be polled.
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
