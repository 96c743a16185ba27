internal import AccessModel
internal import LinuxDevices
internal import Synchronization

/// A watch on the users of an in-memory machine's devices, which signals after every change.
final class InMemoryUseWatch: UseWatch {
  private let machine: InMemoryMachine
  private let targets: [Question.Target]
  private let watch: any MachineWatch
  private let hasLooked = Atomic(false)

  init(_ machine: InMemoryMachine, _ targets: [Question.Target], _ watch: any MachineWatch) {
    self.machine = machine
    self.targets = targets
    self.watch = watch
  }

  var signals: AsyncStream<Void> { watch.signals }

  func wake() { watch.wake() }

  func look(pollingEvery interval: Duration) throws(DeviceError) -> UseLook {
    let look = try machine.useOfPresent(
      targets, leavingOutOthers: hasLooked.load(ordering: .relaxed))
    hasLooked.store(true, ordering: .relaxed)
    return look
  }
}
