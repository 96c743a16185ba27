import AccessModel
import DevicePermissionsTesting
import LinuxDevices

/// A machine without events.
struct SilentMachine: MachineWrapper {
  let wrapped: any Machine

  init(_ machine: InMemoryMachine) { wrapped = machine }

  func events() throws(DeviceError) -> AsyncStream<DeviceEvent> {
    throw DeviceError(.unavailable, operation: "receive device events")
  }

  func watch(_ targets: [Question.Target]) throws(DeviceError) -> any MachineWatch {
    throw DeviceError(.unavailable, operation: "watch")
  }
}
