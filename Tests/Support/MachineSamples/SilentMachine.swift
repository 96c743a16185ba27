package import AccessModel
package import DevicePermissionsTesting
package import DeviceWatching
package import LinuxDevices

/// A machine without events.
package struct SilentMachine: MachineWrapper {
  package let wrapped: any Machine

  package init(_ machine: InMemoryMachine) { wrapped = machine }

  package func events() throws(DeviceError) -> AsyncStream<DeviceEvent> {
    throw DeviceError(.unavailable, operation: "receive device events")
  }

  package func watch(_ targets: [Question.Target]) throws(DeviceError) -> any MachineWatch {
    throw DeviceError(.unavailable, operation: "watch")
  }
}
