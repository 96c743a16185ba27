internal import AccessModel
internal import DevicePermissions
internal import LinuxDevices

/// A machine that answers every question with the same recorded facts.
struct RecordedFactsMachine: Machine {
  let facts: AccessFacts

  func devices(of kind: DeviceKind) throws(DeviceError) -> [DeviceFacts] {
    facts.devices.filter { $0.subsystem == kind.subsystem }
  }

  func facts(for question: Question) throws(DeviceError) -> AccessFacts { facts }

  func open(
    _ path: String, for permissions: Permissions
  ) async throws(DeviceError) -> DeviceDescriptor {
    throw DeviceError(.unavailable, operation: "open", path: path)
  }

  func probe(_ node: String, askedAs path: String, for permissions: Permissions) -> DeviceProbe {
    DeviceProbe()
  }

  func events() throws(DeviceError) -> AsyncStream<DeviceEvent> {
    throw DeviceError(.unavailable, operation: "listen to events")
  }
}
