import LegoKit
import LegoTesting
import Testing

@Suite(.timeLimit(.minutes(5))) struct `The names of LBPresenter: effects` {
  // Row of FromLBPresenter: `Effect`, `none`
  @Test func `an effect may be none`() async {
    let lego = TestLego(.init(), blueprint: Laps(), adaptors: [LapEffects()])
    lego.build(.increment) { $0.count = 1 }
    await lego.finish()
    let effect: Effect<Laps.Change> = .none
    #expect(await Self.count(after: effect) == 0)
  }

  // Row of FromLBPresenter: `Effect.run(_:cancelId:)`
  @Test func `an effect runs, and has an id`() async {
    let effect: Effect<Laps.Change> =
      .run(priority: .medium, name: "laps", executor: nil) { send in
        send(.increment)
        send(.increment)
      }
      .id("laps", policy: .runNewest())
    #expect(await Self.count(after: effect) == 2)
  }

  /// The count once a store has run an effect to its end.
  private static func count(after effect: Effect<Laps.Change>) async -> Int {
    final class Once: Adaptor<Laps> {
      let effect: Effect<Laps.Change>
      init(_ effect: Effect<Laps.Change>) { self.effect = effect }
      override func effect(_ design: Laps.Design, on change: Laps.Change) -> Effect<Laps.Change> {
        change == .start ? effect : .none
      }
    }
    let lego = Lego(.init(), blueprint: Laps(), adaptors: [Once(effect)])
    await lego.build(.start).finished()
    return lego.design.count
  }

  // Row of FromLBPresenter: `Effect.cancel(cancelId:)`
  @Test func `an effect is cancelled by its id`() async {
    let effects: [Effect<Laps.Change>] = [
      .send(.increment).delay(for: .seconds(1)).id(Laps.TimerID.timer),
      .cancel(id: Laps.TimerID.timer),
    ]
    #expect(await Self.count(after: .merge(effects)) == 0)
    let lego = TestLego(.init(), blueprint: Laps(), adaptors: [LapEffects()])
    lego.build(.start)
    await lego.clock.waitForSleepers()
    lego.build(.stop)
    await lego.clock.advance(by: .seconds(2))
    await lego.finish()
  }

  // Row of FromLBPresenter: `cancelId`, `CancelID`, `rawValue`
  @Test func `an id is any value that is hashed and crosses threads`() async {
    func isID(_ id: some Hashable & Sendable) -> Bool { true }
    #expect(isID(Laps.TimerID.timer))
    let lego = Laps.lego()
    let build = lego.build(.start)
    lego.cancel(id: Laps.TimerID.timer)
    await build.finished()
    #expect(lego.design.count == 0)
  }

  // Row of FromLBPresenter: `Task.sleep(for:)`, `CancellationError`
  @Test func `an effect sleeps on the clock of the contractors, until it is cancelled`() async {
    let lego = TestLego(.init(), blueprint: Laps(), adaptors: [LapEffects()])
    lego.build(.start)
    await lego.clock.waitForSleepers()
    await lego.clock.advance(by: .seconds(1))
    await lego.receive(.increment) { $0.count = 1 }
    await lego.finish()
    let clock = TestClock()
    await withContractors {
      $0.clock = clock
    } operation: {
      let sleeping = Task { try await Contractors().clock.sleep(for: .seconds(1)) }
      await clock.waitForSleepers()
      sleeping.cancel()
      await #expect(throws: CancellationError.self) { try await sleeping.value }
    }
  }

  // Row of FromLBPresenter: `Send`
  @Test func `what an effect sends is applied when the call returns`() async {
    let lego: Lego<Laps> = Laps.lego()
    let seen = Collected<Int>()
    final class Sending: Adaptor<Laps> {
      let see: @Sendable () -> Void
      init(_ see: @escaping @Sendable () -> Void) { self.see = see }
      override func effect(_ design: Laps.Design, on change: Laps.Change) -> Effect<Laps.Change> {
        change == .start
          ? .run { [see] (send: Send<Laps.Change>) in
            send(.increment)
            see()
          } : .none
      }
    }
    let sending = Lego(
      .init(), blueprint: Laps(), adaptors: [Sending { lego.build(.increment) }])
    let token = sending.onDesignChange { seen.append($0.count) }
    await sending.build(.start).finished()
    #expect(seen.values == [1] && lego.design.count == 1)
    token.cancel()
  }

  // Row of FromLBPresenter: a transaction for `Send`
  @Test func `nothing is animated`() async {
    let sent = Collected<Laps.Change>()
    let send = Send<Laps.Change> { sent.append($0) }
    send(.increment)
    #expect(sent.values == [.increment])
    #if canImport(SwiftUI)
      Issue.record("the page says that there is no SwiftUI")
    #endif
  }

  // Row of FromLBPresenter: `CancellableCollection`
  @Test func `the store knows its effects, and cancels them`() async {
    let clock = TestClock()
    await withContractors {
      $0.clock = clock
    } operation: {
      let lego: Lego<Laps> = Laps.lego()
      let build = lego.build(.start)
      await clock.waitForSleepers()
      #expect(lego.effectCount == 1)
      lego.cancel(id: Laps.TimerID.timer)
      await build.finished()
      #expect(lego.effectCount == 0 && lego.design.count == 0)
    }
  }

  // Row of FromLBPresenter: `refreshable` that awaits
  @Test func `a refresh is awaited to its end`() async {
    let clock = TestClock()
    await withContractors {
      $0.clock = clock
    } operation: {
      let lego: Lego<Laps> = Laps.lego()
      let build: Build = lego.build(.start)
      await clock.waitForSleepers()
      await clock.advance(by: .seconds(1))
      await build.finished()
      #expect(lego.design.count == 1)
    }
  }
}
