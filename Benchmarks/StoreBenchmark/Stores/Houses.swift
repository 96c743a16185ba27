import LegoKit

/// A lamp in a room.
struct LampRules: Blueprint {
  struct Design: Equatable, Sendable { var level = 0 }
  enum Change: Equatable, Sendable { case turn(Int) }

  func change(_ design: inout Design, on change: Change) {
    switch change {
    case .turn(let amount): design.level &+= amount
    }
  }
}

/// A room in a house.
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

/// A house with rooms and lamps, composed of features on three levels.
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

  /// The same house, with parts that are found by their cases instead of closures.
  static let foundByCase = Feature(HouseRules())
    .each(
      \.rooms, .case(Change.room),
      Feature(RoomRules()).part(\.lamp, .case(RoomRules.Change.lamp), Feature(LampRules())))

  /// The same house, with an endless effect in a lamp.
  ///
  /// After each change, the store must therefore check whether the lamp still exists.
  static let waiting = Feature(HouseRules())
    .each(
      \.rooms, .case(Change.room, \.room),
      Feature(RoomRules()).part(
        \.lamp, .case(RoomRules.Change.lamp, \.lamp),
        Feature(LampRules(), adaptors: [Waiting()])))

  /// The same house, with an adaptor on each level that answers nothing.
  static let answered = Feature(HouseRules(), adaptors: [Adaptor()])
    .each(
      \.rooms, .case(Change.room, \.room),
      Feature(RoomRules(), adaptors: [Adaptor()])
        .part(
          \.lamp, .case(RoomRules.Change.lamp, \.lamp),
          Feature(LampRules(), adaptors: [Adaptor()])))
}

/// Answers the change `turn(-1)` of a lamp with an endless effect.
private final class Waiting: Adaptor<LampRules> {
  private let silence = PassthroughSubject<LampRules.Change, Never>()

  override func effect(
    _ design: LampRules.Design, on change: LampRules.Change
  ) -> Effect<LampRules.Change> {
    change == .turn(-1) ? .publisher(silence) : .none
  }
}

/// The same house as a single blueprint, without features.
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
