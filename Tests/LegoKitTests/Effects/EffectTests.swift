import LegoKit
import Synchronization
import Testing

@Suite struct `An effect` {
  @Test func `that is none changes nothing`() {
    let lego = lego(starting: ["go": .none])
    lego.build(.label("go"))
    #expect(lego.design == .init(count: 0, label: "go"))
    #expect(lego.effectCount == 0)
  }

  @Test func `that sends is applied before build returns`() {
    let lego = lego(starting: ["go": .merge(.send(.add(1)), .send(.add(2)))])
    lego.build(.label("go"))
    #expect(lego.design.count == 3)
  }

  @Test func `of a publisher that has its value ready starts nothing, and is applied at once`() {
    let resolved = Future<Counter.Change, Never> { $0(.success(.add(2))) }
    let ready: [Effect<Counter.Change>] = [
      .publisher(Just(.add(1))), .publisher(resolved), .publisher(resolved.eraseToAnyPublisher()),
      resolved.eraseToEffect(),
    ]
    let events = Collected<LegoEvent>()
    let effects = Effects { _, change in
      if case .label = change { .merge(ready) } else { .none }
    }
    let answers = Answers { _, change in
      if case .label = change { resolved.eraseToAnyPublisher() } else { .empty }
    }
    let lego = Lego(
      .init(), blueprint: Counter(), adaptors: [effects, answers],
      tracer: LegoTracer { events.append($0) })
    lego.build(.label("go"))
    #expect(lego.design.count == 9)
    #expect(
      !events.values.contains { event in
        if case .effectStarted = event { true } else { false }
      })
  }

  @Test func `of a future that is not resolved yet waits for its value`() async {
    let promises = Collected<Future<Counter.Change, Never>.Promise>()
    let lego = lego(starting: ["go": .publisher(Future { promises.append($0) })])
    let build = lego.build(.label("go"))
    #expect(lego.effectCount == 1)
    promises.values[0](.success(.add(1)))
    await build.finished()
    #expect(lego.design.count == 1)
  }

  @Test func `that runs may send many changes`() async {
    let lego = lego(starting: ["go": .run { send in for _ in 0..<10 { send(.add(1)) } }])
    await lego.build(.label("go")).finished()
    #expect(lego.design.count == 10)
    #expect(lego.effectCount == 0)
  }

  @Test func `that sends too late is ignored`() async {
    let kept = Collected<Send<Counter.Change>>()
    let lego = lego(starting: ["go": .run { send in kept.append(send) }])
    await lego.build(.label("go")).finished()
    kept.values[0](.add(1))
    #expect(lego.design.count == 0)
  }

  @Test func `concatenated runs one after another`() async {
    let order = Collected<Int>()
    let steps = (1...5).map { step in
      Effect<Counter.Change>.run { send in
        await Task.yield()
        order.append(step)
        send(.add(1))
      }
    }
    let lego = lego(starting: ["go": .concatenate(steps)])
    await lego.build(.label("go")).finished()
    #expect(order.values == [1, 2, 3, 4, 5])
    #expect(lego.design.count == 5)
  }

  @Test func `concatenated in great number needs no stack`() {
    let many = Effect<Counter.Change>.concatenate((0..<10_000).map { _ in .send(.add(1)) })
    let lego = lego(starting: ["go": many])
    lego.build(.label("go"))
    #expect(lego.design.count == 10_000)
  }

  @Test(arguments: ["publisher", "id", "merge", "nested", "cancel"])
  func `concatenated in great number needs no stack, whatever ends at once`(_ kind: String) {
    // Unoptimised code takes seconds for more, and overflows a stack with these as surely.
    #if DEBUG
      let total = 20_000
    #else
      let total = 100_000
    #endif
    typealias Step = Effect<Counter.Change>
    let add = Step.send(.add(1))
    let step =
      switch kind {
      case "publisher": Step.publisher([.add(1), .add(0)].publisher)
      case "id": add.id("work")
      case "merge": Step.merge(add, .send(.nothing))
      case "nested": Step.concatenate(add.id("work"), .publisher([.nothing, .nothing].publisher))
      default: Step.concatenate(add, .cancel(id: "nobody"))
      }
    let lego = lego(starting: ["go": .concatenate(Array(repeating: step, count: total))])
    lego.build(.label("go"))
    #expect(lego.design.count == total)
    #expect(lego.effectCount == 0)
  }

  @Test func `concatenated stops when a step that ends at once cancels it`() async {
    let steps: [Effect<Counter.Change>] = [
      .publisher([.add(1), .add(1)].publisher), .cancel(id: "all"), .send(.add(100)),
    ]
    let lego = lego(starting: ["go": .concatenate(steps).id("all")])
    await lego.build(.label("go")).finished()
    #expect(lego.design.count == 2)
    #expect(lego.effectCount == 0)
  }

  @Test func `concatenated after a merge waits for all of it`() async {
    let gate = Gate()
    let slow = Effect<Counter.Change>.run { send in
      await gate.pass()
      send(.add(1))
    }
    let fast = Effect<Counter.Change>.run { send in send(.add(10)) }
    let last = Effect<Counter.Change>.run { send in send(.label("last")) }
    let lego = lego(starting: ["go": .concatenate(.merge(slow, fast), last)])
    let build = lego.build(.label("go"))
    await gate.waitForArrivals()
    #expect(lego.design.label == "go")
    gate.open()
    await build.finished()
    #expect(lego.design == .init(count: 11, label: "last"))
  }

  @Test func `of a sequence ends with it`() async {
    let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
    let lego = lego(starting: ["go": .sequence(stream) { .add($0) }])
    let build = lego.build(.label("go"))
    continuation.yield(1)
    continuation.yield(2)
    continuation.finish()
    await build.finished()
    #expect(lego.design.count == 3)
  }

  @Test func `causes what it sends to be waited for too`() async {
    let lego = lego(starting: [
      "a": .run { send in send(.label("b")) },
      "b": .run { send in send(.label("c")) },
      "c": .run { send in send(.add(1)) },
    ])
    await lego.build(.label("a")).finished()
    #expect(lego.design.count == 1)
  }

  @Test func `is cancelled with the task that waits for it`() async {
    let gate = Gate()
    let lego = lego(starting: [
      "go": .run { send in
        await gate.pass()
        send(.add(1))
      }
    ])
    let waiting = Task { await lego.build(.label("go")).finished() }
    await gate.waitForArrivals()
    waiting.cancel()
    await waiting.value
    #expect(lego.effectCount == 0)
    gate.open()
    #expect(lego.design.count == 0)
  }

  @Test func `does not keep its store`() async {
    let gate = Gate()
    var store: Lego<Counter>? = lego(starting: ["go": .run { _ in await gate.pass() }])
    weak let freed = store
    store?.build(.label("go"))
    await gate.waitForArrivals()
    store = nil
    #expect(freed == nil)
  }

  @Test(.timeLimit(.minutes(1)))
  func `of every kind ends with its store`() async {
    let gate = Gate()
    let clock = TestClock()
    let (ends, end) = AsyncStream.makeStream(of: String.self)
    let subject = PassthroughSubject<Counter.Change, Never>()
    let logged = subject.handleEvents(receiveCancel: { end.yield("publisher") })
    let running = Effect<Counter.Change>.run { _ in
      await gate.pass()
      end.yield(Task.isCancelled ? "task" : "task that was not cancelled")
    }
    var store: Lego<Counter>? = withContractors {
      $0.clock = clock
    } operation: {
      lego(starting: [
        "go": .merge(
          running, .publisher(logged), Effect.send(.add(1)).delay(for: .seconds(1)),
          running.id("queue", policy: .runOldest(.suspend)),
          running.id("queue", policy: .runOldest(.suspend)))
      ])
    }
    store?.build(.label("go"))
    await gate.waitForArrivals(2)
    await clock.waitForSleepers()
    store = nil
    var seen: Set<String> = []
    for await name in ends.prefix(3) { seen.insert(name) }
    #expect(seen == ["publisher", "task"])
    while clock.sleeperCount > 0 { await Task.yield() }
    gate.open()
  }
}

