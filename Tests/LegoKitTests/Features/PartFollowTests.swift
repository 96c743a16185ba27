import LegoKit
import Synchronization
import Testing

/// It keeps one effect running for each name that is not empty.
private final class Watch: Adaptor<Room> {
  let seen: Collected<String>
  init(_ seen: Collected<String>) { self.seen = seen }

  override var follows: [Follow<Room>] {
    [
      Follow(\.name) { [seen] name in
        if name.isEmpty { return .none }
        seen.append(name)
        return .run { send in
          try? await Task.sleep(for: .seconds(3_600))
          send(.name("late"))
        }
      },
      Follow(\.changes) { changes in changes == 3 ? .send(.name("three")) : .none },
    ]
  }
}

/// It notes each look at a lamp, and keeps an effect running for each.
private final class Looking: Adaptor<Lamp> {
  let seen: Collected<Int>
  init(_ seen: Collected<Int>) { self.seen = seen }

  override var follows: [Follow<Lamp>] {
    [
      Follow(\.seenLevel) { [seen] level in
        seen.append(level.number)
        return .publisher(PassthroughSubject<Lamp.Change, Never>())
      }
    ]
  }
}

/// A level that differs from every other, so that each look at it shows.
private struct SeenLevel: Equatable, Sendable {
  let number: Int
  static func == (left: SeenLevel, right: SeenLevel) -> Bool { false }
}

extension Lamp.Design {
  fileprivate var seenLevel: SeenLevel { SeenLevel(number: level) }
}

@Suite struct `A follow of a part` {
  private static func house(_ design: House.Design, _ seen: Collected<String>) -> Lego<House> {
    let room = Feature(Room(), adaptors: [Watch(seen)])
      .each(\.lamps, .case(Room.Change.lamp), Feature(Lamp()))
    let house = Feature(House())
      .each(\.rooms, .case(House.Change.room), room)
      .each(\.cellars, .case(House.Change.cellar), room)
    return Lego(design, feature: house)
  }

  @Test func `follows the part from the beginning or from when it comes`() {
    let seen = Collected<String>()
    let lego = Self.house(.init(rooms: [.init(id: 1, name: "Hall")]), seen)
    #expect(seen.values == ["Hall"])
    #expect(lego.effectCount == 1)
    lego.build(.set(.init(rooms: [.init(id: 1, name: "Hall"), .init(id: 2, name: "Bath")])))
    #expect(seen.values == ["Hall", "Bath"])
    #expect(lego.effectCount == 2)
  }

  @Test func `starts anew when its part of the part becomes another`() {
    let seen = Collected<String>()
    let lego = Self.house(
      .init(rooms: [.init(id: 1), .init(id: 2)], cellars: ["a": .init(id: 1)]), seen)
    lego.build(.room(1, .name("Hall")))
    lego.build(.cellar("a", .name("Wine")))
    lego.build(.room(1, .search))
    lego.build(.room(1, .name("Bath")))
    #expect(seen.values == ["Hall", "Wine", "Bath"])
    #expect(lego.effectCount == 2)
    lego.build(.room(1, .name("")))
    #expect(lego.effectCount == 1)
  }

  @Test func `ends with the part, and begins again with one of its id`() {
    let seen = Collected<String>()
    let hall = House.Design(rooms: [.init(id: 1, name: "Hall")])
    let lego = Self.house(hall, seen)
    lego.build(.set(.init()))
    #expect(lego.effectCount == 0)
    lego.build(.set(hall))
    #expect(lego.effectCount == 1)
    #expect(seen.values == ["Hall", "Hall"])
  }

  @Test func `is looked for in the part that changed alone, while none comes or goes`() {
    let seen = Collected<Int>()
    let lamp = Feature(Lamp(), adaptors: [Looking(seen)])
    let house = Feature(House()).each(
      \.rooms, .case(House.Change.room),
      Feature(Room()).each(\.lamps, .case(Room.Change.lamp), lamp))
    let lamps = (0..<100).map { Lamp.Design(id: $0) }
    let lego = Lego(.init(rooms: [.init(id: 1, lamps: lamps)]), feature: house)
    #expect(seen.values.count == 100)
    lego.build(.room(1, .lamp(7, .shine(3))))
    #expect(seen.values.suffix(1) == [3])
    #expect(seen.values.count == 101)
    // All are looked at when one comes, and none is taken for another.
    lego.build(
      .set(.init(rooms: [.init(id: 1, lamps: [.init(id: 100)] + lego.design.rooms[0].lamps)])))
    #expect(seen.values.count == 202)
    #expect(lego.effectCount == 101)
  }

  @Test func `may answer at once`() {
    let room = Room.Design(id: 1, lamps: [.init(id: 7)])
    let lego = Self.house(.init(rooms: [room]), Collected())
    for _ in 0..<3 { lego.build(.room(1, .lamp(7, .flicker))) }
    #expect(lego.design.rooms[0].name == "three")
  }
}

/// It notes by how much the count grew, and undoes what made it too great.
private final class Difference: ComparingAdaptor<Counter> {
  override func effect(
    from before: Counter.Design, to after: Counter.Design, on change: Counter.Change
  ) -> Effect<Counter.Change> {
    after.count > 10 && before.count <= 10 ? .send(.add(before.count - after.count)) : .none
  }
}

@Suite struct `An adaptor that compares` {
  @Test func `has the design before and after a change`() {
    let lego = Lego(.init(), blueprint: Counter(), adaptors: [Difference()])
    lego.build(.add(7))
    lego.build(.add(7))
    #expect(lego.design.count == 7)
  }

  @Test func `has that of its part`() {
    let house = Feature(House())
      .optional(
        \.counter, .case(House.Change.counter),
        Feature(Counter(), adaptors: [Difference()]))
    let lego = Lego(.init(counter: .init()), feature: house)
    lego.build(.counter(.add(7)))
    lego.build(.counter(.add(7)))
    #expect(lego.design.counter?.count == 7)
  }

  @Test func `answers as others do unless it says otherwise`() {
    final class Plain: ComparingAdaptor<Counter> {
      override func effect(
        _ design: Counter.Design, on change: Counter.Change
      ) -> Effect<Counter.Change> {
        change == .nothing ? .send(.add(1)) : .none
      }
    }
    let lego = Lego(.init(), blueprint: Counter(), adaptors: [Plain()])
    lego.build(.nothing)
    #expect(lego.design.count == 1)
  }
}
