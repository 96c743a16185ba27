import LegoKit
import LegoTesting
import RaceRounds
import Testing

/// How the store under test waits for what may not come.
@Suite struct `Waiting in the store under test` {
  /// Sends `.add(1)` after `.nothing`, once the gate is open.
  private func lego(
    behind gate: Gate, timeout: Duration = .seconds(60)
  ) -> TestLego<Counter> {
    let effects = Effects { _, change in
      change == .nothing
        ? .run { send in
          await gate.pass()
          send(.add(1))
        }.id("work") : .none
    }
    return TestLego(.init(), blueprint: Counter(), adaptors: [effects], timeout: timeout)
  }

  @Test(.timeLimit(.minutes(1)))
  func `ends at once without a time to wait`() async {
    let gate = Gate()
    await withKnownIssue {
      let lego = lego(behind: gate, timeout: .zero)
      lego.build(.nothing)
      await lego.receive(.add(1)) { $0.count = 1 }
      lego.cancel(id: "work")
      await lego.finish()
    } matching: { issue in
      "\(issue)".contains("expected .add(1), but no change has come")
    }
    gate.open()
  }

  @Test func `says where the running effects come from`() async {
    let gate = Gate()
    await withKnownIssue {
      let lego = lego(behind: gate, timeout: .milliseconds(20))
      lego.build(.nothing)
      await lego.receive(.add(1)) { $0.count = 1 }
      gate.open()
      await lego.receive(.add(1)) { $0.count = 1 }
      // The work has sent its change, but may not have returned yet.
      lego.cancel(id: "work")
    } matching: { issue in
      "\(issue)".contains("no change came within 0.02 seconds")
        && "\(issue)".contains("an effect caused by .nothing")
    }
  }

  @Test func `says that the clock has to be advanced`() async {
    await withKnownIssue {
      let effects = Effects { _, change in
        change == .nothing ? Effect.send(.add(1)).delay(for: .seconds(1)) : .none
      }
      let lego = TestLego(
        .init(), blueprint: Counter(), adaptors: [effects], timeout: .milliseconds(20))
      lego.build(.nothing)
      await lego.clock.waitForSleepers()
      await lego.receive(.add(1)) { $0.count = 1 }
      await lego.clock.advance(by: .seconds(1))
      await lego.receive(.add(1)) { $0.count = 1 }
      await lego.finish()
    } matching: { issue in
      "\(issue)".contains("1 waiting on the test clock, which is at 0.0 seconds; advance it")
    }
  }

  @Test(.timeLimit(.minutes(1)))
  func `gives up when nothing is under way that could send`() async {
    let start = ContinuousClock.now
    await withKnownIssue {
      let lego = TestLego(.init(), blueprint: Counter(), timeout: .seconds(600))
      await lego.receive(.add(1))
    } matching: { issue in
      "\(issue)".contains("expected .add(1), but no change came, and nothing is under way")
    }
    #expect(ContinuousClock.now - start < .seconds(30))
  }

  @Test(.timeLimit(.minutes(1)))
  func `ends with the test that waits`() async {
    let gate = Gate()
    let lego = lego(behind: gate, timeout: .seconds(600))
    lego.build(.nothing)
    await withKnownIssue {
      let test = Task { await lego.receive(.add(1)) { $0.count = 1 } }
      await gate.waitForArrivals()
      test.cancel()
      await test.value
      // It finds itself cancelled before it waits.
      let other = Task {
        while !Task.isCancelled { await Task.yield() }
        await lego.receive(.add(1)) { $0.count = 1 }
        await lego.finish()
      }
      other.cancel()
      await other.value
    } matching: { issue in
      "\(issue)".contains("expected .add(1), but the test was cancelled while it waited")
        || "\(issue)".contains("an effect is still running")
    }
    gate.open()
    await lego.receive(.add(1)) { $0.count = 1 }
    await lego.finish()
  }