@Suite struct `The id of an effect` {
  @Test func `cancels it, and nothing of it is applied any more`() async {
    let gate = Gate()
    let ended = Gate()
    let lego = lego(starting: [
      "go": .run { send in
        await gate.pass()
        send(.add(1))
        await ended.pass()
      }.id("work"),
      "stop": .cancel(id: "work"),
    ])
    lego.build(.label("go"))
    await gate.waitForArrivals()
    lego.build(.label("stop"))
    #expect(lego.effectCount == 0)
    gate.open()
    await ended.waitForArrivals()
    #expect(lego.design.count == 0)
    ended.open()
  }

  @Test func `is registered before the effect starts`() {
    let lego = lego(starting: [
      "go": .merge(.run { send in send(.add(1)) }.id("work"), .cancel(id: "work"))
    ])
    lego.build(.label("go"))
    #expect(lego.effectCount == 0)
  }

  @Test func `may be used again`() async {
    let lego = lego(starting: [
      "go": .run { send in send(.add(1)) }.id("work"),
      "stop": .cancel(id: "work"),
    ])
    await lego.build(.label("go")).finished()
    lego.build(.label("stop"))
    await lego.build(.label("go")).finished()
    #expect(lego.design.count == 2)
  }

  @Test func `keeps what follows within it from starting`() async {
    let gate = Gate()
    let inner = Effect<Counter.Change>.run { _ in await gate.pass() }
    let lego = lego(starting: [
      "go": .concatenate(
        .concatenate(inner, .send(.add(1))).id("work"), .send(.add(10))),
      "stop": .cancel(id: "work"),
    ])
    lego.build(.label("go"))
    await gate.waitForArrivals()
    lego.build(.label("stop"))
    #expect(lego.design.count == 10)
  }

