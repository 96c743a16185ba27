public import LegoKit

// The permissions example of LegoKit's own manual. Beside the stand-ins for the types of Apple's
// frameworks, only what Swift 6 forbids was changed: `static var` became `static let`, the types
// say `Sendable`, and the task captures the service instead of the adaptor.

// MARK: - Stand-ins

public enum PermissionStatus: Equatable, Sendable {
  case authorized, denied, restricted, limited, notDetermined
}

// MARK: - Service

public struct PermissionsService: Service {
  public static let contractor: PermissionsService = PermissionsService()

  var camera: PermissionStatus = .authorized
  var album: PermissionStatus = .limited

  public func requestStatus() -> (camera: PermissionStatus, album: PermissionStatus) {
    (camera: camera, album: album)
  }

  public func requestCameraAccess() async -> PermissionStatus {
    await withCheckedContinuation { continuation in
      self.requestCaptureAccess(completion: { status in
        continuation.resume(returning: status)
      })
    }
  }

  private func requestCaptureAccess(completion: @escaping (PermissionStatus) -> Void) {
    completion(camera)
  }
}

// MARK: - Contractor

extension Contractors {
  public var permissions: PermissionsService {
    get { Self[PermissionsService.Value.self] }
    set { Self[PermissionsService.Value.self] = newValue }
  }
}

// MARK: - Blueprints

public struct PermissionsBlueprint: Blueprint {
  public static let brick: PermissionsBlueprint = PermissionsBlueprint()

  public struct Design: Equatable, Sendable {
    var camera: PermissionStatus = .notDetermined
    var album: PermissionStatus = .notDetermined
    var cameraRequests = 0
  }

  public enum Change: Equatable, Sendable {
    case requestPermissionStatus
    case permissionStatus(camera: PermissionStatus, album: PermissionStatus)
    case requestCameraAccess
    case cameraAccess(PermissionStatus)
  }

  public func change(_ design: inout Design, on change: Change) {
    switch change {
    case .requestPermissionStatus:
      break

    case .permissionStatus(let camera, let album):
      design.camera = camera
      design.album = album

    case .requestCameraAccess:
      design.cameraRequests += 1

    case .cameraAccess(let camera):
      design.camera = camera
    }
  }
}

extension Bricks {
  public var permissions: PermissionsBlueprint {
    get { Self[PermissionsBlueprint.Value.self] }
    set { Self[PermissionsBlueprint.Value.self] = newValue }
  }
}

public struct HouseBlueprint: Blueprint {
  public static let brick: HouseBlueprint = HouseBlueprint()

  public struct Design: Equatable, Sendable {
    var name: String = ""
    var address: String = ""
    var city: String = ""
    var state: String = ""
    var zipcode: String = ""
    var submissions = 0
  }

  public enum Change: Equatable, Sendable {
    case name(String)
    case address(String)
    case city(String)
    case state(String)
    case zipcode(String)
    case onSubmit
  }

  public func change(_ design: inout Design, on change: Change) {
    switch change {
    case .name(let text):
      design.name = text

    case .address(let text):
      design.address = text

    case .city(let text):
      design.city = text

    case .state(let text):
      design.state = text

    case .zipcode(let text):
      design.zipcode = text

    case .onSubmit:
      design.submissions += 1
    }
  }
}

extension Bricks {
  public var house: HouseBlueprint {
    get { Self[HouseBlueprint.Value.self] }
    set { Self[HouseBlueprint.Value.self] = newValue }
  }
}

public struct AppBlueprint: Blueprint {
  // MARK: - Bricks

  @Brick(\.house) private var house
  @Brick(\.permissions) private var permissions

  // MARK: - Design

  public struct Design: Equatable, Sendable {
    var title: String = "Lego Kit Demo!"
    var house: HouseBlueprint.Design = HouseBlueprint.Design()
    var permission: PermissionsBlueprint.Design = PermissionsBlueprint.Design()
  }

  // MARK: - Change

  public enum Change: Equatable, Sendable {
    case house(HouseBlueprint.Change)
    case permission(PermissionsBlueprint.Change)
  }

  // MARK: - Perform Changes On Design

  public func change(_ design: inout Design, on change: Change) {
    switch change {
    case .house(let houseChange):
      house.change(&design.house, on: houseChange)

    case .permission(let permissionsChange):
      permissions.change(&design.permission, on: permissionsChange)
    }
  }
}

// MARK: - Adaptor

public class PermissionsAdaptor: Adaptor<AppBlueprint> {
  // MARK: - Contractors

  @Contractor(\.permissions) private var permissionsService: PermissionsService

  // MARK: - Connector

  public override func connect(
    _ design: AppBlueprint.Design, on change: AppBlueprint.Change
  ) -> AnyPublisher<AppBlueprint.Change, Never> {
    return Future<AppBlueprint.Change, Never> { promise in
      switch change {
      case .permission(let permissionsChange):
        switch permissionsChange {
        case .requestPermissionStatus:
          let (camera, album) = self.permissionsService.requestStatus()
          promise(.success(.permission(.permissionStatus(camera: camera, album: album))))

        case .requestCameraAccess:
          Task { [permissionsService] in
            let camera = await permissionsService.requestCameraAccess()
            promise(.success(.permission(.cameraAccess(camera))))
          }

        default:
          break
        }

      default:
        break
      }
    }
    .eraseToAnyPublisher()
  }
}
