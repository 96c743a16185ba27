import LegoKit
import LegoTesting
import Testing

private struct Echo: Service {
  static let contractor = Echo(text: "live")
  var text: String
}

extension Contractors {
  fileprivate var echo: Echo {
    get { Self[Echo.self] }
    set { Self[Echo.self] = newValue }
  }
}

@Suite struct `The store under test` {
  @Test func `accounts for the permissions example`() async {
    let lego = TestLego(.init(), blueprint: AppBlueprint(), adaptors: [PermissionsAdaptor()])
    lego.build(.permission(.requestCameraAccess)) { $0.permission.cameraRequests = 1 }
    await lego.receive(.permission(.cameraAccess(.authorized))) {
      $0.permission.camera = .authorized
    }
    await lego.finish()
  }

  @Test func `fails with the difference of the designs`() {
    withKnownIssue {
      let lego = TestLego(.init(), blueprint: Counter())
      lego.build(.add(2)) { $0.count = 3 }
    } matching: { issue in
      "\(issue)".contains("count: 3 → 2")
    }
  }

  @Test func `fails when a change was not expected to change anything`() {
    withKnownIssue {
      TestLego(.init(), blueprint: Counter()).build(.add(2))
    } matching: { issue in
      "\(issue)".contains("count: 0 → 2")
    }
  }

  @Test func `fails for what was not received`() async {
    await withKnownIssue {
      let effects = Effects { _, change in change == .nothing ? .send(.add(1)) : .none }
      let lego = TestLego(.init(), blueprint: Counter(), adaptors: [effects])
      lego.build(.nothing)
      #expect(lego.unreceived == [.add(1)])
      await lego.finish()
    } matching: { issue in
      "\(issue)".contains("not received: .add(1)")
    }
  }

  @Test func `fails for a different change than expected`() async {
    await withKnownIssue {
      let effects = Effects { _, change in change == .nothing ? .send(.add(1)) : .none }
      let lego = TestLego(.init(), blueprint: Counter(), adaptors: [effects])
      lego.build(.nothing)
      await lego.receive(.add(2)) { $0.count = 2 }
    } matching: { issue in
      "\(issue)".contains(".add(2) → .add(1)")
    }
  }

  @Test func `says what else has come`() async {
    await withKnownIssue {
      let effects = Effects { _, change in
        change == .nothing ? .merge(.send(.add(1)), .send(.label("a"))) : .none
      }
      let lego = TestLego(.init(), blueprint: Counter(), adaptors: [effects])
      lego.build(.nothing)
      await lego.receive(.label("a")) { $0.label = "a" }
      lego.skipReceived()
    } matching: { issue in
      let text = "\(issue)"
      return text.contains("received a different change than expected (expected → found):")
        && text.contains("and not received yet: .label(\"a\")")
    }
  }

  @Test func `fails for an effect that still runs`() {
    let gate = Gate()
    withKnownIssue {
      let effects = Effects { _, _ in .run { _ in await gate.pass() } }
      let lego = TestLego(.init(), blueprint: Counter(), adaptors: [effects])
      lego.build(.nothing)
    } matching: { issue in
      "\(issue)".contains("an effect is still running")
    }
    gate.open()
  }

  @Test func `passes over what it need not account for`() async {
    let effects = Effects { _, change in
      change == .nothing ? .merge(.send(.add(1)), .send(.label("a"))) : .none
    }
    let lego = TestLego(
      .init(), blueprint: Counter(), adaptors: [effects], exhaustivity: .none)
    lego.build(.nothing)
    await lego.receive(.label("a")) { $0.label = "a" }
    #expect(lego.design == .init(count: 1, label: "a"))
  }

  /// A change that is not wanted; one that is not received, or a difference that is not mentioned;
  /// and an effect that still runs at the end, which is said once.
  @Test(arguments: [
    (Exhaustivity.full, [Issue.Severity.error, .error, .error]),
    (.changes, [.error, .error]),
    (.noted, [.warning, .warning, .warning]),
    (.none, []),
  ])
  func `says as much as its level is for`(level: Exhaustivity, severities: [Issue.Severity]) async {
    let gate = Gate()
    let seen = Collected<Issue.Severity>()
    await withKnownIssue(isIntermittent: true) {
      let effects = Effects { _, change in
        change == .nothing
          ? .merge(.send(.add(1)), .send(.label("a")), .run { _ in await gate.pass() }) : .none
      }
      let lego = TestLego(
        .init(), blueprint: Counter(), adaptors: [effects], exhaustivity: level,
        timeout: .milliseconds(50))
      lego.build(.nothing)
      await lego.receive(.label("a")) { _ in }
      await lego.finish()
    } matching: { issue in
      seen.append(issue.severity)
      return true
    }
    #expect(seen.values == severities)
    gate.open()
  }

  @Test(arguments: Exhaustivity.allCases)
  func `fails for a wrong difference at every level`(level: Exhaustivity) {
    withKnownIssue {
      let lego = TestLego(.init(), blueprint: Counter(), exhaustivity: level)
      lego.build(.add(2)) { $0.count = 3 }
    } matching: { issue in
      issue.severity == .error && "\(issue)".contains("count: 3 → 2")
    }
  }

  @Test func `debounces on a test clock`() async {
    let clock = TestClock()
    await withContractors {
      $0.clock = clock
    } operation: {
      let effects = Effects { _, change in
        change == .nothing ? Effect.send(.add(1)).debounce(id: "d", for: .seconds(1)) : .none
      }
      let lego = TestLego(.init(), blueprint: Counter(), adaptors: [effects])
      lego.build(.nothing)
      await clock.waitForSleepers()
      await clock.advance(by: .seconds(1))
      await lego.receive(.add(1)) { $0.count = 1 }
      await lego.finish()
    }
  }

  @Test func `has a clock of its own`() async {
    let effects = Effects { _, change in
      change == .nothing ? Effect.send(.add(1)).delay(for: .seconds(60)) : .none
    }
    let lego = TestLego(.init(), blueprint: Counter(), adaptors: [effects])
    lego.build(.nothing)
    await lego.clock.waitForSleepers()
    await lego.clock.advance(by: .seconds(60))
    await lego.receive(.add(1)) { $0.count = 1 }
    await lego.finish()
  }

  @Test(.contractors { $0.echo = Echo(text: "provided") })
  func `gets its services from a trait`() {
    #expect(Contractors().echo.text == "provided")
  }

  @Test func `fails with the name of a service that it did not provide`() async throws {
    await withKnownIssue {
      let fail: @Sendable (String) -> Void = { Issue.record("\($0) was read") }
      await withTestContractors(onMissing: fail) {
        #expect(Contractors().echo.text == "live")
      }
    } matching: { issue in
      "\(issue)".contains("Echo was read")
    }
  }
}
