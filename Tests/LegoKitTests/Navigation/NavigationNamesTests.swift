import LegoKit
import Testing

// One test for each row that NamesFromElsewhere.md has for navigation.

/// A program of the four manuals: a path of pages, and pages over it.
private typealias Program = Flow<Lamp, Page>

@Suite struct `The names of LBPresenter for navigation` {
  private static func lego() -> Lego<Page> {
    Lego(Page.Design(id: 0), feature: Page.feature(PassthroughSubject()))
  }

  @Test func `a state of a path is a stack in the design`() {
    #expect(Self.lego().design.path == Stack())
  }

  @Test func `its reducer is a feature's stack, and its actions are moves`() {
    let lego = Self.lego()
    for move in [Stack<Page.Design>.Move.push(.init(id: 1)), .pop, .push(.init(id: 2)), .popToRoot]
    {
      lego.build(.path(.move(move)))
    }
    #expect(lego.design.path.isEmpty)
  }

  @Test func `a destination is the design of a screen, known by its id`() {
    let destination = Page.Design(id: 7)
    #expect(Stack([destination])[id: 7] == destination)
  }

  @Test func `navigation is sent by a change that is turned into a push`() {
    let lego = Self.lego()
    lego.build(.open(.init(id: 1)))
    #expect(lego.design.path.top?.id == 1)
  }

  @Test func `a path is bound by a glue`() {
    let lego = Self.lego()
    let path = lego.glue(\.path.screens) { .path(.move(.set($0))) }
    path.wrappedValue = [.init(id: 1), .init(id: 2)]
    path.wrappedValue.removeLast()
    #expect(lego.design.path.map(\.id) == [1])
  }

  @Test func `a sheet is one of what is presented, and is dismissed by its id`() {
    let lego = Self.lego()
    lego.build(.over(.init(id: 4)))
    #expect(lego.design.modals.top?.id == 4)
    lego.build(.modals(.screen(4, .done)))
    lego.build(.modals(.move(.close(4))))
    #expect(lego.design.modals.isEmpty)
  }

  @Test func `a child is a scope of a screen, for as long as it is there`() {
    let lego = Self.lego()
    lego.build(.path(.move(.push(.init(id: 1)))))
    lego.build(.modals(.move(.present(.init(id: 2)))))
    let change: @Sendable (Int, Page.Change) -> Page.Change = { .path(.screen($0, $1)) }
    let over: @Sendable (Int, Page.Change) -> Page.Change = { .modals(.screen($0, $1)) }
    lego.scope(\.path, id: 1, change: change)?.build(.mood(3))
    lego.scope(\.modals, id: 2, change: over)?.build(.mood(4))
    #expect(lego.design.path.top?.mood == 3)
    #expect(lego.design.modals.top?.mood == 4)
    #expect(lego.scope(\.path, id: 2, change: change) == nil)
  }
}

@Suite struct `The names of RoutingReducer` {
  private static func lego() -> Lego<Program> {
    let program = Feature<Program>.flow(
      root: Feature(Lamp()), screens: Page.feature(PassthroughSubject())
    ) { change in
      switch change {
      case .root(.shine(let id)): .path(.push(.init(id: id)))
      case .root(.flicker): .modals(.present(.init(id: 1)))
      case .path(.screen(let id, .done)): .path(.close(id))
      default: nil
      }
    }
    return Lego(.init(root: .init(id: 0)), feature: program)
  }

  @Test func `a routing state is a flow's design: root, path and modals`() {
    let design = Self.lego().design
    #expect(design.root.id == 0)
    #expect(design.path == Stack() && design.modals == Presented())
  }

  @Test func `a routing action is a flow's change, of the root, a route or a modal route`() {
    let lego = Self.lego()
    lego.build(.root(.shine(5)))
    lego.build(.root(.flicker))
    lego.build(.path(.screen(5, .mood(1))))
    lego.build(.modals(.screen(1, .mood(2))))
    #expect(lego.design.path.top?.mood == 1)
    #expect(lego.design.modals.top?.mood == 2)
  }

  @Test func `a navigation action is a move of the path or of the modals`() {
    let lego = Self.lego()
    lego.build(.path(.move(.push(.init(id: 1)))))
    lego.build(.modals(.move(.present(.init(id: 2)))))
    let moves: [Program.Move] = [.path(.pop), .modals(.dismiss)]
    for move in moves {
      switch move {
      case .path(let move): lego.build(.path(.move(move)))
      case .modals(let move): lego.build(.modals(.move(move)))
      }
    }
    #expect(lego.design.path.isEmpty && lego.design.modals.isEmpty)
  }

  @Test func `an id says whether a screen may appear twice`() {
    let lego = Self.lego()
    for id in [1, 2, 1] { lego.build(.root(.shine(id))) }
    #expect(lego.design.path.map(\.id) == [1, 2])
  }

  @Test func `navigation for an action is the last argument of the flow`() {
    let lego = Self.lego()
    lego.build(.root(.shine(3)))
    #expect(lego.build(.path(.screen(3, .done))).number == 2)
    #expect(lego.design.path.isEmpty)
  }

  @Test func `the item of the modal is the one on top`() {
    let lego = Self.lego()
    lego.build(.root(.flicker))
    #expect(lego.design.modals.top?.id == 1)
  }
}

@Suite struct `The names of SimpleArch for navigation` {
  private struct Links: Routing {
    struct State: RouterState {
      enum Views { case index, show }
      var view: Views = .index
      var shown = 0
    }

    enum Route {
      case index
      case show(Int)
    }

    func route(to route: Route, on state: inout State) {
      switch route {
      case .index: state.view = .index
      case .show(let number): (state.view, state.shown) = (.show, number)
      }
    }

    func route(with url: String, on state: inout State) {}
  }

  private struct ExampleView {
    @ObservedRoutes var navigator: Router<Links>

    var text: String {
      switch navigator.state.view {
      case .index: "Index"
      case .show: "Show \(navigator.state.shown)"
      }
    }
  }

  @Test func `a navigator is a router, its links are routes, and its view follows the state`() {
    withRouter(Router(.init(), routing: Links())) {
      let view = ExampleView()
      #expect(view.text == "Index")
      view.navigator.route(to: .show(1))
      #expect(view.text == "Show 1")
    }
  }
}
