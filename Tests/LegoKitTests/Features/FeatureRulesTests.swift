import LegoKit
import Testing

@Suite struct `A change of a part` {
  private static let rooms = House.Design(
    rooms: [.init(id: 1, lamps: [.init(id: 7)]), .init(id: 2, lamps: [.init(id: 7)])],
    cellars: ["wine": .init(id: 3)])

  @Test func `reaches the element with its id, at every level`() {
    let lego = Lego(Self.rooms, feature: House.feature())
    lego.build(.room(2, .lamp(7, .shine(3))))
    lego.build(.cellar("wine", .name("Wine")))
    lego.build(.porch(.shine(1)))
    #expect(lego.design.rooms[0].lamps[0].level == 0)
    #expect(lego.design.rooms[1].lamps[0].level == 3)
    #expect(lego.design.cellars["wine"]?.name == "Wine")
    #expect(lego.design.porch.level == 1)
  }

  @Test func `is applied by the part first and then by what is around it`() {
    let lego = Lego(Self.rooms, feature: House.feature())
    lego.build(.room(1, .name("Kitchen")))
    lego.build(.room(2, .lamp(7, .off)))
    #expect(lego.design.seen == ["Kitchen"])
    #expect(lego.design.rooms[1].changes == 1)
    lego.build(.room(1, .name("gone")))
    #expect(lego.design.seen == ["Kitchen", "gone"])
    #expect(lego.design.rooms.map(\.id) == [2])
  }

  @Test func `reaches what an optional and a case of an enum hold`() {
    var design = Self.rooms
    design.sheet = .init(id: 1)
    design.counter = .init()
    design.screen = .lamp(.init(id: 1))
    let lego = Lego(design, feature: House.feature())
    lego.build(.sheet(.shine(1)))
    lego.build(.screen(.shine(2)))
    lego.build(.counter(.add(3)))
    #expect(lego.design.sheet?.level == 1)
    #expect(lego.design.screen.lamp?.level == 2)
    #expect(lego.design.counter?.count == 3)
    lego.build(.sheet(.off))
    #expect(lego.design.sheet == nil)
  }

  @Test(arguments: [
    House.Change.room(9, .name("no")), .cellar("no", .search), .sheet(.off), .screen(.off),
    .counter(.add(1)), .room(1, .lamp(9, .off)),
  ])
  func `that is not there is reported and ignored`(change: House.Change) async {
    let problems = await problems {
      let lego = Lego(Self.rooms, feature: House.feature())
      var told = lego.changes.makeAsyncIterator()
      let build = lego.build(change)
      await build.finished()
      build.cancel()
      #expect(build.number == 0)
      #expect(lego.design == Self.rooms)
      // It is not delivered, and it has no number.
      #expect(lego.build(.porch(.off)).number == 1)
      #expect(await told.next() == .porch(.off))
    }
    #expect(problems.count == 1)
    #expect(problems.first?.contains("a part that does not exist") == true)
  }

  @Test func `reaches the first of two elements that have one id`() {
    let twins = House.Design(rooms: [.init(id: 1), .init(id: 1)])
    let lego = Lego(twins, feature: House.feature())
    lego.build(.room(1, .name("first")))
    #expect(lego.design.rooms.map(\.name) == ["first", ""])
  }

  @Test(arguments: 1...3 as ClosedRange<UInt64>)
  func `finds its element wherever it has moved to`(seed: UInt64) {
    let lego = Lego(.init(), feature: House.feature())
    var random = SeededNumbers(state: seed)
    var rooms = (0..<50).map { Room.Design(id: $0) }
    for round in 0..<500 {
      switch round % 5 {
      case 0: rooms.shuffle(using: &random)
      case 1: rooms.removeAll { $0.id == round % 50 }
      case 2: rooms.insert(.init(id: 1_000 + round), at: 0)
      default: break
      }
      guard let id = rooms.randomElement(using: &random)?.id else { continue }
      lego.build(.set(.init(rooms: rooms)))
      lego.build(.room(id, .name("\(round)")))
      for index in rooms.indices where rooms[index].id == id { rooms[index].name = "\(round)" }
      #expect(lego.design.rooms == rooms)
    }
  }

  @Test func `is replayed by the blueprint of the feature`() {
    let changes: [House.Change] = [
      .room(1, .name("Hall")), .room(9, .name("no")), .room(1, .lamp(7, .shine(2))),
    ]
    var replay = Replay(Self.rooms, blueprint: House.feature().blueprint, changes: changes)
    while replay.step() != nil {}
    #expect(replay.design.rooms[0].name == "Hall")
    #expect(replay.design.rooms[0].lamps[0].level == 2)
  }
}
