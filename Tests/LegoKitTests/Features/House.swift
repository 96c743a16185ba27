import LegoKit

// A house of three levels: a house has rooms and a sheet, and a room has lamps.

/// A lamp: it asks a gate, by an effect with the id "light", before it shines.
struct Lamp: Blueprint {
  struct Design: Equatable, Sendable, Identifiable {
    var id: Int
    var level = 0
    var requests = 0
  }

  enum Change: Equatable, Sendable {
    case light
    case shine(Int)
    case off
    case flicker
  }

  func change(_ design: inout Design, on change: Change) {
    switch change {
    case .light: design.requests += 1
    case .shine(let level): design.level = level
    case .off: design.level = 0
    case .flicker: break
    }
  }
}

/// A room, which counts the changes of its lamps.
struct Room: Blueprint {
  struct Design: Equatable, Sendable, Identifiable {
    var id: Int
    var name = ""
    var lamps: [Lamp.Design] = []
    var changes = 0
  }

  enum Change: Equatable, Sendable, PayloadReadable {
    case name(String)
    case search
    case lamp(Int, Lamp.Change)
    case removeLamp(Int)

    var payload: Any? {
      switch self {
      case .name(let name): name
      case .search: nil
      case .lamp(let id, let change): (id, change)
      case .removeLamp(let id): id
      }
    }
  }

  func change(_ design: inout Design, on change: Change) {
    switch change {
    case .name(let name): design.name = name
    case .search: break
    case .lamp: design.changes += 1
    case .removeLamp(let id): design.lamps.removeAll { $0.id == id }
    }
  }
}

/// A house, whose rooms come and go.
struct House: Blueprint {
  enum Screen: Equatable, Sendable, PayloadReadable {
    case none
    case lamp(Lamp.Design)

    var lamp: Lamp.Design? { if case .lamp(let lamp) = self { lamp } else { nil } }
    var payload: Any? { lamp }
  }

  struct Design: Equatable, Sendable {
    var rooms: [Room.Design] = []
    var cellars: [String: Room.Design] = [:]
    var sheet: Lamp.Design?
    var counter: Counter.Design?
    var screen = Screen.none
    var porch = Lamp.Design(id: 0)
    var seen: [String] = []
  }

  enum Change: Equatable, Sendable, PayloadReadable {
    case room(Int, Room.Change)
    case cellar(String, Room.Change)
    case sheet(Lamp.Change)
    case counter(Counter.Change)
    case screen(Lamp.Change)
    case porch(Lamp.Change)
    case set(Design)
    case cancel(Int)

    var payload: Any? {
      switch self {
      case .room(let id, let change): (id, change)
      case .cellar(let id, let change): (id, change)
      case .sheet(let change): change
      case .counter(let change): change
      case .screen(let change): change
      case .porch(let change): change
      case .set(let design): design
      case .cancel(let id): id
      }
    }
  }

  func change(_ design: inout Design, on change: Change) {
    switch change {
    // The whole finds the part as the change left it, and may close it.
    case .room(let id, .name(let name)):
      design.seen.append(design.rooms.first { $0.id == id }?.name ?? "none")
      if name == "gone" { design.rooms.removeAll { $0.id == id } }
    case .sheet(.off): design.sheet = nil
    case .room, .cellar, .sheet, .counter, .screen, .porch, .cancel: break
    case .set(let new): design = new
    }
  }

  /// The house, with what its lamps and rooms do beside their changes.
  static func feature(
    lamp: @escaping @Sendable (Lamp.Design, Lamp.Change) -> Effect<Lamp.Change> = { _, _ in .none },
    room: @escaping @Sendable (Room.Design, Room.Change) -> Effect<Room.Change> = { _, _ in .none },
    house: @escaping @Sendable (Design, Change) -> Effect<Change> = { _, _ in .none }
  ) -> Feature<House> {
    let lamp = Feature(Lamp(), adaptors: [Answering(lamp)])
    let room = Feature(Room(), adaptors: [Answering(room)])
      .each(\.lamps, .case(Room.Change.lamp), lamp)
    return Feature(House(), adaptors: [Answering(house)])
      .each(\.rooms, .case(Change.room), room)
      .each(\.cellars, .case(Change.cellar), room)
      .optional(\.sheet, .case(Change.sheet), lamp)
      .optional(\.counter, .case(Change.counter), Feature(Counter()))
      .optional(\.screen, case: .case(Screen.lamp), .case(Change.screen), lamp)
      .part(\.porch, .case(Change.porch), lamp)
  }
}

/// An adaptor made of a closure that answers with effects.
final class Answering<B: Blueprint>: Adaptor<B> {
  private let answer: @Sendable (B.Design, B.Change) -> Effect<B.Change>

  init(_ answer: @escaping @Sendable (B.Design, B.Change) -> Effect<B.Change>) {
    self.answer = answer
  }

  override func effect(_ design: B.Design, on change: B.Change) -> Effect<B.Change> {
    answer(design, change)
  }
}

/// The problems that are reported within.
func problems(_ body: @Sendable () async -> Void) async -> [String] {
  let problems = Collected<String>()
  await withContractors {
    $0.problemSink = LogSink { problems.append($0) }
  } operation: {
    await body()
  }
  return problems.values
}
