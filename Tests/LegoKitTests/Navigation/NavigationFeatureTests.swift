import LegoKit
import Testing

@Suite struct `The screens of a feature` {
  private typealias Change = Page.Change

  /// A path of the pages 1, 2 and 3, of which page 1 has a page 5 above it, and 7 over it.
  private static let start = Page.Design(
    id: 0,
    path: [
      .init(id: 1, visit: 1, path: [.init(id: 5, visit: 5)], modals: [.init(id: 7, visit: 7)]),
      .init(id: 2, visit: 2), .init(id: 3, visit: 3),
    ],
    modals: [.init(id: 8, visit: 8), .init(id: 9, visit: 9)])

  private static func path(_ id: Int, _ change: Change) -> Change { .path(.screen(id, change)) }
  private static func modal(_ id: Int, _ change: Change) -> Change { .modals(.screen(id, change)) }

  @Test func `apply their changes, at every depth`() {
    let lego = Lego(Self.start, feature: Page.feature(PassthroughSubject()))
    lego.build(Self.path(2, .mood(2)))
    lego.build(Self.path(1, Self.path(5, .mood(5))))
    lego.build(Self.path(1, Self.modal(7, .mood(7))))
    lego.build(Self.modal(8, .mood(8)))
    #expect(lego.design.path[id: 2]?.mood == 2)
    #expect(lego.design.path[id: 1]?.path[id: 5]?.mood == 5)
    #expect(lego.design.path[id: 1]?.modals[id: 7]?.mood == 7)
    #expect(lego.design.modals[id: 8]?.mood == 8)
  }

  @Test func `are moved by changes`() {
    let lego = Lego(Self.start, feature: Page.feature(PassthroughSubject()))
    func ids() -> [Int] { lego.design.path.map(\.id) }
    lego.build(.path(.move(.push(.init(id: 4)))))
    #expect(ids() == [1, 2, 3, 4])
    lego.build(.path(.move(.popTo(2))))
    lego.build(.path(.move(.replace(.init(id: 6)))))
    #expect(ids() == [1, 6])
    lego.build(.path(.move(.close(1))))
    lego.build(.path(.move(.pop)))
    #expect(ids() == [])
    lego.build(.path(.move(.set([.init(id: 1), .init(id: 2), .init(id: 1)]))))
    #expect(ids() == [1, 2])
    lego.build(.path(.move(.popToRoot)))
    #expect(ids() == [])
    lego.build(.modals(.move(.dismiss)))
    #expect(lego.design.modals.screens.map(\.id) == [8])
    lego.build(.modals(.move(.present(.init(id: 1)))))
    lego.build(.modals(.move(.close(8))))
    #expect(lego.design.modals.isEmpty)
    lego.build(.modals(.move(.dismissAll)))
    #expect(lego.design == Page.Design(id: 0))
  }

  @Test func `open and close others in the step of their own change`() async {
    let lego = Lego(Self.start, feature: Page.feature(PassthroughSubject()))
    var changes = lego.changes.makeAsyncIterator()
    #expect(lego.build(Self.path(3, .open(.init(id: 4)))).number == 1)
    #expect(lego.design.path.top?.id == 4)
    #expect(lego.build(Self.path(2, .done)).number == 2)
    #expect(lego.design.path.map(\.id) == [1])
    #expect(lego.build(Self.modal(8, .over(.init(id: 10)))).number == 3)
    #expect(lego.design.modals.count == 3)
    #expect(lego.build(Self.modal(9, .leave)).number == 4)
    #expect(lego.design.modals.isEmpty)
    // Each was one change, and nothing else was told.
    #expect(await changes.next() == Self.path(3, .open(.init(id: 4))))
    #expect(await changes.next() == Self.path(2, .done))
  }

