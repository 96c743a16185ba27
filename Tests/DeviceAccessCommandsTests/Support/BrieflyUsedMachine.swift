import AccessModel
import DevicePermissionsTesting
import DeviceWatching
import LinuxDevices
import Synchronization

/// A machine on which a program has the camera open only during the second scan of its users.
final class BrieflyUsedMachine: MachineWrapper {
  var wrapped: any Machine { machine }
  let machine: InMemoryMachine
  let scans = Atomic(0)

  init(_ machine: InMemoryMachine) { self.machine = machine }

  func use(of targets: [Question.Target]) throws(DeviceError) -> UseFacts {
    begin()
    defer { end() }
    return try machine.use(of: targets)
  }

  func watchUse(of targets: [Question.Target]) throws(DeviceError) -> any UseWatch {
    Watch(machine: self, wrapped: try machine.watchUse(of: targets))
  }

  private func begin() {
    guard scans.add(1, ordering: .relaxed).newValue == 2 else { return }
    machine.change {
      $0.hold("/dev/video0", by: "guvcview", pid: 77, user: "bob", DeviceHold(isMapped: true))
    }
  }

  private func end() {
    guard scans.load(ordering: .relaxed) == 2 else { return }
    machine.change { $0.endProcess(77) }
  }

  private final class Watch: UseWatch {
    let machine: BrieflyUsedMachine
    let wrapped: any UseWatch

    init(machine: BrieflyUsedMachine, wrapped: any UseWatch) {
      self.machine = machine
      self.wrapped = wrapped
    }

    var signals: AsyncStream<Void> { wrapped.signals }

    func wake() { wrapped.wake() }

    func scan(pollingEvery interval: Duration) throws(DeviceError) -> UseScan {
      machine.begin()
      defer { machine.end() }
      return try wrapped.scan(pollingEvery: interval)
    }
  }
}
