import AccessModel
import DevicePermissions
import LegoKit
import LinuxDevices

/// Stands for the machine of the current test, so that tests may run side by side.
struct TaskMachine: Machine {
  @TaskLocal static var current: (any Machine)?

  /// Puts it in the place of the running system, once for the whole process.
  static let installed: Bool = {
    var contractors = Contractors()
    contractors.devices = DeviceService(machine: TaskMachine())
    return true
  }()

  private var machine: any Machine { Self.current ?? LinuxMachine() }

  func devices(of kind: DeviceKind) throws(DeviceError) -> [DeviceFacts] {
    try machine.devices(of: kind)
  }

  func facts(for question: Question) throws(DeviceError) -> AccessFacts {
    try machine.facts(for: question)
  }

  func open(
    _ path: String, for permissions: Permissions
  ) async throws(DeviceError) -> DeviceDescriptor {
    try await machine.open(path, for: permissions)
  }

  func events() throws(DeviceError) -> AsyncStream<DeviceEvent> {
    try machine.events()
  }
}