  @Test(arguments: [
    path(9, .mood(1)), path(1, path(2, .mood(1))), modal(1, .done), path(1, modal(8, .listen)),
  ])
  func `that are not there ignore their changes, and it is reported`(
    change: Page.Change
  ) async {
    let problems = await problems {
      let lego = Lego(Self.start, feature: Page.feature(PassthroughSubject()))
      #expect(lego.build(change).number == 0)
      #expect(lego.design == Self.start)
    }
    #expect(problems.count == 1)
  }

  /// Changes that remove pages, each with how many of five listeners stay: of the pages 1, 5 and 7
  /// within it, of 3, and of 9.
  private static let changes: [(Change, Int)] = [
    (.path(.move(.pop)), 4), (.path(.move(.popToRoot)), 1), (.path(.move(.popTo(1))), 4),
    (.path(.move(.popTo(2))), 4), (.path(.move(.close(1))), 1), (.path(.move(.close(2))), 4),
    (.path(.move(.replace(.init(id: 30)))), 4), (.path(.move(.set([]))), 1),
    (.path(.move(.set([.init(id: 2, visit: 2)]))), 1), (path(3, .done), 4), (path(2, .leave), 1),
    (.modals(.move(.dismiss)), 4), (.modals(.move(.close(8))), 4),
    (.modals(.move(.dismissAll)), 4), (modal(9, .done), 4), (modal(8, .leave), 4),
    (path(1, .path(.move(.pop))), 4), (path(1, .modals(.move(.dismissAll))), 4),
    (path(1, path(5, .done)), 4), (path(1, modal(7, .done)), 4),
  ]

  @Test(arguments: changes.indices)
  func `take their effects along, with every change`(index: Int) async {
    let (change, staying) = Self.changes[index]
    let radio = PassthroughSubject<Int, Never>()
    let problems = await problems {
      let lego = Lego(Self.start, feature: Page.feature(radio))
      let listeners = [
        Self.path(1, .listen), Self.path(1, Self.path(5, .listen)),
        Self.path(1, Self.modal(7, .listen)), Self.path(3, .listen), Self.modal(9, .listen),
      ]
      let builds = listeners.map { lego.build($0) }
      #expect(lego.effectCount == 5)
      lego.build(change)
      #expect(lego.effectCount == staying)
      let before = lego.design
      radio.send(1)
      #expect(!lego.design.hasMistake)
      // Who stayed hears, and nobody else.
      #expect((lego.design == before) == (staying == 0))
      lego.build(.path(.move(.set(Self.start.path.screens))))
      for modal in Self.start.modals.screens { lego.build(.modals(.move(.present(modal)))) }
      radio.send(2)
      #expect(!lego.design.hasMistake)
      lego.build(.path(.move(.popToRoot)))
      lego.build(.modals(.move(.dismissAll)))
      #expect(lego.effectCount == 0)
      for build in builds { await build.finished() }
    }
    #expect(problems == [])
  }

  @Test(arguments: changes.indices)
  func `take along what follows from them, with every change`(index: Int) async {
    let (change, staying) = Self.changes[index]
    let radio = PassthroughSubject<Int, Never>()
    let lego = Lego(Self.start, feature: Page.feature(radio))
    for tuned in [
      Self.path(1, .mood(1)), Self.path(1, Self.path(5, .mood(1))),
      Self.path(1, Self.modal(7, .mood(1))), Self.path(3, .mood(1)), Self.modal(9, .mood(1)),
    ] { lego.build(tuned) }
    #expect(lego.effectCount == 5)
    lego.build(change)
    #expect(lego.effectCount == staying)
    radio.send(1)
    #expect(!lego.design.hasMistake)
  }

