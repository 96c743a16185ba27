import DevicePermissions
import LegoKit

/// A camera that is asked for, held, and taken back.
struct HolderBlueprint: Blueprint {
  /// How it stands with the camera.
  enum Camera: Equatable, Sendable {
    case asked
    case held(CameraAccess.Kind, AccessMethod)
    case refused(String)
    case takenBack(AccessRevocation)
  }

  struct Design: Equatable, Sendable {
    var permissions = PermissionsBlueprint.Design()
    var camera = Camera.asked
  }

  enum Change: Equatable, Sendable, PayloadReadable {
    case permission(PermissionsBlueprint.Change)
    case became(Camera)

    var payload: Any? {
      switch self {
      case .permission(let change): change
      case .became: nil
      }
    }
  }

  func change(_ design: inout Design, on change: Change) {
    if case .became(let camera) = change { design.camera = camera }
  }
}

extension Feature where B == HolderBlueprint {
  /// The program, with the permissions plugged in.
  static var holder: Feature {
    Feature(HolderBlueprint(), adaptors: [HolderAdaptor()])
      .part(\.permissions, .case(HolderBlueprint.Change.permission), .permissions)
  }
}
