import AccessModel
import DeviceWatching
import LinuxDevices

/// A machine on which every observation fails.
struct BrokenMachine: Machine {
  var error: DeviceError

  func devices(of kind: DeviceKind) throws(DeviceError) -> [DeviceFacts] { throw error }
  func facts(for question: Question) throws(DeviceError) -> AccessFacts { throw error }
  func open(
    _ path: String, for permissions: Permissions
  ) async throws(DeviceError) -> DeviceDescriptor { throw error }
  func probe(_ node: String, askedAs path: String, for permissions: Permissions) -> DeviceProbe {
    DeviceProbe()
  }
  func events() throws(DeviceError) -> AsyncStream<DeviceEvent> { throw error }
}
