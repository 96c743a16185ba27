import LegoKit
import Synchronization
import Testing

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

  // The handler of a task's cancellation runs after the store has removed the effect, and before
  // what follows the effect.
  @Test(arguments: [EffectPolicy.runOldest(.discard), .runOldest(.suspend), .runNewest()])
  func `inside another ID makes room at once`(policy: EffectPolicy) async {
    let gate = Gate()
    let again = Mutex<(@Sendable () -> Void)?>(nil)
    let old = Effect<Counter.Change>.run { _ in
      await withTaskCancellationHandler {
        await gate.pass()
      } onCancel: {
        again.withLock { $0 }?()
      }
    }.id("inner", policy: policy).id("outer")
    let new = Effect<Counter.Change>.run { send in send(.add(1)) }.id("inner", policy: policy)
    let lego = lego(starting: ["old": old, "new": new])
    lego.build(.label("old"))
    await gate.waitForArrivals()
    again.withLock { [weak lego] in $0 = { lego?.build(.label("new")) } }
    lego.cancel(id: "outer")
    while lego.effectCount > 0 { await Task.yield() }
    #expect(lego.design.count == 1)
  }
}
