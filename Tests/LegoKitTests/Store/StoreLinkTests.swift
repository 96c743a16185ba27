import LegoKit
import LegoTesting
import RaceRounds
import Synchronization
import Testing

/// Takes note of the life of its store.
private final class Witness<B: Blueprint>: Adaptor<B> {
  let log: Collected<String>
  let prepare: (inout B.Design) -> Void
  let begin: @Sendable (StoreLink<B>) -> Void
  let isAnswering: Bool

  init(
    _ log: Collected<String>, isAnswering: Bool = false,
    prepare: @escaping (inout B.Design) -> Void = { _ in },
    begin: @escaping @Sendable (StoreLink<B>) -> Void = { _ in }
  ) {
    (self.log, self.isAnswering, self.prepare, self.begin) = (log, isAnswering, prepare, begin)
  }

  override func opening(_ design: inout B.Design) {
    log.append("opening")
    prepare(&design)
  }

  override func opened() -> (@Sendable (StoreLink<B>) -> Void)? {
    { [log, begin] link in
      log.append("opened")
      begin(link)
    }
  }

  override func ended(_ design: B.Design) -> (@Sendable () async -> Void)? {
    log.append("ended")
    return { [log] in log.append("done") }
  }

  override func effect(_ design: B.Design, on change: B.Change) -> Effect<B.Change> {
    log.append("asked")
    return .none
  }

  override var answersChanges: Bool { isAnswering }
}

private final class Woken: Sendable {
  private let number = Atomic(0)
  var count: Int { number.load(ordering: .relaxed) }
  func add() { number.add(1, ordering: .relaxed) }
}

@Suite struct `The beginning and the end of a store` {
  @Test func `begins with the design that adaptors have prepared`() async {
    let log = Collected<String>()
    let follow = Effects { _, _ in .none }
    let lego = Lego(
      .init(), blueprint: Counter(),
      adaptors: [follow, Witness<Counter>(log, prepare: { $0.count = 5 })])
    #expect(lego.design.count == 5)
    lego.build(.add(1))
    #expect(lego.design.count == 6)
    #expect(log.values == ["opening", "opened"])
    await lego.close()
    await lego.close()
    #expect(log.values == ["opening", "opened", "ended", "done"])
  }

  @Test func `ends for a store that goes away as it does for one that is closed`() async {
    let log = Collected<String>()
    do {
      let lego = Lego(.init(), blueprint: Counter(), adaptors: [Witness<Counter>(log)])
      lego.build(.add(1))
    }
    #expect(log.values == ["opening", "opened", "ended"])
    while log.values.count < 4 { await Task.yield() }
    #expect(log.values.last == "done")
  }

  @Test func `asks those about changes that answer them`() {
    let log = Collected<String>()
    let lego = Lego(
      .init(), blueprint: Counter(),
      adaptors: [
        Witness<Counter>(log), Witness<Counter>(log, isAnswering: true), Witness<Counter>(log),
      ])
    lego.build(.add(1))
    #expect(log.values.filter { $0 == "asked" }.count == 1)
  }

  @Test func `reaches a part that is always there, and no other`() async {
    let log = Collected<String>()
    let links = Collected<StoreLink<Lamp>>()
    let lamp = Feature(
      Lamp(), adaptors: [Witness<Lamp>(log, prepare: { $0.level = 3 }) { links.append($0) }])
    let house = Feature(House())
      .part(\.porch, .case(House.Change.porch), lamp)
      .optional(\.sheet, .case(House.Change.sheet), lamp)
    let problems = await problems {
      let lego = Lego(House.Design(sheet: Lamp.Design(id: 1)), feature: house)
      #expect(lego.design.porch.level == 3)
      #expect(lego.design.sheet?.level == 0)
      #expect(links.values.count == 1)
      links.values[0].send(.shine(4))
      #expect(lego.design.porch.level == 4)
      #expect(links.values[0].design?.level == 4)
      await lego.close()
      #expect(log.values == ["opening", "opened", "ended", "done"])
    }
    #expect(problems.count == 1)
    #expect(problems.first?.contains("a part that may go") == true)
    #expect(links.values[0].design == nil)
  }

  @Test func `sends changes that a test receives like those of effects`() async {
    let links = Collected<StoreLink<Counter>>()
    let lego = TestLego(
      .init(), blueprint: Counter(),
      adaptors: [Witness<Counter>(Collected(), prepare: { $0.count = 5 }) { links.append($0) }])
    #expect(lego.design.count == 5)
    links.values[0].send(.add(2))
    await lego.receive(.add(2)) { $0.count = 7 }
    await lego.finish()
  }
}

@Suite struct `A link to a store` {
  private func store() -> (Lego<Counter>, StoreLink<Counter>) {
    let links = Collected<StoreLink<Counter>>()
    let lego = Lego(
      .init(), blueprint: Counter(),
      adaptors: [Witness<Counter>(Collected(), begin: { links.append($0) })])
    return (lego, links.values[0])
  }

  @Test func `does not keep it alive`() {
    var link: StoreLink<Counter>?
    do {
      let (lego, new) = store()
      link = new
      #expect(new.design?.count == 0)
      _ = lego
    }
    #expect(link?.design == nil)
    link?.send(.add(1))
    link?.onNextChange { Issue.record("the store has been freed") }
  }

  @Test func `is silent after the store was closed`() async {
    let (lego, link) = store()
    await lego.close()
    let problems = await problems {
      link.send(.add(1))
      link.onNextChange { Issue.record("nothing changes any more") }
    }
    #expect(problems == [])
    #expect(link.design?.count == 0)
  }

  @Test(.timeLimit(.minutes(1)))
  func `frees its closures outside the lock when the store is closed`() async {
    let (lego, link) = store()
    // When the token is freed, it takes the lock to remove its observer.
    link.onNextChange { [token = lego.onDesignChange { _ in }] in
      withExtendedLifetime(token) {}
    }
    await lego.close()
    #expect(link.design?.count == 0)
  }

  @Test func `wakes once for each time that it is asked`() {
    let (lego, link) = store()
    let woken = Collected<Int>()
    for round in 1...3 {
      // The closure may use the store.
      link.onNextChange { woken.append(link.design?.count ?? -1) }
      lego.build(.add(1))
      lego.build(.add(1))
      #expect(woken.values.count == round)
    }
    #expect(woken.values == [1, 3, 5])
  }

  @Test func `wakes each waiting closure once while two threads build`() async {
    let (lego, link) = store()
    let (woken, asked) = (Woken(), Woken())
    await withTaskGroup { group in
      for _ in 0..<2 {
        group.addTask { for _ in 0..<20_000 { lego.build(.add(1)) } }
      }
      group.addTask {
        for _ in 0..<raceRounds(2_000) {
          asked.add()
          link.onNextChange { woken.add() }
        }
      }
    }
    lego.build(.add(1))
    #expect(woken.count == asked.count)
    #expect(lego.design.count == 40_001)
  }
}
