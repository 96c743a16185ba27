import LegoKit

// A nursery of plants in the words of the manual: a bed and an orchard as bricks, a watering service
// behind a contractor, and an adaptor that answers with futures.

enum Watering: Equatable, Sendable {
  case unknown, open, refused
}

struct BedBlueprint: Blueprint {
  static let brick = BedBlueprint()

  /// How many requests count.
  var limit = Int.max

  struct Design: Equatable, Sendable {
    var plant = ""
    var picture: [UInt8] = []
    var watering = Watering.unknown
    var requests = 0
  }

  enum Change: Equatable, Sendable {
    case plant(String)
    case requestStatus
    case requestAccess
    case watering(Watering)
    case ignored
  }

  func change(_ design: inout Design, on change: Change) {
    switch change {
    case .plant(let plant): design.plant = plant
    case .requestStatus, .ignored: break
    case .requestAccess: design.requests = min(design.requests + 1, limit)
    case .watering(let watering): design.watering = watering
    }
  }
}

extension Bricks {
  var bed: BedBlueprint {
    get { Self[BedBlueprint.Value.self] }
    set { Self[BedBlueprint.Value.self] = newValue }
  }
}

struct NurseryBlueprint: Blueprint {
  @Brick(\.bed) private var bed

  struct Design: Equatable, Sendable {
    var title = "Nursery"
    var bed = BedBlueprint.Design()
  }

  enum Change: Equatable, Sendable {
    case bed(BedBlueprint.Change)

    var bed: BedBlueprint.Change? {
      switch self {
      case .bed(let change): change
      }
    }
  }

  func change(_ design: inout Design, on change: Change) {
    switch change {
    case .bed(let bedChange): bed.change(&design.bed, on: bedChange)
    }
  }
}

struct WateringService: Service {
  static let contractor = WateringService()
  static let testContractor: WateringService? = WateringService()
  var answer = Watering.open

  func status() -> Watering { .unknown }

  func requestAccess() async -> Watering {
    await withCheckedContinuation { continuation in
      Self.ask(answer) { continuation.resume(returning: $0) }
    }
  }

  private static func ask(_ answer: Watering, completion: @escaping (Watering) -> Void) {
    completion(answer)
  }
}

extension Contractors {
  var watering: WateringService {
    get { Self[WateringService.Value.self] }
    set { Self[WateringService.Value.self] = newValue }
  }
}

final class WateringAdaptor: Adaptor<BedBlueprint> {
  @Contractor(\.watering) private var service: WateringService

  override func connect(
    _ design: BedBlueprint.Design, on change: BedBlueprint.Change
  ) -> AnyPublisher<BedBlueprint.Change, Never> {
    Future<BedBlueprint.Change, Never> { promise in
      switch change {
      case .requestStatus: promise(.success(.watering(self.service.status())))
      case .requestAccess:
        Task { [service = self.service] in
          promise(.success(.watering(await service.requestAccess())))
        }
      default: break
      }
    }
    .eraseToAnyPublisher()
  }
}

extension BedBlueprint {
  static func lego(_ adaptors: sending [Adaptor<BedBlueprint>] = []) -> Lego<BedBlueprint> {
    .init(.init(), blueprint: BedBlueprint(), adaptors: adaptors)
  }
}
