import LegoKit
import LegoTesting
import Testing

/// A whole that only holds a counter.
private struct Whole: Blueprint {
  struct Design: Equatable, Sendable {
    var counter = Counter.Design()
  }

  struct Change: Equatable, Sendable {
    var counter: Counter.Change
  }

  func change(_ design: inout Design, on change: Change) {
    Counter().change(&design.counter, on: change.counter)
  }
}

/// A store whose changes `.label(name)` start the effect of that name, mapped.
private func mapping(_ effects: [String: Effect<Counter.Change>]) -> Lego<Whole> {
  let adaptor = Answering<Whole> { _, change in
    guard case .label(let name) = change.counter else { return .none }
    return (effects[name] ?? .none).map { Whole.Change(counter: $0) }
  }
  return Lego(.init(), blueprint: Whole(), adaptors: [adaptor])
}

@Suite struct `An effect that is mapped` {
  @Test func `sends other changes, in their order`() async {
    let lego = mapping([
      "go": .concatenate(
        .merge(.send(.add(1)), .publisher(Just(Counter.Change.add(2)))),
        .publisher([.add(3), .add(4)].publisher), .run { send in send(.add(5)) },
        .sequence(
          AsyncStream {
            $0.yield(6)
            $0.finish()
          }
        ) { .add($0) })
    ])
    var changes = lego.changes.makeAsyncIterator()
    await lego.build(.init(counter: .label("go"))).finished()
    #expect(await changes.next()?.counter == .label("go"))
    for amount in 1...6 { #expect(await changes.next()?.counter == .add(amount)) }
    #expect(lego.design.counter.count == 21)
  }

  @Test func `keeps its ids, by which it is cancelled`() async {
    let gate = Gate()
    let lego = mapping([
      "go": .run { send in
        await gate.pass()
        send(.add(1))
      }.id("work"),
      "stop": .cancel(id: "work"),
    ])
    let build = lego.build(.init(counter: .label("go")))
    await gate.waitForArrivals()
    lego.build(.init(counter: .label("stop")))
    #expect(lego.effectCount == 0)
    gate.open()
    await build.finished()
    #expect(lego.design.counter.count == 0)
  }

  @Test func `keeps its policies`() async {
    let gate = Gate()
    let work = Effect<Counter.Change>.run { send in
      await gate.pass()
      send(.add(1))
    }
    let lego = mapping([
      "wait": work.id("a", policy: .runOldest(.suspend)),
      "drop": work.id("b", policy: .runOldest(.discard)),
      "new": work.id("c", policy: .runNewest()),
    ])
    let builds = ["wait", "wait", "drop", "drop", "new", "new"].map {
      lego.build(.init(counter: .label($0)))
    }
    // One of the first two waits, one of the next is dropped, and one of the last is cancelled.
    #expect(lego.effectCount == 3)
    gate.open()
    for build in builds { await build.finished() }
    #expect(lego.design.counter.count == 4)
  }

  @Test func `keeps the name and the priority of its task`() async {
    let found = Collected<String>()
    let lego = mapping([
      "go": .run(priority: .background, name: "work") { _ in
        found.append("\(Task.name ?? "none") \(Task.currentPriority == .background)")
      }
    ])
    await lego.build(.init(counter: .label("go"))).finished()
    #expect(found.values == ["work true"])
  }

  @Test func `keeps its times`() async {
    let clock = TestClock()
    await withContractors {
      $0.clock = clock
    } operation: {
      let lego = mapping([
        "debounce": Effect.send(.add(1)).debounce(id: "d", for: .seconds(1)),
        "throttle": Effect.send(.add(10)).throttle(id: "t", for: .seconds(1), latest: true),
        "late": Effect.run { _ in try? await Task.sleep(for: .seconds(3_600)) }
          .timeout(after: .seconds(1), sending: .add(100)),
      ])
      var builds: [Build] = []
      for name in ["debounce", "debounce", "throttle", "throttle", "throttle", "late"] {
        builds.append(lego.build(.init(counter: .label(name))))
      }
      #expect(lego.design.counter.count == 10)
      await clock.waitForSleepers(3)
      await clock.advance(by: .seconds(1))
      for build in builds.dropLast(2) { await build.finished() }
      await builds[5].finished()
      // The throttle's second pause: only one that has begun ends when the clock goes on.
      await clock.waitForSleepers()
      #expect(lego.design.counter.count == 121)
      await clock.advance(by: .seconds(1))
      await builds[4].finished()
      #expect(lego.effectCount == 0)
    }
  }

  @Test func `is none where it was none`() {
    let none = Effect<Counter.Change>.none.map { Whole.Change(counter: $0) }
    #expect("\(none)" == "\(Effect<Whole.Change>.none)")
  }

  @Test func `that has its change ready sends it at once`() {
    let ready = Just(Counter.Change.add(1)).eraseToAnyPublisher()
    let sent = ready.eraseToEffect().map { Whole.Change(counter: $0) }
    #expect("\(sent)" == "\(Effect<Whole.Change>.send(.init(counter: .add(1))))")
  }
}
