import AccessModel
import DevicePermissionsTesting
import LinuxDevices
import Synchronization

/// A machine that counts how often it is observed.
final class CountingMachine: MachineWrapper {
  let wrapped: any Machine
  private let observations = Atomic(0)

  init(_ wrapped: any Machine = LinuxMachine()) { self.wrapped = wrapped }

  var count: Int { observations.load(ordering: .relaxed) }

  func facts(for question: Question) throws(DeviceError) -> AccessFacts {
    observations.add(1, ordering: .relaxed)
    return try wrapped.facts(for: question)
  }
}
