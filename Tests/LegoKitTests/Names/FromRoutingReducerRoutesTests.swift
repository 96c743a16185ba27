import LegoKit
import LegoTesting
import Testing

private typealias Menu = Kitchen.Menu
private typealias Dish = Kitchen.Dish
private typealias Screen = Kitchen.Screen
private typealias ScreenChange = Kitchen.ScreenChange

@Suite struct `The names of RoutingReducer: the routes, views and limitations` {
  // Row of FromRoutingReducer: `Route`, `Routing`
  @Test func `routes are an enumeration of screens`() {
    func isRoute<Route: Identifiable & Equatable & Sendable>(_: Route) -> Bool { true }
    #expect(isRoute(kitchenDish(1)))
    var route = kitchenDish(1)
    Kitchen.screens.blueprint.change(&route, on: .dish(.note("hot")))
    Screens<Screen, ScreenChange>().change(&route, on: .dish(.note("cold")))
    #expect(route.dish?.note == "hot")
  }

  // Row of FromRoutingReducer: `Route.Action`
  @Test func `the actions of routes are an enumeration too`() {
    func changes<Rules: Blueprint>(of _: Feature<Rules>) -> Rules.Change.Type { Rules.Change.self }
    #expect(changes(of: Kitchen.screens) == ScreenChange.self)
    #expect(Screens<Screen, ScreenChange>.Change.self == ScreenChange.self)
  }

  // Row of FromRoutingReducer: `Scope(state:action:)`, `/Route.first`
  @Test func `the rules of a route are found by two case paths`() {
    let path: CasePath<Screen, Dish.Design> = .case(Screen.timer, { $0.timer })
    let timers = Feature(Screens<Screen, ScreenChange>())
      .route(path, .case(ScreenChange.timer, \.timer), Feature(Dish()))
    var route = Screen.timer(.init(id: 1))
    timers.blueprint.change(&route, on: .timer(.note("5 minutes")))
    #expect(route.timer?.note == "5 minutes")
  }

  // Row of FromRoutingReducer: `RoutedState`, `UUID`
  @Test func `a screen with an id of its own appears any number of times`() {
    func isIdentifiable(_: some Identifiable) -> Bool { true }
    #expect(isIdentifiable(Dish.Design(id: 1)))
    let lego = Kitchen.lego()
    for id in [1, 2, 3] { lego.build(.root(.open(kitchenDish(id)))) }
    #expect(lego.design.path.count == 3)
  }

  // Row of FromRoutingReducer: an `id` that is the same text for each
  @Test func `a screen whose id is always the same appears once`() {
    let lego = Kitchen.lego()
    for id in [1, 2, 3] { lego.build(.root(.open(.timer(.init(id: id))))) }
    #expect(lego.design.path == [.timer(.init(id: 1))])
  }

  // Row of FromRoutingReducer: `StoreOf`, `store`
  @Test func `a store is a lego, or a scope of it`() {
    let store: Lego<Kitchen.Rules> = Kitchen.lego()
    let part: LegoScope<Menu.Design, Menu.Change> = store.scope(\.root, change: { .root($0) })
    part.build(.open(kitchenDish(1)))
    #expect(part.design.opened == 1 && store.design.path.count == 1)
  }

  // Row of FromRoutingReducer: `WithRoutingStore`, `rootStore`
  @Test func `the root has a store of its own`() {
    let lego = Kitchen.lego()
    let root = lego.scope(\.root, change: { .root($0) })
    root.build(.show(kitchenDish(1)))
    #expect(lego.design.modals.count == 1 && root.design.opened == 1)
  }

  // Row of FromRoutingReducer: `RoutedNavigationStack`, `navigation` of a view
  @Test func `what is drawn is the top of the path, or the root`() {
    func drawn(_ path: Stack<Screen>) -> String { path.top?.id ?? "menu" }
    let lego = Kitchen.lego()
    #expect(drawn(lego.design.path) == "menu")
    lego.build(.root(.open(kitchenDish(1))))
    #expect(drawn(lego.design.path) == "dish 1")
  }

