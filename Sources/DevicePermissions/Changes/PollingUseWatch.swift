internal import AccessModel
internal import LinuxDevices
internal import Synchronization

/// Looks after each interval, on a machine that does not tell of opens and closes.
final class PollingUseWatch: UseWatch {
  private let ticker = Ticker()
  private let machine: any Machine
  private let targets: [Question.Target]
  private let reason: String
  private let hasLooked = Atomic(false)

  /// - Parameters:
  ///   - machine: The machine.
  ///   - targets: The devices.
  ///   - reason: Why there is no other watch.
  init(_ machine: any Machine, _ targets: [Question.Target], because reason: String) {
    self.machine = machine
    self.targets = targets
    self.reason = reason
  }

  var signals: AsyncStream<Void> { ticker.signals }

  func wake() { ticker.wake() }

  func look(pollingEvery interval: Duration) throws(DeviceError) -> UseLook {
    ticker.set(interval)
    let hasLooked = hasLooked.load(ordering: .relaxed)
    var look = try machine.useOfPresent(targets, leavingOutOthers: hasLooked)
    self.hasLooked.store(true, ordering: .relaxed)
    look.gaps = [Unobserved("open-events", reason: reason)]
    return look
  }
}