  @Test func `run newest cancels the older`() async {
    let gate = Gate()
    let runs = Collected<Int>()
    let effects = Effects { design, change in
      guard case .add(let number) = change, number < 10 else { return .none }
      return .run { send in
        runs.append(number)
        await gate.pass()
        send(.add(number * 10))
      }.id("search", policy: .runNewest())
    }
    let lego = Lego(.init(), blueprint: Counter(), adaptors: [effects])
    for number in 1...3 {
      lego.build(.add(number))
      await gate.waitForArrivals(number)
    }
    #expect(lego.effectCount == 1)
    let last = lego.build(.nothing)
    gate.open()
    while lego.effectCount > 0 { await Task.yield() }
    await last.finished()
    #expect(lego.design.count == 6 + 30)
  }

  @Test func `run oldest discards what comes meanwhile`() async {
    let gate = Gate()
    let lego = lego(starting: [
      "go": .run { send in
        await gate.pass()
        send(.add(1))
      }.id("save", policy: .runOldest(.discard))
    ])
    let first = lego.build(.label("go"))
    for _ in 0..<5 { await lego.build(.label("go")).finished() }
    gate.open()
    await first.finished()
    #expect(lego.design.count == 1)
  }

  @Test func `run oldest suspends what comes meanwhile, and keeps its order`() async {
    let order = Collected<Int>()
    let effects = Effects { _, change in
      guard case .add(let number) = change else { return .none }
      return .run { _ in
        await Task.yield()
        order.append(number)
      }.id("queue", policy: .runOldest(.suspend))
    }
    let lego = Lego(.init(), blueprint: Counter(), adaptors: [effects])
    let builds = (1...20).map { lego.build(.add($0)) }
    for build in builds { await build.finished() }
    #expect(order.values == Array(1...20))
    #expect(lego.effectCount == 0)
  }

  @Test func `limits how many run at a time`() async {
    let running = Atomic(0)
    let most = Mutex(0)
    let effects = Effects { _, change in
      guard case .add = change else { return .none }
      return .run { _ in
        let now = running.add(1, ordering: .sequentiallyConsistent).newValue
        most.withLock { $0 = max($0, now) }
        for _ in 0..<10 { await Task.yield() }
        running.subtract(1, ordering: .sequentiallyConsistent)
      }.id("queue", policy: .runOldest(.suspend, limit: 3))
    }
    let lego = Lego(.init(), blueprint: Counter(), adaptors: [effects])
    let builds = (1...30).map { lego.build(.add($0)) }
    for build in builds { await build.finished() }
    #expect(most.withLock { $0 } <= 3)
  }

  @Test func `cancels those that wait as well`() async {
    let gate = Gate()
    let lego = lego(starting: [
      "go": .run { send in
        await gate.pass()
        send(.add(1))
      }.id("queue", policy: .runOldest(.suspend)),
      "stop": .cancel(id: "queue"),
    ])
    let builds = (0..<3).map { _ in lego.build(.label("go")) }
    await gate.waitForArrivals()
    lego.build(.label("stop"))
    for build in builds { await build.finished() }
    gate.open()
    #expect(lego.design.count == 0)
    #expect(lego.effectCount == 0)
  }
}

@Suite struct `An effect that follows from the design` {
  final class Follows: Adaptor<Counter> {
    let log: Collected<String>

    init(_ log: Collected<String>) {
      self.log = log
    }

    override var follows: [Follow<Counter>] {
      [
        Follow(\.label) { [log] label in
          if label.isEmpty { return .none }
          return .run { _ in
            log.append("start \(label)")
            await Gate().pass()
            log.append("stop \(label)")
          }
        }
      ]
    }
  }

  @Test func `starts, restarts and stops as the part changes`() async {
    let log = Collected<String>()
    let lego = Lego(.init(), blueprint: Counter(), adaptors: [Follows(log)])
    #expect(lego.effectCount == 0)
    lego.build(.label("a"))
    while log.values.count < 1 { await Task.yield() }
    lego.build(.add(1))
    lego.build(.label("b"))
    while log.values.count < 3 { await Task.yield() }
    #expect(lego.effectCount == 1)
    lego.build(.label(""))
    #expect(lego.effectCount == 0)
    while log.values.count < 4 { await Task.yield() }
    #expect(Set(log.values) == ["start a", "stop a", "start b", "stop b"])
  }

  @Test func `ends with its token`() {
    let lego = Lego(.init(label: "a"), blueprint: Counter())
    let token = lego.follow(\.label) { _ in .run { _ in await Gate().pass() } }
    #expect(lego.effectCount == 1)
    token.cancel()
    #expect(lego.effectCount == 0)
    lego.build(.label("b"))
    #expect(lego.effectCount == 0)
  }
}
