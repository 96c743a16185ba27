import AccessModel
import DevicePermissionsTesting
import DeviceWatching
import LinuxDevices

/// A machine with a camera that can be requested, but whose driver fails.
struct UnopenableMachine: MachineWrapper {
  /// The status after a request, for each error number of open(2).
  static let outcomes: [(Errno, PermissionStatus)] = [
    (13, .denied), (1, .denied), (16, .authorized), (5, .authorized), (19, .absent), (6, .absent),
    (2, .absent), (24, .unknown), (12, .unknown), (4, .unknown), (38, .unknown),
  ]

  let errno: Errno
  let wrapped: any Machine = InMemoryMachine {
    $0.addUser("alice", id: 1000)
    $0.addCamera()
    $0.run(as: "alice", permitted: [.overrideFileAccess])
  }

  init(errno: Errno) {
    self.errno = errno
  }

  func open(
    _ path: String, for permissions: Permissions
  ) async throws(DeviceError) -> DeviceDescriptor {
    throw DeviceError(.refused, operation: "open", path: path, errno: errno)
  }

  func probe(_ node: String, askedAs path: String, for permissions: Permissions) -> DeviceProbe {
    DeviceProbe(attempt: Attempt(path: path, errno: errno))
  }
}
