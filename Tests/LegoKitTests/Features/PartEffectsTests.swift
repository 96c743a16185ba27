import LegoKit
import Testing

@Suite struct `The effects of a part` {
  private static let rooms = House.Design(
    rooms: [.init(id: 1, lamps: [.init(id: 7)]), .init(id: 2, lamps: [.init(id: 7)])],
    cellars: ["wine": .init(id: 3)], sheet: .init(id: 5), counter: .init(),
    screen: .lamp(.init(id: 6)))

  /// A house whose lamps light up, and whose rooms search, once a gate is open.
  private static func house(_ gate: Gate, _ design: House.Design = rooms) -> Lego<House> {
    let feature = House.feature(
      lamp: { lamp, change in
        guard change == .light else { return .none }
        return .run { send in
          await gate.pass()
          send(.shine(lamp.id))
        }.id("light")
      },
      room: { _, change in
        switch change {
        case .search:
          .run { send in
            await gate.pass()
            send(.name("found"))
          }.id("search", policy: .runNewest())
        case .name("stop"): .cancel(id: "search")
        default: .none
        }
      },
      house: { _, change in
        switch change {
        case .cancel(0): .cancel(part: \House.Design.rooms)
        case .cancel(let id): .cancel(part: \House.Design.rooms, id: id)
        default: .none
        }
      })
    return Lego(design, feature: feature)
  }

  private static let lights: [House.Change] = [
    .room(1, .lamp(7, .light)), .room(1, .search), .cellar("wine", .search), .sheet(.light),
    .screen(.light), .porch(.light),
  ]

  @Test func `send changes of the part`() async {
    let gate = Gate()
    let lego = Self.house(gate)
    let builds = Self.lights.map { lego.build($0) }
    gate.open()
    for build in builds { await build.finished() }
    #expect(lego.design.rooms[0].lamps[0].level == 7)
    #expect(lego.design.rooms[0].name == "found")
    #expect(lego.design.cellars["wine"]?.name == "found")
    #expect(lego.design.sheet?.level == 5)
    #expect(lego.design.screen.lamp?.level == 6)
    #expect(lego.effectCount == 0)
  }

  @Test func `end in the step in which the part goes, and what they send is dropped`() async {
    let gate = Gate()
    let problems = await problems {
      let lego = Self.house(gate)
      let builds = Self.lights.map { lego.build($0) }
      #expect(lego.effectCount == 6)
      await gate.waitForArrivals(6)
      // The lamp goes by a change of its room, the room by a change of the house.
      lego.build(.room(1, .removeLamp(7)))
      #expect(lego.effectCount == 5)
      lego.build(.room(1, .name("gone")))
      #expect(lego.effectCount == 4)
      lego.build(.sheet(.off))
      #expect(lego.effectCount == 3)
      let empty = House.Design()
      lego.build(.set(empty))
      #expect(lego.effectCount == 1)
      lego.build(.set(Self.rooms))
      gate.open()
      for build in builds { await build.finished() }
      // All of the same ids are there again, and get nothing of the earlier ones.
      #expect(lego.design == Self.rooms)
      #expect(lego.effectCount == 0)
    }
    #expect(problems == [])
  }

  @Test func `of all levels end with the outermost`() async {
    let gate = Gate()
    let lego = Self.house(gate)
    lego.build(.room(1, .lamp(7, .light)))
    let other = lego.build(.room(2, .lamp(7, .light)))
    lego.build(.room(1, .name("gone")))
    #expect(lego.effectCount == 1)
    gate.open()
    await other.finished()
    #expect(lego.design.rooms.map(\.lamps[0].level) == [7])
  }

  @Test func `end when one with another id takes the place`() async {
    let gate = Gate()
    let lego = Self.house(gate)
    lego.build(.sheet(.light))
    lego.build(.screen(.light))
    var design = lego.design
    design.sheet = .init(id: 50)
    design.screen = .lamp(.init(id: 6, level: 1))
    lego.build(.set(design))
    #expect(lego.effectCount == 1)
    design.screen = .none
    lego.build(.set(design))
    #expect(lego.effectCount == 0)
    gate.open()
  }

  @Test func `that wait for room end too`() async {
    let gate = Gate()
    let feature = House.feature(room: { _, change in
      guard change == .search else { return .none }
      return .run { send in
        await gate.pass()
        send(.name("found"))
      }
      .id("search", policy: .runOldest(.suspend))
    })
    let lego = Lego(Self.rooms, feature: feature)
    let builds = (0..<5).map { _ in lego.build(.room(1, .search)) }
    let other = lego.build(.room(2, .search))
    #expect(lego.effectCount == 2)
    lego.build(.room(1, .name("gone")))
    #expect(lego.effectCount == 1)
    for build in builds { await build.finished() }
    gate.open()
    await other.finished()
    #expect(lego.design.rooms.map(\.name) == ["found"])
  }