  @Test func `take along exactly their own effects, where there are many`() {
    let radio = PassthroughSubject<Int, Never>()
    let lego = Lego(Page.Design(id: 0), feature: Page.feature(radio))
    for id in 0..<300 {
      lego.build(.path(.move(.push(.init(id: id, path: [.init(id: id)])))))
      lego.build(Self.path(id, .listen))
      lego.build(Self.path(id, Self.path(id, .listen)))
    }
    #expect(lego.effectCount == 600)
    lego.build(Self.path(7, .path(.move(.pop))))
    #expect(lego.effectCount == 599)
    lego.build(.path(.move(.popTo(99))))
    #expect(lego.effectCount == 199)
    lego.build(.path(.move(.replace(.init(id: 500)))))
    lego.build(Self.path(50, Self.path(50, .done)))
    #expect(lego.effectCount == 196)
    radio.send(1)
    #expect(lego.design.path.count { $0.heard == [1] } == 99)
    lego.build(.path(.move(.close(0))))
    #expect(lego.effectCount == 0)
  }

  @Test func `stay the same where one with their id takes their place`() async {
    let radio = PassthroughSubject<Int, Never>()
    let lego = Lego(Self.start, feature: Page.feature(radio))
    lego.build(Self.path(3, .listen))
    lego.build(.path(.move(.replace(.init(id: 3, visit: 3, mood: 1)))))
    lego.build(.path(.move(.set([.init(id: 4), .init(id: 3, visit: 3)]))))
    #expect(lego.effectCount == 1)
    radio.send(5)
    #expect(lego.design.path.top?.heard == [5])
  }

  @Test func `follow from the moment at which they come`() {
    let radio = PassthroughSubject<Int, Never>()
    let lego = Lego(Page.Design(id: 0), feature: Page.feature(radio))
    lego.build(.path(.move(.push(.init(id: 1, visit: 1, mood: 1)))))
    lego.build(Self.path(1, .path(.move(.push(.init(id: 1, visit: 2, mood: 1))))))
    #expect(lego.effectCount == 2)
    radio.send(3)
    #expect(lego.design.path.top?.heard == [3_000])
    #expect(lego.design.path.top?.path.top?.heard == [3_000])
    lego.build(.path(.move(.set([.init(id: 1, visit: 9)]))))
    #expect(lego.effectCount == 0)
  }

  @Test func `ignore what is written to a field after they were dismissed, and it is reported`()
    async throws
  {
    let lego = Lego(Self.start, feature: Page.feature(PassthroughSubject()))
    let over: @Sendable (Int, Change) -> Change = { .modals(.screen($0, $1)) }
    let eight = try #require(lego.scope(\.modals, id: 8, change: over))
    let mood = eight.glue(\.mood) { .mood($0) }
    mood.wrappedValue = 3
    let problems = await problems {
      lego.build(.modals(.move(.dismissAll)))
      mood.wrappedValue = 4
    }
    #expect(problems.count == 1)
    #expect(mood.wrappedValue == 3)
    #expect(lego.design.modals.isEmpty)
  }

  @Test func `are scoped, and the scope ends with them`() async throws {
    let lego = Lego(Self.start, feature: Page.feature(PassthroughSubject()))
    let onPath: @Sendable (Int, Change) -> Change = { .path(.screen($0, $1)) }
    let over: @Sendable (Int, Change) -> Change = { .modals(.screen($0, $1)) }
    let one = try #require(lego.scope(\.path, id: 1, change: onPath))
    let five = try #require(one.scope(\.path, id: 5, change: onPath))
    let seven = try #require(one.scope(\.modals, id: 7, change: over))
    #expect(lego.scope(\.path, id: 5, change: onPath) == nil)
    five.build(.mood(4))
    seven.build(.mood(6))
    #expect(lego.design.path[id: 1]?.path[id: 5]?.mood == 4)
    #expect(one.design.modals[id: 7]?.mood == 6)
    var designs = five.designs.makeAsyncIterator()
    #expect(await designs.next()?.mood == 4)
    let problems = await problems {
      lego.build(.path(.move(.popToRoot)))
      #expect(five.build(.mood(1)).number == 0)
    }
    #expect(problems.count == 1)
    #expect(await designs.next() == nil)
    #expect(five.design.mood == 4)
  }
}
