package import AccessModel
internal import DevicePermissionsTesting
package import DeviceWatching
package import LinuxDevices
package import Synchronization

/// A machine on which a number of scans in a row fail, and which sends no events about uses.
package final class ExhaustedMachine: MachineWrapper {
  package let wrapped: any Machine
  /// The number of scans that will still fail.
  package let failures = Atomic(0)
  package let error: DeviceError

  package init(
    _ machine: some Machine,
    error: DeviceError = DeviceError(
      .exhausted, operation: "observe this machine", errno: .tooManyFiles)
  ) {
    wrapped = machine
    self.error = error
  }

  package func facts(for question: Question) throws(DeviceError) -> AccessFacts {
    try fail()
    return try wrapped.facts(for: question)
  }

  package func use(of targets: [Question.Target]) throws(DeviceError) -> UseFacts {
    try fail()
    return try wrapped.use(of: targets)
  }

  package func watchUse(of targets: [Question.Target]) throws(DeviceError) -> any UseWatch {
    throw DeviceError(.unavailable, operation: "watch who uses devices")
  }

  private func fail() throws(DeviceError) {
    guard failures.load(ordering: .relaxed) > 0 else { return }
    failures.subtract(1, ordering: .relaxed)
    throw error
  }
}
