import LegoKit

// An adaptor that answers with a future, from a program that was written for Combine.

enum CameraStatus: Equatable {
  case unknown
  case allowed
  case refused
}

struct PermissionsClient: Service {
  static let contractor = PermissionsClient(status: { .unknown }, request: { .refused })

  var status: @Sendable () -> CameraStatus
  var request: @Sendable () async -> CameraStatus
}

extension Contractors {
  var permissionsClient: PermissionsClient {
    get { Self[PermissionsClient.Value.self] }
    set { Self[PermissionsClient.Value.self] = newValue }
  }
}

struct CameraBlueprint: Blueprint {
  struct Design: Equatable {
    var status = CameraStatus.unknown
    var asked = 0
  }

  enum Change: Equatable {
    case readStatus
    case requestAccess
    case status(CameraStatus)
  }

  func change(_ design: inout Design, on change: Change) {
    switch change {
    case .readStatus: break
    case .requestAccess: design.asked += 1
    case .status(let status): design.status = status
    }
  }
}

final class CameraAdaptor: Adaptor<CameraBlueprint> {
  @Contractor(\.permissionsClient) private var client: PermissionsClient

  override func connect(
    _ design: CameraBlueprint.Design, on change: CameraBlueprint.Change
  ) -> AnyPublisher<CameraBlueprint.Change, Never> {
    Future<CameraBlueprint.Change, Never> { promise in
      switch change {
      case .readStatus:
        promise(.success(.status(self.client.status())))
      case .requestAccess:
        #if swift(>=6)
          Task { [client] in
            let status = await client.request()
            promise(.success(.status(status)))
          }
        #else
          Task {
            let status = await self.client.request()
            promise(.success(.status(status)))
          }
        #endif
      default:
        break
      }
    }
    .eraseToAnyPublisher()
  }
}
