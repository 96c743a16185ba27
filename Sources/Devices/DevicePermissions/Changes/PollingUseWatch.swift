internal import AccessModel
internal import LinuxDevices
internal import Synchronization

/// A watch that polls the users of devices, for a machine that does not report when devices are
/// opened and closed.
final class PollingUseWatch: UseWatch {
  private let ticker = Ticker()
  private let machine: any Machine
  private let targets: [Question.Target]
  private let reason: String
  private let hasLooked = Atomic(false)

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

  func look(pollingEvery interval: Duration) throws(DeviceError) -> UseLook {
    ticker.set(interval)
    let hasLooked = hasLooked.load(ordering: .relaxed)
    var look = try machine.useOfPresent(targets, leavingOutOthers: hasLooked)
    self.hasLooked.store(true, ordering: .relaxed)
    look.gaps = [Unobserved("open-events", reason: reason)]
    return look
  }
}
