import LegoKit
import Testing

/// A whole that is composed by hand, of bricks.
private struct Hotel: Blueprint {
  struct Design: Equatable, Sendable {
    var counter = Counter.Design()
    var rooms: [Room.Design] = []
    var sheet: Lamp.Design?
  }

  enum Change: Equatable, Sendable {
    case counter(Counter.Change)
    case room(Int, Room.Change)
    case sheet(Lamp.Change)
    case empty

    var counter: Counter.Change? { if case .counter(let change) = self { change } else { nil } }
    var room: (Int, Room.Change)? {
      if case .room(let id, let change) = self { (id, change) } else { nil }
    }
    var sheet: Lamp.Change? { if case .sheet(let change) = self { change } else { nil } }
  }

  func change(_ design: inout Design, on change: Change) {
    switch change {
    case .counter(let change): Counter().change(&design.counter, on: change)
    case .room(let id, let change):
      if let index = design.rooms.firstIndex(where: { $0.id == id }) {
        Room().change(&design.rooms[index], on: change)
      }
    case .sheet(let change):
      design.sheet = design.sheet.map { lamp in
        var lamp = lamp
        Lamp().change(&lamp, on: change)
        return lamp
      }
    case .empty: design = .init()
    }
  }
}

extension CasePath<Hotel.Change, Counter.Change> {
  fileprivate static var counter: Self { .case(Hotel.Change.counter, \.counter) }
}

@Suite struct `An adaptor of a part` {
  @Test func `answers with publishers and with effects, in a whole composed by hand`() async {
    let answers = Answers { _, change in
      change == .label("both") ? Just(.add(1)).eraseToAnyPublisher() : .empty
    }
    let effects = Effects { _, change in
      change == .label("both") ? .run { send in send(.add(10)) } : .none
    }
    let lego = Lego(
      .init(), blueprint: Hotel(),
      adaptors: [answers.part(\.counter, .counter), effects.part(\.counter, .counter)])
    await lego.build(.counter(.label("both"))).finished()
    #expect(lego.design.counter.count == 11)
  }

  @Test func `sees the design of its part`() {
    let seen = Collected<Int>()
    let effects = Effects { design, _ in
      seen.append(design.count)
      return .none
    }
    let lego = Lego(.init(), blueprint: Hotel(), adaptors: [effects.part(\.counter, .counter)])
    lego.build(.counter(.add(4)))
    lego.build(.empty)
    #expect(seen.values == [4])
  }

  @Test func `ends its effects with the elements and the optional it works for`() {
    let gate = Gate()
    let search = Answering<Room> { _, _ in
      .run { _ in await gate.pass() }.id("x", policy: .runNewest())
    }
    let light = Answering<Lamp> { _, _ in .run { _ in await gate.pass() } }
    let lego = Lego(
      Hotel.Design(rooms: [.init(id: 1), .init(id: 2)], sheet: .init(id: 1)), blueprint: Hotel(),
      adaptors: [
        search.each(\.rooms, .case(Hotel.Change.room, \.room)),
        light.optional(\.sheet, .case(Hotel.Change.sheet, \.sheet)),
      ])
    lego.build(.room(1, .search))
    lego.build(.room(2, .search))
    lego.build(.room(9, .search))
    lego.build(.sheet(.light))
    #expect(lego.effectCount == 3)
    lego.build(.empty)
    #expect(lego.effectCount == 0)
    gate.open()
  }

  @Test func `cancels its own ids and nobody else's`() async {
    func work() -> Effects {
      Effects { _, change in
        switch change {
        case .label("go"): .run { _ in try? await Task.sleep(for: .seconds(3_600)) }.id("work")
        case .label("stop"): .cancel(id: "work")
        default: .none
        }
      }
    }
    let whole = Answering<Hotel> { _, change in
      change == .counter(.label("go"))
        ? .run { _ in try? await Task.sleep(for: .seconds(3_600)) }.id("work") : .none
    }
    let lego = Lego(
      .init(), blueprint: Hotel(), adaptors: [work().part(\.counter, .counter), whole])
    lego.build(.counter(.label("go")))
    #expect(lego.effectCount == 2)
    lego.build(.counter(.label("stop")))
    #expect(lego.effectCount == 1)
    lego.cancel(id: "work")
    #expect(lego.effectCount == 0)
  }
}
