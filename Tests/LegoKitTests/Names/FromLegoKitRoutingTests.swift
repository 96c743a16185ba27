import LegoKit
import LegoTesting
import Observation
import Testing

// The rooms of a museum, in the words of the manual's routing chapter.

private struct MuseumRouting: Routing {
  struct State: RouterState {
    enum Views {
      case entrance
      case hall
      case shop
    }

    var view: Views = .entrance
    var isMapShown = false
    var path: Stack<Exhibit> = []
  }

  struct Exhibit: Identifiable, Equatable, Sendable {
    let id: Int
  }

  enum Route: Equatable, Sendable {
    case hall
    case shop
    case map(Bool)
    case exhibit(Int)

    var exhibit: Int? { if case .exhibit(let id) = self { id } else { nil } }
  }

  func route(to route: Route, on state: inout State) {
    switch route {
    case .hall: state.view = .hall
    case .shop: state.view = .shop
    case .map(let isShown): state.isMapShown = isShown
    case .exhibit(let id): state.path.push(Exhibit(id: id))
    }
  }

  func route(with url: String, on state: inout State) {
    guard let links = try? Self.links(), let found = try? links.route(to: url) else { return }
    route(to: found, on: &state)
  }

  static func links() throws -> Links<Route> {
    Links(
      scheme: "museum",
      [
        try Link("/hall", Route.hall),
        try Link("/exhibit/:id", Route.exhibit, { $0.exhibit }),
      ])
  }
}

private typealias Museum = Router<MuseumRouting>

private func museum() -> Museum { .init(.init(), routing: MuseumRouting()) }

private struct VisitBlueprint: Blueprint {
  @Routes private var router: Router<MuseumRouting>

  struct Design: Equatable, Sendable {
    var ticket: Int?
  }

  enum Change: Equatable, Sendable {
    case admitted(ticket: Int?)
  }

  func change(_ design: inout Design, on change: Change) {
    switch change {
    case .admitted(let ticket):
      design.ticket = ticket
      router.route(to: ticket == nil ? .shop : .hall)
    }
  }
}

private struct GuideView {
  @ObservedRoutes var router: Museum

  func shown(until view: MuseumRouting.State.Views) async -> [MuseumRouting.State.Views] {
    var views: [MuseumRouting.State.Views] = []
    for await state in $router {
      views.append(state.view)
      if state.view == view { break }
    }
    return views
  }
}

