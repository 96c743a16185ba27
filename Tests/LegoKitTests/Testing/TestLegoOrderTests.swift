import LegoKit
import LegoTesting
import Testing

/// What effects send is applied as in any store, and looked at afterwards.
@Suite struct `The order of the store under test` {
  @Test func `drops what the store drops after a cancel`() async {
    let subject = PassthroughSubject<Counter.Change, Never>()
    let effects = Effects { _, change in
      switch change {
      case .nothing: .merge(.publisher(subject).id("work"), .send(.label("stop")))
      case .label: .cancel(id: "work")
      case .add: .none
      }
    }
    let lego = TestLego(.init(), blueprint: Counter(), adaptors: [effects])
    lego.build(.nothing)
    subject.send(.add(1))
    #expect(lego.unreceived == [.label("stop")])
    await lego.receive(.label("stop")) { $0.label = "stop" }
    await lego.finish()
  }

  @Test func `compares each change with the design just before and just after it`() async {
    let effects = Effects { design, change in
      change == .add(1) && design.count < 4 ? .send(.add(1)) : .none
    }
    let lego = TestLego(.init(), blueprint: Counter(), adaptors: [effects])
    lego.build(.add(1)) { $0.count = 1 }
    await lego.receive(.add(1)) { $0.count += 1 }
    await lego.receive(.add(1)) { design in
      #expect(design.count == 2)
      design.count = 3
    }
    await lego.receive(.add(1)) { $0.count = 4 }
    await lego.finish()
  }

  @Test func `shows the design as the test has accounted for it`() async {
    let effects = Effects { _, change in change == .nothing ? .send(.add(1)) : .none }
    let lego = TestLego(
      .init(), blueprint: Counter(), adaptors: [effects], exhaustivity: .none)
    lego.build(.nothing)
    #expect(lego.design.count == 0)
    lego.build(.label("a"))
    #expect(lego.design == .init(count: 1, label: "a"))
    await lego.receive(.add(1)) { design in
      #expect(design == .init(count: 1))
    }
    #expect(lego.design == .init(count: 1, label: "a"))
  }

  @Test func `says what was left out before a build`() {
    withKnownIssue {
      let effects = Effects { _, change in change == .nothing ? .send(.add(1)) : .none }
      let lego = TestLego(.init(), blueprint: Counter(), adaptors: [effects])
      lego.build(.nothing)
      lego.build(.label("a")) { $0.label = "a" }
      lego.skipReceived()
    } matching: { issue in
      "\(issue)".contains("received too little before this build: .add(1)")
    }
  }

  @Test func `keeps what skipped changes have caused`() async {
    let effects = Effects { _, change in
      switch change {
      case .nothing: .send(.add(1))
      case .add: .send(.label("a"))
      case .label: .none
      }
    }
    let lego = TestLego(.init(), blueprint: Counter(), adaptors: [effects])
    lego.build(.nothing)
    lego.skipReceived()
    #expect(lego.design == .init(count: 1, label: "a"))
    #expect(lego.unreceived == [])
    await lego.finish()
  }

  @Test func `does not lose what skipped changes cause later`() async {
    let gate = Gate()
    let effects = Effects { _, change in
      switch change {
      case .nothing: .send(.add(1))
      case .add:
        .run { send in
          await gate.pass()
          send(.label("a"))
        }
      case .label: .none
      }
    }
    let lego = TestLego(.init(), blueprint: Counter(), adaptors: [effects])
    lego.build(.nothing)
    lego.skipReceived()
    gate.open()
    await lego.receive(.label("a")) { design in
      #expect(design.count == 1)
      design.label = "a"
    }
    await lego.finish()
  }

  @Test func `gives a handle to what a build causes`() async {
    let gate = Gate()
    let effects = Effects { _, change in
      change == .nothing
        ? .run { send in
          await gate.pass()
          send(.add(1))
        } : .none
    }
    let lego = TestLego(.init(), blueprint: Counter(), adaptors: [effects])
    let build = lego.build(.nothing)
    build.cancel()
    gate.open()
    await build.finished()
    await lego.finish()
  }

  @Test func `stops changes that cause one another without end`() async {
    await withKnownIssue {
      let effects = Effects { _, change in
        switch change {
        case .nothing: .send(.label("a"))
        case .label(let text): .send(.label(text == "a" ? "b" : "a"))
        case .add: .none
        }
      }
      let lego = TestLego(.init(), blueprint: Counter(), adaptors: [effects], limit: 1_000)
      lego.build(.nothing)
      #expect(lego.unreceived.count <= 1_002)
      lego.skipReceived()
      await lego.finish()
    } matching: { issue in
      "\(issue)".contains("the build of .nothing that caused")
        && "\(issue)".contains(".label(\"b\")")
    }
  }

  /// The store's changes come from four threads while the test receives them.
  @Test func `receives each of 20,000 changes once and in order`() async {
    let effects = Effects { _, change in
      guard change == .label("start") else { return .none }
      return .merge(
        (0..<4).map { _ in
          .run { send in
            for number in 1...5_000 { send(.add(number)) }
            send(.label("end"))
          }
        })
    }
    let lego = TestLego(
      .init(), blueprint: Counter(), adaptors: [effects], exhaustivity: .changes)
    lego.build(.label("start")) { $0.label = "start" }
    let received = Collected<Counter.Change>()
    var total = 0
    for _ in 0..<20_004 {
      await lego.receive { change in
        received.append(change)
        return true
      } _: { design in
        if case .add(let number)? = received.values.last { total += number }
        #expect(design.count == total)
      }
    }
    #expect(total == 4 * 5_000 * 5_001 / 2)
    await lego.finish()
  }
}