  // Row of FromRoutingReducer: `modal`, `item`, `content`, `sheet(item:content:)`
  @Test func `what is drawn over it is the top of the modals`() {
    func drawn(_ modals: Presented<Screen>) -> String? { modals.top?.id }
    let lego = Kitchen.lego()
    #expect(drawn(lego.design.modals) == nil)
    lego.build(.root(.show(kitchenDish(1))))
    #expect(drawn(lego.design.modals) == "dish 1")
  }

  // Row of FromRoutingReducer: `routes:`, `SwitchStore`, `CaseLet`, `then`
  @Test func `a switch over a screen finds its store by its id`() {
    let lego = Kitchen.lego()
    lego.build(.root(.open(.timer(.init(id: 1)))))
    switch lego.design.path.top {
    case .timer?:
      let timer = lego.scope(\.path, id: "timer", change: { .path(.screen($0, $1)) })
      timer?.build(.timer(.note("5 minutes")))
    default: Issue.record("no timer")
    }
    #expect(lego.design.path.top?.timer?.note == "5 minutes")
  }

  // Row of FromRoutingReducer: `View`, `body` of a view
  @Test func `a program draws each design`() async {
    let lego: Lego<Kitchen.Rules> = Kitchen.lego()
    lego.build(.root(.open(kitchenDish(1))))
    for await design in lego.designs {
      #expect("menu > \(design.path.map(\.id).joined(separator: " > "))" == "menu > dish 1")
      break
    }
  }

  // Row of FromRoutingReducer: different modal presentations need a custom binding
  @Test func `each screen has a style`() {
    func style<Screen: StyledScreen>(of screen: Screen) -> Screen.Style { screen.style }
    let lego = Kitchen.lego()
    #expect(lego.design.modals.style == nil)
    lego.build(.root(.show(kitchenDish(1))))
    #expect(lego.design.modals.style == .sheet)
    let timer = Screen.timer(.init(id: 1))
    lego.build(.root(.show(timer)))
    let modals: Presented<Screen> = lego.design.modals
    #expect(modals.style == .overlay && style(of: timer) == .overlay)
  }

  // Row of FromRoutingReducer: effects are cancelled by hand
  @Test(.timeLimit(.minutes(5))) func `every way to go ends the effects of a screen`() async {
    let moves: [Stack<Screen>.Move] = [
      .pop, .popToRoot, .popTo("timer"), .close("dish 1"), .replace(kitchenDish(2)), .set([]),
    ]
    for move in moves {
      let clock = TestClock()
      await withContractors {
        $0.clock = clock
      } operation: {
        let lego = Kitchen.lego()
        lego.build(.root(.open(.timer(.init(id: 0)))))
        lego.build(.root(.open(kitchenDish(1))))
        let cooking = lego.build(.path(.screen("dish 1", .dish(.cook))))
        await clock.waitForSleepers()
        #expect(lego.effectCount == 1)
        lego.build(.path(.move(move)))
        await cooking.finished()
        #expect(lego.effectCount == 0, "\(move)")
      }
    }
  }

  // Row of FromRoutingReducer: `@BindingState` of a screen that is dismissed
  @Test func `what is written late is reported, and changes nothing`() {
    let problems = Collected<String>()
    withContractors { (contractors: inout Contractors) in
      contractors.problemSink = LogSink { problems.append($0) }
    } operation: {
      let lego = Kitchen.lego()
      lego.build(.root(.show(kitchenDish(1))))
      let modal = lego.scope(\.modals, id: "dish 1", change: { .modals(.screen($0, $1)) })
      let note = modal?.glue(\.dish, change: { .dish(.note($0?.note ?? "")) })
      lego.build(.modals(.move(.dismiss)))
      let before = lego.design
      note?.wrappedValue = .init(id: 1, note: "late")
      #expect(lego.design == before)
      #expect(problems.values.count == 1)
    }
  }
}
