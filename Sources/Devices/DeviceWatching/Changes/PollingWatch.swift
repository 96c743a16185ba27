internal import AccessModel
internal import LinuxDevices
internal import Synchronization

/// A watch that signals after each interval, for a machine that sends no events.
final class PollingWatch: MachineWatch {
  private let ticker = IntervalTimer()
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

/// A watch that polls the users of devices, for a machine that does not report when devices are
/// opened and closed.
final class PollingUseWatch: UseWatch {
  private let ticker = IntervalTimer()
  private let machine: any Machine
  private let targets: [Question.Target]
  private let reason: String
  private let hasScanned = Atomic(false)

  /// Creates a watch that polls.
  ///
  /// - Parameters:
  ///   - machine: The machine to observe.
  ///   - targets: The devices.
  ///   - reason: The reason why the devices have to be polled.
  init(_ machine: any Machine, _ targets: [Question.Target], because reason: String) {
    self.machine = machine
    self.targets = targets
    self.reason = reason
  }

  var signals: AsyncStream<Void> { ticker.signals }

  func wake() { ticker.wake() }

  func scan(pollingEvery interval: Duration) throws(DeviceError) -> UseScan {
    ticker.set(interval)
    let hasScanned = hasScanned.load(ordering: .relaxed)
    var scan = try machine.useOfPresent(targets, leavingOutOthers: hasScanned)
    self.hasScanned.store(true, ordering: .relaxed)
    scan.gaps = [Unobserved("open-events", reason: reason)]
    return scan
  }
}

/// Sends a signal after each interval, for a machine that sends no events.
final class IntervalTimer: Sendable {
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
          await OneShotTimer.wait(until: .now.advanced(by: interval))
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
