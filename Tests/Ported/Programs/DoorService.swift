import Dispatch
import LegoKit

// A service that wraps an interface with completions, and an adaptor that asks it.

enum DoorStatus: Equatable {
  case notDetermined
  case open
  case shut
}

/// The interface: it answers on a thread of its own.
enum DoorLock {
  static func requestAccess(
    for door: String, completionHandler: @escaping @Sendable (_ granted: Bool) -> Void
  ) {
    DispatchQueue.global().async { completionHandler(door == "front") }
  }
}

struct DoorService: Service {
  #if swift(>=6)
    static let contractor: DoorService = DoorService()
  #else
    static var contractor: DoorService = DoorService()
  #endif

  func requestStatus() -> (front: DoorStatus, back: DoorStatus) {
    (front: .notDetermined, back: .shut)
  }

  func requestAccess(for door: String) async -> DoorStatus {
    return await withCheckedContinuation { continuation in
      self.requestLock(
        door,
        completion: { status in
          continuation.resume(returning: status)
        })
    }
  }

  #if swift(>=6)
    private func requestLock(
      _ door: String, completion: @escaping @Sendable (DoorStatus) -> Void
    ) {
      DoorLock.requestAccess(for: door) { granted in
        completion(granted ? .open : .shut)
      }
    }
  #else
    private func requestLock(_ door: String, completion: @escaping (DoorStatus) -> Void) {
      DoorLock.requestAccess(for: door) { granted in
        completion(granted ? .open : .shut)
      }
    }
  #endif
}

extension Contractors {
  var doors: DoorService {
    get { Self[DoorService.Value.self] }
    set { Self[DoorService.Value.self] = newValue }
  }
}

struct DoorBlueprint: Blueprint {
  struct Design: Equatable {
    var front = DoorStatus.notDetermined
    var back = DoorStatus.notDetermined
  }

  enum Change: Equatable {
    case requestStatus
    case status(front: DoorStatus, back: DoorStatus)
    case requestFrontAccess
    case frontAccess(DoorStatus)
  }

  func change(_ design: inout Design, on change: Change) {
    switch change {
    case .status(let front, let back):
      design.front = front
      design.back = back
    case .frontAccess(let status):
      design.front = status
    default:
      break
    }
  }
}

class DoorAdaptor: Adaptor<DoorBlueprint> {
  @Contractor(\.doors) private var doorService: DoorService

  override func connect(
    _ design: DoorBlueprint.Design, on change: DoorBlueprint.Change
  ) -> AnyPublisher<DoorBlueprint.Change, Never> {
    return Future<DoorBlueprint.Change, Never> { [doorService] promise in
      switch change {
      case .requestStatus:
        let (front, back) = doorService.requestStatus()
        promise(.success(.status(front: front, back: back)))

      case .requestFrontAccess:
        Task {
          let front = await doorService.requestAccess(for: "front")
          promise(.success(.frontAccess(front)))
        }

      default:
        break
      }
    }
    .eraseToAnyPublisher()
  }
}
