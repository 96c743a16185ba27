import AccessModel
import DevicePermissionsTesting
import DeviceWatching
import LinuxDevices
import Synchronization

/// A portal that does not exist, and counts how often its status is requested.
final class CountingPortal: CameraPortal {
  private let asked = Atomic(0)

  var count: Int { asked.load(ordering: .relaxed) }

  func status(of application: String?) -> PortalStatus {
    asked.add(1, ordering: .relaxed)
    return PortalStatus()
  }

  func request(_ request: PortalRequest) async -> PortalReply {
    PortalReply(.absent("there is none"))
  }

  func permissions(of application: String) -> AsyncStream<PortalPermission> {
    AsyncStream { $0.finish() }
  }

  func store(_ answer: PortalStoredAnswer?, for application: String) async throws(DeviceError) {
    throw DeviceError(.unavailable, operation: "store an answer")
  }
}

/// A machine with another portal.
struct MachineWithPortal: MachineWrapper {
  let wrapped: any Machine
  let cameraPortal: (any CameraPortal)?
}
