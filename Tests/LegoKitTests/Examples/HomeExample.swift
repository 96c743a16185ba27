public import LegoKit

// A program in the shape that LegoKit gives to programs: blueprints as bricks of another, a service
// behind a contractor, and an adaptor that answers with futures, at once or later.

/// What an answer about a permission can be.
public enum PermissionStatus: Equatable, Sendable {
  case authorized, denied, restricted, limited, notDetermined
}

// MARK: - The service

/// Asks a person who always gives the same answers.
public struct PermissionsService: Service {
  public static let contractor: PermissionsService = PermissionsService()

  var camera = PermissionStatus.authorized
  var album = PermissionStatus.limited

  public func requestStatus() -> (camera: PermissionStatus, album: PermissionStatus) {
    (camera, album)
  }

  public func requestCameraAccess() async -> PermissionStatus {
    await Task.yield()
    return camera
  }
}

extension Contractors {
  public var permissions: PermissionsService {
    get { Self[PermissionsService.Value.self] }
    set { Self[PermissionsService.Value.self] = newValue }
  }
}

// MARK: - The bricks

/// What is known of the permissions.
public struct PermissionsBlueprint: Blueprint {
  public static let brick = PermissionsBlueprint()

  public struct Design: Equatable, Sendable {
    var camera = PermissionStatus.notDetermined
    var album = PermissionStatus.notDetermined
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
    case .requestPermissionStatus: break
    case .permissionStatus(let camera, let album): (design.camera, design.album) = (camera, album)
    case .requestCameraAccess: design.cameraRequests += 1
    case .cameraAccess(let status): design.camera = status
    }
  }
}

/// A house on a form.
public struct HouseBlueprint: Blueprint {
  public static let brick = HouseBlueprint()

  public struct Design: Equatable, Sendable {
    var name = ""
    var address = ""
    var city = ""
    var submissions = 0
  }

  public enum Change: Equatable, Sendable {
    case name(String)
    case address(String)
    case city(String)
    case submit
  }

  public func change(_ design: inout Design, on change: Change) {
    switch change {
    case .name(let name): design.name = name
    case .address(let address): design.address = address
    case .city(let city): design.city = city
    case .submit: design.submissions += 1
    }
  }
}

extension Bricks {
  public var permissions: PermissionsBlueprint {
    get { Self[PermissionsBlueprint.Value.self] }
    set { Self[PermissionsBlueprint.Value.self] = newValue }
  }

  public var house: HouseBlueprint {
    get { Self[HouseBlueprint.Value.self] }
    set { Self[HouseBlueprint.Value.self] = newValue }
  }
}

// MARK: - The whole

/// A house, and whether its camera may be used.
public struct AppBlueprint: Blueprint {
  @Brick(\.house) private var house
  @Brick(\.permissions) private var permissions

  public struct Design: Equatable, Sendable {
    var title = "Home"
    var house = HouseBlueprint.Design()
    var permission = PermissionsBlueprint.Design()
  }

  public enum Change: Equatable, Sendable {
    case house(HouseBlueprint.Change)
    case permission(PermissionsBlueprint.Change)
  }

  public func change(_ design: inout Design, on change: Change) {
    switch change {
    case .house(let change): house.change(&design.house, on: change)
    case .permission(let change): permissions.change(&design.permission, on: change)
    }
  }
}

/// Asks the service what the blueprint wants to know.
public class PermissionsAdaptor: Adaptor<AppBlueprint> {
  @Contractor(\.permissions) private var service: PermissionsService

  public override func connect(
    _ design: AppBlueprint.Design, on change: AppBlueprint.Change
  ) -> AnyPublisher<AppBlueprint.Change, Never> {
    // A promise that nobody keeps ends its future, so that a change may go without an answer.
    Future { [service] promise in
      switch change {
      case .permission(.requestPermissionStatus):
        let (camera, album) = service.requestStatus()
        promise(.success(.permission(.permissionStatus(camera: camera, album: album))))
      case .permission(.requestCameraAccess):
        Task { promise(.success(.permission(.cameraAccess(await service.requestCameraAccess())))) }
      default:
        break
      }
    }
    .eraseToAnyPublisher()
  }
}