  @Test func `end with the part after the pause of their throttle, too`() async {
    let (gate, clock) = (Gate(), TestClock())
    await withContractors {
      $0.clock = clock
    } operation: {
      let feature = House.feature(room: { _, change in
        guard change == .search else { return .none }
        return .concatenate(
          .run { _ in await gate.pass() },
          .send(.name("found"))
        ).throttle(id: "search", for: .seconds(1))
      })
      let lego = Lego(Self.rooms, feature: feature)
      let builds = [lego.build(.room(1, .search)), lego.build(.room(2, .search))]
      await clock.waitForSleepers(2)
      await clock.advance(by: .seconds(1))
      while lego.effectCount > 2 { await Task.yield() }
      lego.build(.room(1, .name("gone")))
      #expect(lego.effectCount == 1)
      gate.open()
      for build in builds { await build.finished() }
      #expect(lego.design.rooms.map(\.name) == ["found"])
    }
  }

  @Test func `that follow one another end between two of them`() async {
    let (first, second) = (Gate(), Gate())
    let feature = House.feature(room: { _, change in
      guard change == .search else { return .none }
      return .concatenate(
        .run { _ in await first.pass() },
        .run { send in
          await second.pass()
          send(.name("late"))
        })
    })
    let lego = Lego(Self.rooms, feature: feature)
    let build = lego.build(.room(1, .search))
    await first.waitForArrivals()
    lego.build(.room(1, .name("gone")))
    first.open()
    second.open()
    await build.finished()
    #expect(lego.effectCount == 0)
    #expect(lego.design.rooms.map(\.id) == [2])
  }

  @Test func `have ids of their own`() async {
    let gate = Gate()
    let lego = Self.house(gate)
    lego.build(.room(1, .search))
    let other = lego.build(.room(2, .search))
    #expect(lego.effectCount == 2)
    lego.build(.room(1, .name("stop")))
    #expect(lego.effectCount == 1)
    // The whole's ids are others.
    lego.cancel(id: "search")
    gate.open()
    await other.finished()
    #expect(lego.design.rooms.map(\.name) == ["stop", "found"])
  }

  @Test func `are cancelled by what is around them`() {
    let gate = Gate()
    let lego = Self.house(gate)
    for change in Self.lights { lego.build(change) }
    lego.build(.room(2, .search))
    #expect(lego.effectCount == 7)
    lego.build(.cancel(1))
    #expect(lego.effectCount == 5)
    lego.build(.cancel(0))
    #expect(lego.effectCount == 4)
    lego.cancel(part: \.porch)
    lego.cancel(part: \.cellars, id: "none")
    lego.cancel(part: \.cellars, id: "wine")
    #expect(lego.effectCount == 2)
    gate.open()
  }

  @Test func `are cancelled by the build that caused them`() async {
    let gate = Gate()
    let lego = Self.house(gate)
    let builds = Self.lights.map { lego.build($0) }
    for build in builds { build.cancel() }
    #expect(lego.effectCount == 0)
    for build in builds { await build.finished() }
    #expect(lego.design.sheet == Lamp.Design(id: 5, requests: 1))
    gate.open()
  }

  @Test func `that answer at once go on until the part goes`() async {
    // Each change of the lamp answers with the next; the third one closes it.
    let feature = House.feature(lamp: { lamp, change in
      switch change {
      case .light: .send(.shine(1))
      case .shine(let level):
        level < 3 ? .send(.shine(level + 1)) : .merge(.send(.off), .send(.light))
      case .off, .flicker: .none
      }
    })
    let problems = await problems {
      let lego = Lego(Self.rooms, feature: feature)
      await lego.build(.sheet(.light)).finished()
      #expect(lego.design.sheet == nil)
      #expect(lego.effectCount == 0)
    }
    // What it sends after its own end is not a mistake of anybody.
    #expect(problems == [])
  }

  @Test func `do not start in another part that took its place meanwhile`() async {
    let started = Collected<Int>()
    let feature = House.feature(lamp: { lamp, change in
      guard change == .light else { return .none }
      return .merge(.send(.shine(9)), .run { _ in started.append(lamp.level) })
    })
    let lego = Lego(House.Design(sheet: .init(id: 1, level: 1)), feature: feature)
    // The observer is told of the change before the adaptors are.
    let token = lego.onDesignChange { design in
      guard design.sheet?.requests == 1 else { return }
      lego.build(.set(.init()))
      lego.build(.set(.init(sheet: .init(id: 1, level: 2))))
    }
    await lego.build(.sheet(.light)).finished()
    #expect(lego.design.sheet?.level == 2)
    #expect(started.values == [])
    token.cancel()
  }
}
