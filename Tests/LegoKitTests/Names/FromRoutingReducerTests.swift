import LegoKit
import LegoTesting
import Testing

private typealias Menu = Kitchen.Menu
private typealias Dish = Kitchen.Dish
private typealias Screen = Kitchen.Screen
private typealias ScreenChange = Kitchen.ScreenChange

@Suite struct `The names of RoutingReducer: the flow` {
  // Row of FromRoutingReducer: `RoutingReducerProtocol`, `ReducerProtocol`, `body`
  @Test func `a router is the feature of a flow`() {
    let router: Feature<Flow<Menu, Dish>> = Feature.flow(
      root: Feature(Menu()), screens: Feature(Dish()), navigation: { _ in nil })
    let lego = Lego(.init(root: .init(id: 0), path: [.init(id: 1)]), feature: router)
    lego.build(.path(.screen(1, .served)))
    #expect(lego.design.path.top?.isServed == true)
  }

  // Row of FromRoutingReducer: `RoutingState`, `State`
  @Test func `a routing state is a flow's design: root, path and modals`() {
    let design: Flow<Menu, Dish>.Design = .init(root: .init(id: 3))
    #expect(design.root.id == 3)
    #expect(design.path.isEmpty && design.modals.isEmpty)
  }

  // Row of FromRoutingReducer: `NavigationState`, `navigation` in a state
  @Test func `a navigation state is a stack and what is presented`() {
    let design = Kitchen.lego().design
    let (path, modals): (Stack<Screen>, Presented<Screen>) = (design.path, design.modals)
    #expect(path == [] && modals == [])
  }

  // Row of FromRoutingReducer: `RoutingAction`, `Action`, `.root(_:)`
  @Test func `a routing action is a flow's change, such as one of the root`() {
    let action: Flow<Menu, Screens<Screen, ScreenChange>>.Change = .root(.open(kitchenDish(5)))
    let lego = Kitchen.lego()
    lego.build(action)
    #expect(lego.design.root.opened == 1)
  }

  // Row of FromRoutingReducer: `.route(_:_:)`
  @Test func `a route's action has the id of its screen`() {
    let lego = Kitchen.lego()
    for id in [1, 2] { lego.build(.root(.open(kitchenDish(id)))) }
    let (id, change) = ("dish 1", ScreenChange.dish(.note("hot")))
    lego.build(.path(.screen(id, change)))
    #expect(lego.design.path.map(\.dish?.note) == ["hot", ""])
  }

  // Row of FromRoutingReducer: `.modalRoute(_:)`
  @Test func `a modal's action has the id of its screen, because there may be several`() {
    let lego = Kitchen.lego()
    for id in [1, 2] { lego.build(.root(.show(kitchenDish(id)))) }
    let (id, change) = ("dish 1", ScreenChange.dish(.note("hot")))
    lego.build(.modals(.screen(id, change)))
    #expect(lego.design.modals.screens.map(\.dish?.note) == ["hot", ""])
  }

  // Row of FromRoutingReducer: `.navigation(_:)`, `NavigationAction`
  @Test func `a navigation action is a move of the path or of the modals`() {
    let lego = Kitchen.lego()
    let moves: [Flow<Menu, Screens<Screen, ScreenChange>>.Move] = [
      .path(.push(kitchenDish(1))), .modals(.present(kitchenDish(2))), .modals(.dismiss),
      .path(.popToRoot),
    ]
    var counts: [[Int]] = []
    for move in moves {
      switch move {
      case .path(let move): lego.build(.path(.move(move)))
      case .modals(let move): lego.build(.modals(.move(move)))
      }
      counts.append([lego.design.path.count, lego.design.modals.count])
    }
    #expect(counts == [[1, 0], [1, 1], [1, 0], [0, 0]])
  }

  // Row of FromRoutingReducer: `rootBody`, `RootReducer`
  @Test func `the root's rules are an argument`() {
    struct Silent: Blueprint {
      typealias Design = Menu.Design
      typealias Change = Menu.Change
      func change(_ design: inout Design, on change: Change) {}
    }
    let silent = Lego(
      .init(root: .init(id: 0)), feature: .flow(root: Feature(Silent()), screens: Kitchen.screens))
    silent.build(.root(.open(kitchenDish(1))))
    let lego = Kitchen.lego()
    lego.build(.root(.open(kitchenDish(1))))
    #expect(silent.design.root.opened == 0 && lego.design.root.opened == 1)
  }

  // Row of FromRoutingReducer: `routeBody`, `RouteReducer`
  @Test func `the routes' rules are an argument`() {
    let plain = Lego(
      .init(root: .init(id: 0), path: [kitchenDish(1)]),
      feature: .flow(root: Feature(Menu()), screens: Feature(Screens<Screen, ScreenChange>())))
    plain.build(.path(.screen("dish 1", .dish(.note("hot")))))
    let lego = Lego(
      .init(root: .init(id: 0), path: [kitchenDish(1)]),
      feature: .flow(root: Feature(Menu()), screens: Kitchen.screens))
    lego.build(.path(.screen("dish 1", .dish(.note("hot")))))
    #expect(plain.design.path.top?.dish?.note == "" && lego.design.path.top?.dish?.note == "hot")
  }

  // Row of FromRoutingReducer: `navigation(for:)`
  @Test func `an action becomes a navigation action, in the same step`() {
    let lego = Kitchen.lego()
    let steps = Collected<[Int]>()
    let token = lego.onDesignChange { steps.append([$0.root.opened, $0.path.count]) }
    lego.build(.root(.open(kitchenDish(3))))
    lego.build(.path(.screen("dish 3", .dish(.done))))
    #expect(steps.values == [[1, 1], [1, 0]])
    token.cancel()
    let feature = Feature(Kitchen.Rules()).navigation(
      \.path,
      for: { change -> Stack<Screen>.Move? in
        if case .root(.open(let screen)) = change { .push(screen) } else { nil }
      })
    let other = Lego(.init(root: .init(id: 0)), feature: feature)
    other.build(.root(.open(kitchenDish(3))))
    #expect(other.design.path == [kitchenDish(3)])
    _ = Feature.flow(root: Feature(Menu()), screens: Kitchen.screens, navigation: { _ in nil })
  }

  // Row of FromRoutingReducer: `id` of a flow's state
  @Test func `a flow is a screen of another flow`() {
    func id(of design: Flow<Menu, Dish>.Design) -> Int { design.id }
    let inner: Flow<Menu, Dish>.Design = .init(root: .init(id: 7))
    #expect(id(of: inner) == 7)
    let outer = Feature.flow(
      root: Feature(Menu()), screens: .flow(root: Feature(Menu()), screens: Feature(Dish())))
    let lego = Lego(.init(root: .init(id: 0), path: [inner]), feature: outer)
    lego.build(.path(.screen(7, .path(.move(.push(.init(id: 1)))))))
    #expect(lego.design.path.top?.path.top?.id == 1)
  }
}
