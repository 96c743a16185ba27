internal import AccessModel
internal import LinuxDevices

/// A watch on an in-memory machine, which signals after every change.
final class InMemoryWatch: MachineWatch {
  let signals: AsyncStream<Void>
  private let continuation: AsyncStream<Void>.Continuation
  private let arrivals: InMemoryArrivals
  private let end: @Sendable () -> Void

  init(
    _ signals: AsyncStream<Void>, _ continuation: AsyncStream<Void>.Continuation,
    _ arrivals: InMemoryArrivals, _ end: @escaping @Sendable () -> Void
  ) {
    self.signals = signals
    self.continuation = continuation
    self.arrivals = arrivals
    self.end = end
  }

  deinit { end() }

  func cover(_ facts: [Int: AccessFacts], pollingEvery interval: Duration) -> WatchCoverage {
    WatchCoverage(isNew: false)
  }

  func takeTold() -> WatchNews { WatchNews(.all, arrivals: arrivals.take()) }

  func wake() { continuation.yield() }
}
