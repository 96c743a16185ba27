import LegoKit

/// A lamp, which is a part of a room.
struct LampRules: Blueprint {
  struct Design: Equatable, Sendable { var level = 0 }
  enum Change: Equatable, Sendable { case turn(Int) }

  func change(_ design: inout Design, on change: Change) {
    switch change {
    case .turn(let amount): design.level &+= amount
    }
  }
}

/// A room, one of those of a house.
struct RoomRules: Blueprint {
  struct Design: Equatable, Sendable, Identifiable {
    let id: Int
    var lamp = LampRules.Design()
    var changes = 0
  }

  enum Change: Equatable, Sendable, PayloadReadable {
    case lamp(LampRules.Change)

    var lamp: LampRules.Change? { if case .lamp(let change) = self { change } else { nil } }
    var payload: Any? {
      switch self {
      case .lamp(let change): change
      }
    }
  }

  func change(_ design: inout Design, on change: Change) {
    design.changes &+= 1
  }
}

/// A house of rooms with lamps: blueprints of three levels, plugged into one another.
struct HouseRules: Blueprint {
  struct Design: Equatable, Sendable {
    var rooms = (0..<8).map { RoomRules.Design(id: $0) }
    var changes = 0
  }

  enum Change: Equatable, Sendable, PayloadReadable {
    case room(Int, RoomRules.Change)

    var room: (Int, RoomRules.Change)? {
      if case .room(let id, let change) = self { (id, change) } else { nil }
    }
    var payload: Any? {
      switch self {
      case .room(let id, let change): (id, change)
      }
    }
  }

  func change(_ design: inout Design, on change: Change) {
    design.changes &+= 1
  }

  static let plain = Feature(HouseRules())
    .each(
      \.rooms, .case(Change.room, \.room),
      Feature(RoomRules()).part(
        \.lamp, .case(RoomRules.Change.lamp, \.lamp), Feature(LampRules())))

  /// The same, with parts that are found by their cases instead of closures.
  static let foundByCase = Feature(HouseRules())
    .each(
      \.rooms, .case(Change.room),
      Feature(RoomRules()).part(\.lamp, .case(RoomRules.Change.lamp), Feature(LampRules())))

  /// The same with an effect in a lamp that never ends, so that it is watched whether the room goes.
  static let waiting = Feature(HouseRules())
    .each(
      \.rooms, .case(Change.room, \.room),
      Feature(RoomRules()).part(
        \.lamp, .case(RoomRules.Change.lamp, \.lamp),
        Feature(LampRules(), adaptors: [Waiting()])))

  /// The same with adaptors that answer nothing, one on each level.
  static let answered = Feature(HouseRules(), adaptors: [Adaptor()])
    .each(
      \.rooms, .case(Change.room, \.room),
      Feature(RoomRules(), adaptors: [Adaptor()])
        .part(
          \.lamp, .case(RoomRules.Change.lamp, \.lamp),
          Feature(LampRules(), adaptors: [Adaptor()])))
}

/// Answers the first change of a lamp with an effect that never ends.
private final class Waiting: Adaptor<LampRules> {
  private let silence = PassthroughSubject<LampRules.Change, Never>()

  override func effect(
    _ design: LampRules.Design, on change: LampRules.Change
  ) -> Effect<LampRules.Change> {
    change == .turn(-1) ? .publisher(silence) : .none
  }
}

/// The same house by one blueprint, which does by hand what features do.
struct WholeHouseRules: Blueprint {
  typealias Design = HouseRules.Design
  typealias Change = HouseRules.Change

  func change(_ design: inout Design, on change: Change) {
    switch change {
    case .room(let id, .lamp(let change)):
      guard let index = design.rooms.firstIndex(where: { $0.id == id }) else { return }
      LampRules().change(&design.rooms[index].lamp, on: change)
      design.rooms[index].changes &+= 1
      design.changes &+= 1
    }
  }
}
