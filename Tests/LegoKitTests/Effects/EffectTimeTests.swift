import LegoKit
import Testing

@Suite struct `An effect on a test clock` {
  private func run(
    _ effects: [String: Effect<Counter.Change>],
    _ body: (Lego<Counter>, TestClock) async -> Void
  ) async {
    let clock = TestClock()
    await withContractors {
      $0.clock = clock
    } operation: {
      await body(lego(starting: effects), clock)
    }
  }

  @Test func `is delayed`() async {
    await run(["go": Effect.send(.add(1)).delay(for: .seconds(5))]) { lego, clock in
      let build = lego.build(.label("go"))
      await clock.waitForSleepers()
      await clock.advance(by: .seconds(4))
      #expect(lego.design.count == 0)
      await clock.advance(by: .seconds(1))
      await build.finished()
      #expect(lego.design.count == 1)
    }
  }

  @Test func `is debounced`() async {
    let effect = Effect<Counter.Change>.send(.add(1)).debounce(id: "type", for: .seconds(1))
    await run(["go": effect]) { lego, clock in
      for _ in 0..<3 {
        lego.build(.label("go"))
        await clock.waitForSleepers()
      }
      let last = lego.build(.label("go"))
      await clock.waitForSleepers()
      while clock.sleeperCount > 1 { await Task.yield() }
      await clock.advance(by: .seconds(1))
      await last.finished()
      #expect(lego.design.count == 1)
    }
  }

  @Test func `is throttled to the first`() async {
    let effect = Effect<Counter.Change>.send(.add(1)).throttle(id: "tick", for: .seconds(1))
    await run(["go": effect]) { lego, clock in
      let first = lego.build(.label("go"))
      lego.build(.label("go"))
      #expect(lego.design.count == 1)
      await clock.waitForSleepers()
      await clock.advance(by: .seconds(1))
      await first.finished()
      lego.build(.label("go"))
      #expect(lego.design.count == 2)
    }
  }

  @Test func `is throttled to the latest`() async {
    let clock = TestClock()
    await withContractors {
      $0.clock = clock
    } operation: {
      let effects = Effects { _, change in
        guard case .label(let text) = change, let number = Int(text) else { return .none }
        return Effect.send(.add(number)).throttle(id: "tick", for: .seconds(1), latest: true)
      }
      let lego = Lego(.init(), blueprint: Counter(), adaptors: [effects])
      let builds = ["1", "10", "100"].map { lego.build(.label($0)) }
      #expect(lego.design.count == 1)
      await clock.waitForSleepers()
      await clock.advance(by: .seconds(1))
      await builds[0].finished()
      await clock.waitForSleepers()
      #expect(lego.design.count == 101)
      await clock.advance(by: .seconds(1))
      await builds[2].finished()
      #expect(lego.effectCount == 0)
    }
  }

  /// An effect that sends a change when its gate opens, with a throttle of one second.
  private func throttled(_ gate: Gate) -> Effect<Counter.Change> {
    Effect.run { send in
      await gate.pass()
      send(.add(1))
    }.throttle(id: "tick", for: .seconds(1))
  }

  /// Waits until the pause of a throttled effect is over.
  private func endPause(_ clock: TestClock, of lego: Lego<Counter>) async {
    await clock.waitForSleepers()
    await clock.advance(by: .seconds(1))
    while lego.effectCount > 1 { await Task.yield() }
  }

  @Test func `is cancelled by an outer ID after the pause of its throttle`() async {
    let gate = Gate()
    await run(["go": throttled(gate).id("outer")]) { lego, clock in
      let build = lego.build(.label("go"))
      await endPause(clock, of: lego)
      lego.cancel(id: "outer")
      #expect(lego.effectCount == 0)
      gate.open()
      await build.finished()
      #expect(lego.design.count == 0)
    }
  }

  @Test func `is timed out after the pause of its throttle`() async {
    let gate = Gate()
    let effect = throttled(gate).timeout(after: .seconds(3), sending: .label("late"))
    await run(["go": effect]) { lego, clock in
      let build = lego.build(.label("go"))
      await clock.waitForSleepers(2)
      await clock.advance(by: .seconds(3))
      await build.finished()
      gate.open()
      #expect(lego.design == .init(count: 0, label: "late"))
    }
  }

  @Test func `is followed by the next one after the pause of its throttle and its work`() async {
    let gate = Gate()
    await run(["go": .concatenate(throttled(gate), .send(.label("next")))]) { lego, clock in
      let build = lego.build(.label("go"))
      await endPause(clock, of: lego)
      #expect(lego.design.label == "go")
      gate.open()
      await build.finished()
      #expect(lego.design == .init(count: 1, label: "next"))
    }
  }

  @Test func `is timed out`() async {
    let gate = Gate()
    let slow = Effect<Counter.Change>.run { send in
      await gate.pass()
      send(.add(1))
    }
    await run(["go": slow.timeout(after: .seconds(3), sending: .label("late"))]) { lego, clock in
      let build = lego.build(.label("go"))
      await clock.waitForSleepers()
      await clock.advance(by: .seconds(3))
      await build.finished()
      gate.open()
      #expect(lego.design == .init(count: 0, label: "late"))
    }
  }

  @Test func `is not timed out when it is quick`() async {
    let quick = Effect<Counter.Change>.run { send in send(.add(1)) }
    await run(["go": quick.timeout(after: .seconds(3), sending: .label("late"))]) { lego, clock in
      await lego.build(.label("go")).finished()
      #expect(lego.design == .init(count: 1, label: "go"))
      #expect(lego.effectCount == 0)
      #expect(clock.sleeperCount == 0)
    }
  }

  @Test(arguments: [
    Effect<Counter.Change>.send(.add(1)), .concatenate(.send(.add(3)), .send(.add(-2))),
    .publisher([Counter.Change.add(2), .add(-1)].publisher), .cancel(id: "nothing"),
  ])
  func `is not timed out when it is over at once`(ready: Effect<Counter.Change>) async {
    await run(["go": ready.timeout(after: .seconds(3), sending: .label("late"))]) { lego, clock in
      let build = lego.build(.label("go"))
      #expect(lego.effectCount == 0)
      #expect(clock.sleeperCount == 0)
      await clock.advance(by: .seconds(3))
      await build.finished()
      #expect(lego.design.label == "go")
    }
  }
}
