import AccessModel
import DevicePermissionsTesting
import LinuxDevices
import Synchronization

/// A machine on which some looks in a row fail, and which does not tell who begins to use a device.
final class ExhaustedMachine: MachineWrapper {
  let wrapped: any Machine
  /// How many looks are still to fail.
  let failures = Atomic(0)
  let error: DeviceError

  init(
    _ machine: some Machine,
    error: DeviceError = DeviceError(
      .exhausted, operation: "observe this machine", errno: .tooManyFiles)
  ) {
    wrapped = machine
    self.error = error
  }

  func facts(for question: Question) throws(DeviceError) -> AccessFacts {
    try fail()
    return try wrapped.facts(for: question)
  }

  func use(of targets: [Question.Target]) throws(DeviceError) -> UseFacts {
    try fail()
    return try wrapped.use(of: targets)
  }

  func watchUse(of targets: [Question.Target]) throws(DeviceError) -> any UseWatch {
    throw DeviceError(.unavailable, operation: "watch who uses devices")
  }

  private func fail() throws(DeviceError) {
    guard failures.load(ordering: .relaxed) > 0 else { return }
    failures.subtract(1, ordering: .relaxed)
    throw error
  }
}
