import LegoKit
import Testing

/// A whole that is composed by hand: it moves its lamps itself.
private struct Street: Blueprint {
  struct Design: Equatable, Sendable {
    var path: Stack<Lamp.Design> = []
    var modals: Presented<Lamp.Design> = []
  }

  enum Change: Equatable, Sendable, PayloadReadable {
    case path(StackChange<Lamp>)
    case modals(PresentedChange<Lamp>)

    var payload: Any? {
      switch self {
      case .path(let change): change
      case .modals(let change): change
      }
    }
  }

  func change(_ design: inout Design, on change: Change) {
    switch change {
    case .path(.screen(let id, let change)):
      design.path.change(id) { Lamp().change(&$0, on: change) }
    case .path(.move(let move)): design.path.apply(move)
    case .modals(.screen(let id, let change)):
      design.modals.change(id) { Lamp().change(&$0, on: change) }
    case .modals(.move(let move)): design.modals.apply(move)
    }
  }
}

@Suite struct `An adaptor of screens` {
  @Test func `answers for each of them, and its effects end with the screen`() async {
    let gate = Gate()
    let light: @Sendable (Lamp.Design, Lamp.Change) -> Effect<Lamp.Change> = { lamp, change in
      guard change == .light else { return .none }
      return .run { send in
        await gate.pass()
        send(.shine(lamp.id))
      }
    }
    let lego = Lego(
      .init(path: [.init(id: 1), .init(id: 2)], modals: [.init(id: 3)]), blueprint: Street(),
      adaptors: [
        Answering(light).stack(\.path, .case(Street.Change.path)),
        Answering(light).presented(\.modals, .case(Street.Change.modals)),
      ])
    let first = lego.build(.path(.screen(1, .light)))
    lego.build(.path(.screen(2, .light)))
    lego.build(.modals(.screen(3, .light)))
    #expect(lego.effectCount == 3)
    lego.build(.path(.move(.pop)))
    #expect(lego.effectCount == 2)
    lego.build(.modals(.move(.dismiss)))
    #expect(lego.effectCount == 1)
    gate.open()
    await first.finished()
    #expect(lego.design.path.map(\.level) == [1])
  }
}