@Suite(.timeLimit(.minutes(5))) struct `The names of LegoKit: routing` {
  // Row of FromLegoKit: `Routing`, `route(to:on:)`
  @Test func `rules turn a route into a state`() {
    func state<Rules: Routing>(_ rules: Rules, _ route: Rules.Route) -> Rules.State {
      var state = Rules.State()
      rules.route(to: route, on: &state)
      return state
    }
    #expect(state(MuseumRouting(), .shop).view == .shop)
  }

  // Row of FromLegoKit: `route(with:on:)`, `URL`
  @Test func `rules turn a link, which is a text, into a state`() {
    var state = MuseumRouting.State()
    let link: String = "museum://exhibit/4"
    MuseumRouting().route(with: link, on: &state)
    #expect(state.path.map(\.id) == [4])
    let before = state
    MuseumRouting().route(with: "museum:/exhibit/%zz", on: &state)
    #expect(state == before)
    func reads(_ links: Links<MuseumRouting.Route>) -> Bool { (try? links.route(to: link)) != nil }
    #expect((try? MuseumRouting.links()).map(reads) == true)
  }

  // Row of FromLegoKit: `RouterState`, `State`
  @Test func `a state is compared, crosses threads, and has a first value`() async {
    func first<State: RouterState & Equatable & Sendable>(_: State.Type) -> State { State.init() }
    let state = first(MuseumRouting.State.self)
    #expect(await Task.detached { state }.value == MuseumRouting.State())
  }

  // Row of FromLegoKit: `view`, `Views`
  @Test func `a state says which of its views is shown`() {
    func show<State: RouterState>(_ view: State.Views, in state: inout State) { state.view = view }
    var state = MuseumRouting.State()
    show(.shop, in: &state)
    #expect(state.view == MuseumRouting.State.Views.shop)
  }

  // Row of FromLegoKit: `Route`
  @Test func `a route crosses threads`() async {
    func sent<Rules: Routing>(_ route: Rules.Route, of _: Rules) async -> Rules.Route {
      await Task.detached { route }.value
    }
    #expect(await sent(.exhibit(2), of: MuseumRouting()) == .exhibit(2))
    func isSendable<Route: Sendable>(_: Route) -> Bool { true }
    #expect(isSendable(MuseumRouting.Route.hall))
  }

  // Row of FromLegoKit: `Router`, `.init(_:routing:)`, `state`, `route(to:)`
  @Test func `a router keeps the state, and routes change it at once`() {
    let router: Router<MuseumRouting> = .init(.init(), routing: MuseumRouting())
    #expect(router.state.view == .entrance)
    router.route(to: .hall)
    #expect(router.state.view == .hall)
  }

  private struct Registration: Routing {
    typealias State = MuseumRouting.State
    func route(to route: Bool, on state: inout State) { state.isMapShown = route }
    func route(with url: String, on state: inout State) {}
  }

  // Row of FromLegoKit: `LegoKit.router(_:)`, a singleton
  @Test func `there is one router of a kind, save where a test has its own`() {
    @Routes var found: Router<Registration>
    let router = Router(.init(), routing: Registration())
    LegoKit.router(router)
    #expect(found === router)
    withContractors {
      $0.problemSink = .nowhere
    } operation: {
      let isFirst = LegoKit.router(Router(.init(), routing: Registration()))
      #expect(!isFirst)
    }
    #expect(found === router)
    let own = Router(.init(), routing: Registration())
    withRouter(own) { #expect(found === own) }
  }

  // Row of FromLegoKit: `routable(_:route:)`, `KeyPath`
  @Test func `a value of the state is bound to a route by its key path`() {
    let router = museum()
    let path: any KeyPath<MuseumRouting.State, Bool> & Sendable = \.isMapShown
    let map: Glue<Bool> = router.routable(path, route: .map(false))
    router.route(to: .map(true))
    #expect(map.wrappedValue)
    map.wrappedValue = false
    #expect(!router.state.isMapShown)
  }

  // Row of FromLegoKit: `sheet(isPresented:)`
  @Test func `a sheet is drawn while its glue says so, and closes by a route`() {
    struct Sheet {
      let isPresented: Glue<Bool>
      var text: String { isPresented.wrappedValue ? "map" : "" }
      func close() { isPresented.wrappedValue = false }
    }
    let router = museum()
    let sheet = Sheet(isPresented: router.routable(\.isMapShown, route: .map(false)))
    #expect(sheet.text == "")
    router.route(to: .map(true))
    #expect(sheet.text == "map")
    sheet.close()
    #expect(sheet.text == "" && !router.state.isMapShown)
  }

  // Row of FromLegoKit: `@Routes`
  @Test func `a blueprint finds the router`() {
    let router = museum()
    withRouter(router) {
      let lego = Lego(.init(), blueprint: VisitBlueprint())
      lego.build(.admitted(ticket: 7))
      #expect(router.state.view == .hall)
      lego.build(.admitted(ticket: nil))
      #expect(router.state.view == .shop)
    }
  }

  // Row of FromLegoKit: `@ObservedRoutes`, `DynamicProperty`
  @Test func `a view finds the router, and sees its states`() async {
    let router = museum()
    await withRouter(router) {
      let view = GuideView()
      async let shown = view.shown(until: .shop)
      view.router.route(to: .shop)
      #expect(await shown.last == .shop)
    }
  }

  // Row of FromLegoKit: not there yet: links
  @Test func `a link is a template for both directions`() throws {
    let link: Link<MuseumRouting.Route> = try Link("/hall", .hall)
    #expect(Links([link]).link(to: .hall) == "/hall")
    let links: Links<MuseumRouting.Route> = try MuseumRouting.links()
    #expect(try links.route(to: "museum:/exhibit/3") == .exhibit(3))
    #expect(links.link(to: .exhibit(3)) == "museum:/exhibit/3")
  }

  // Row of FromLegoKit: not there yet: `NavigationView`, `NavigationLink`
  @Test func `a state of a router holds a path`() {
    let router = museum()
    for id in [1, 2, 1] { router.route(to: .exhibit(id)) }
    #expect(router.state.path.map(\.id) == [1, 2])
  }

  // Row of FromLegoKit: not there yet: an asynchronous `Router`
  @Test func `a route is awaited until it has been told`() async {
    let router = museum()
    let told = Collected<Bool>()
    let token = router.onStateChange { told.append($0.isMapShown) }
    await router.route(to: .map(true)).finished()
    #expect(told.values == [true])
    token.cancel()
  }
}
