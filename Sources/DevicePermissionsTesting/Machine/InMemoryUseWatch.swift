internal import AccessModel
internal import LinuxDevices

/// A watch of the users of devices of a machine in memory: every change of it is told.
final class InMemoryUseWatch: UseWatch {
  private let machine: InMemoryMachine
  private let targets: [Question.Target]
  private let watch: any MachineWatch

  init(_ machine: InMemoryMachine, _ targets: [Question.Target], _ watch: any MachineWatch) {
    self.machine = machine
    self.targets = targets
    self.watch = watch
  }

  var signals: AsyncStream<Void> { watch.signals }

  func wake() { watch.wake() }

  func look(pollingEvery interval: Duration) throws(DeviceError) -> UseLook {
    try machine.useOfPresent(targets)
  }
}
