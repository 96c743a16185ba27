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