  @Test(.timeLimit(.minutes(10)))
  func `lets two wait, each for a change`() async {
    let rounds = raceRounds(500)
    let subject = PassthroughSubject<Counter.Change, Never>()
    let effects = Effects { _, change in
      change == .nothing ? .publisher(subject).id("subject") : .none
    }
    let lego = TestLego(.init(), blueprint: Counter(), adaptors: [effects])
    lego.build(.nothing)
    for _ in 0..<rounds {
      async let first: Void = lego.receive(where: { _ in true }, { $0.count += 1 })
      async let second: Void = lego.receive(where: { _ in true }, { $0.count += 1 })
      // Either comes first, and the changes come before, between or after them.
      await Task.yield()
      subject.send(.add(1))
      subject.send(.add(1))
      _ = await (first, second)
    }
    #expect(lego.design.count == 2 * rounds)
    lego.cancel(id: "subject")
    await lego.finish()
  }

  /// A change comes while the one who waits for it is cancelled: it is received by that one or by
  /// the next, never lost.
  @Test(.timeLimit(.minutes(10)))
  func `loses nothing to one who is cancelled`() async {
    let subject = PassthroughSubject<Counter.Change, Never>()
    let effects = Effects { _, change in
      change == .nothing ? .publisher(subject).id("subject") : .none
    }
    let lego = TestLego(
      .init(), blueprint: Counter(), adaptors: [effects], timeout: .seconds(600))
    lego.build(.nothing)
    let received = Collected<Counter.Change>()
    await withKnownIssue(isIntermittent: true) {
      for number in 0..<2_000 {
        let waiting = Task {
          await lego.receive {
            received.append($0)
            return true
          } _: {
            $0.count += number
          }
        }
        let cancelling = Task { waiting.cancel() }
        subject.send(.add(number))
        await waiting.value
        await cancelling.value
        if received.values.count == number {
          await lego.receive {
            received.append($0)
            return true
          } _: {
            $0.count += number
          }
        }
      }
    } matching: { issue in
      "\(issue)".contains("the test was cancelled while it waited")
    }
    #expect(received.values == (0..<2_000).map { .add($0) })
    lego.cancel(id: "subject")
    await lego.finish()
  }

  @Test(.timeLimit(.minutes(1)))
  func `ends what follows from the design when the test asks`() async {
    let lego = TestLego(.init(), blueprint: Counter(), adaptors: [Endless()])
    await lego.receive(.label("began at 0")) { $0.label = "began at 0" }
    lego.build(.add(1)) { $0.count = 1 }
    await lego.receive(.label("began at 1")) { $0.label = "began at 1" }
    #expect(lego.effectCount == 1)
    lego.endFollows()
    lego.build(.add(1)) { $0.count = 2 }
    await lego.finish()
  }

  /// The design changes on another thread while the test ends what follows from it.
  @Test(.timeLimit(.minutes(10)))
  func `ends what is about to follow from the design`() async {
    for _ in 0..<raceRounds(200) {
      let effects = Effects { _, change in
        change == .nothing
          ? .run { send in for _ in 0..<20 { send(.add(1)) } } : .none
      }
      let lego = TestLego(.init(), blueprint: Counter(), adaptors: [Endless(), effects])
      await lego.receive(.label("began at 0")) { $0.label = "began at 0" }
      let build = lego.build(.nothing)
      await Task.yield()
      lego.endFollows()
      await build.finished()
      lego.skipReceived()
      await lego.finish()
      #expect(lego.effectCount == 0)
    }
  }

  @Test func `says how to end what follows from the design`() async {
    await withKnownIssue {
      let lego = TestLego(
        .init(), blueprint: Counter(), adaptors: [Endless()], timeout: .milliseconds(20))
      await lego.receive(.label("began at 0")) { $0.label = "began at 0" }
      await lego.finish()
    } matching: { issue in
      "\(issue)".contains("an effect is still running")
        && "\(issue)".contains("following from the design; endFollows() ends what follows")
    }
  }
}

/// Follows the count without end.
private final class Endless: Adaptor<Counter> {
  override var follows: [Follow<Counter>] {
    [
      Follow(\.count) { count in
        .run { send in
          send(.label("began at \(count)"))
          try? await Task.sleep(for: .seconds(3_600))
        }
      }
    ]
  }
}
