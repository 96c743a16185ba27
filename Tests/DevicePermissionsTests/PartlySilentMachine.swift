import AccessModel
import DevicePermissionsTesting
import DeviceWatching
import LinuxDevices
import Synchronization

/// A machine that sometimes has a gap in its events.
final class PartlySilentMachine: MachineWrapper {
  static let gap = Unobserved("file-events", at: "/dev", reason: "nothing tells")

  let wrapped: any Machine
  let isSilent = Atomic(false)

  init(_ machine: InMemoryMachine) { wrapped = machine }

  func watch(_ targets: [Question.Target]) throws(DeviceError) -> any MachineWatch {
    Watch(try wrapped.watch(targets), of: self)
  }

  private final class Watch: MachineWatch {
    private let wrapped: any MachineWatch
    private let machine: PartlySilentMachine

    init(_ watch: any MachineWatch, of machine: PartlySilentMachine) {
      (wrapped, self.machine) = (watch, machine)
    }

    var signals: AsyncStream<Void> { wrapped.signals }

    func wake() { wrapped.wake() }
    func takeReportedChanges() -> WatchedChanges { wrapped.takeReportedChanges() }
    func takeAllChanges() -> WatchedChanges { wrapped.takeAllChanges() }

    func cover(_ facts: [Int: AccessFacts], pollingEvery interval: Duration) -> WatchCoverage {
      var coverage = wrapped.cover(facts, pollingEvery: interval)
      if machine.isSilent.load(ordering: .relaxed) { coverage.gaps.append(PartlySilentMachine.gap) }
      return coverage
    }
  }
}
