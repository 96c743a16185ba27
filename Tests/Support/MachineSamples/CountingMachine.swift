package import AccessModel
internal import DevicePermissionsTesting
package import DeviceWatching
package import LinuxDevices
internal import Synchronization

/// A machine that counts how often it is observed.
package final class CountingMachine: MachineWrapper {
  package let wrapped: any Machine
  private let observations = Atomic(0)

  package init(_ wrapped: any Machine = LinuxMachine()) { self.wrapped = wrapped }

  package var count: Int { observations.load(ordering: .relaxed) }

  package func facts(for question: Question) throws(DeviceError) -> AccessFacts {
    observations.add(1, ordering: .relaxed)
    return try wrapped.facts(for: question)
  }
}
