import LegoKit
import LegoTesting
import Observation
import Testing

// A travel guide in the words of SimpleArch: a navigator, and view models with dependencies.

private struct GuideLinks: Routing {
  struct State: RouterState {
    enum Views { case index, city }
    var view: Views = .index
    var city = 0
    var isLoginRequired = false
  }

  enum Route: Equatable {
    case index
    case show(Int)
    case login(Bool)
  }

  func route(to route: Route, on state: inout State) {
    switch route {
    case .index: state.view = .index
    case .show(let city): (state.view, state.city) = (.city, city)
    case .login(let isRequired): state.isLoginRequired = isRequired
    }
  }

  func route(with url: String, on state: inout State) {}
}

extension Router<GuideLinks> {
  /// Navigation of the program's own: a city, once somebody has logged in.
  fileprivate func visit(_ city: Int) {
    route(to: .login(true))
    route(to: .show(city))
  }
}

private func navigator() -> Router<GuideLinks> { .init(.init(), routing: GuideLinks()) }

private struct GuideView {
  @ObservedRoutes var navigator: Router<GuideLinks>

  var text: String {
    switch navigator.state.view {
    case .index: "Index"
    case .city: "City \(navigator.state.city)"
    }
  }
}

private struct Weather: Service {
  static let contractor = Weather(report: { "sunny in \($0)" })
  static let testContractor: Weather? = contractor
  var report: @Sendable (Int) async -> String
}

private struct Distance: Service {
  static let contractor = Distance()
  static let testContractor: Distance? = Distance()
  func distance(to city: Int) -> Int { city * 100 }
}

/// A service that is made of others.
private struct Trip: Service {
  static let contractor = Trip()
  static let testContractor: Trip? = Trip()
  @Contractor(\.weather) private var weather
  @Contractor(\.distance) private var distance

  func summary(of city: Int) async -> String {
    "\(distance.distance(to: city)) km, \(await weather.report(city))"
  }
}

extension Contractors {
  fileprivate var weather: Weather {
    get { Self[Weather.self] }
    set { Self[Weather.self] = newValue }
  }
  fileprivate var distance: Distance { Self[Distance.self] }
  fileprivate var trip: Trip { Self[Trip.self] }
}

private struct CityModel: Blueprint {
  struct Design: Equatable, Sendable { var text = "" }

  enum Change: Equatable, Sendable {
    case load(Int)
    case loaded(String)
  }

  func change(_ design: inout Design, on change: Change) {
    if case .loaded(let text) = change { design.text = text }
  }
}

private final class CityAdaptor: Adaptor<CityModel> {
  @Contractor(\.trip) private var trip

  override func effect(_ design: CityModel.Design, on change: CityModel.Change)
    -> Effect<CityModel.Change>
  {
    guard case .load(let city) = change else { return .none }
    return .run { [trip] send in send(.loaded(await trip.summary(of: city))) }
  }
}

@Suite(.timeLimit(.minutes(5))) struct `The names of SimpleArch` {
  // Row of FromSimpleArch: `NavigationRouter`, `NavigatorRouter`
  @Test func `a navigator is a router, an object that all refer to`() {
    func router<Rules: Routing>(_ rules: Rules) -> Router<Rules> { Router(.init(), routing: rules) }
    let navigator = router(GuideLinks())
    let other: AnyObject = navigator
    navigator.route(to: .show(3))
    #expect(other === navigator && navigator.state.city == 3)
  }

  // Row of FromSimpleArch: `ExampleFlowLinks`, an enumeration of links
  @Test func `links are routes`() {
    func links<Rules: Routing>(of _: Rules) -> Rules.Route.Type { Rules.Route.self }
    #expect(links(of: GuideLinks()) == GuideLinks.Route.self)
  }

  // Row of FromSimpleArch: the associated values of a link, such as `show(1)`
  @Test func `a link has the data for its view`() {
    let navigator = navigator()
    navigator.route(to: .show(1))
    #expect(navigator.state.city == 1)
  }

  // Row of FromSimpleArch: `view(forLink:)`, `view` of a link
  @Test func `a switch over the view of the state says what to draw`() {
    func view<State: RouterState>(of state: State) -> State.Views { state.view }
    let navigator: Router<GuideLinks> = navigator()
    withRouter(navigator) {
      #expect(GuideView().text == "Index")
      navigator.route(to: .show(1))
      #expect(GuideView().text == "City 1")
      #expect(view(of: navigator.state) == .city)
    }
  }

  // Row of FromSimpleArch: `link(title:to:)`, `navigate(title:to:)`, `navigate(label:to:)`
  @Test func `a choice takes a route`() {
    let navigator: Router<GuideLinks> = navigator()
    let menu: [(title: String, link: GuideLinks.Route)] = [("Index", .index), ("Rome", .show(2))]
    for item in menu where item.title == "Rome" { navigator.route(to: item.link) }
    #expect(navigator.state.city == 2)
  }

  // Row of FromSimpleArch: `ObservableObject`, `@Published`, `isLoginRequired`
  @Test func `a property of the state is observed`() async {
    let router: Router<GuideLinks> = navigator()
    var states = Observations { router.state }.makeAsyncIterator()
    #expect(await states.next()?.isLoginRequired == false)
    router.route(to: .login(true))
    #expect(await states.next()?.isLoginRequired == true)
    #expect((router.state as any RouterState) is GuideLinks.State)
  }

  // Row of FromSimpleArch: custom navigation logic of the router
  @Test func `a router has methods of the program's own`() {
    let navigator: Router<GuideLinks> = navigator()
    navigator.visit(4)
    #expect(navigator.state.isLoginRequired && navigator.state.city == 4)
  }

  private struct Registered: Routing {
    typealias State = GuideLinks.State
    func route(to route: Int, on state: inout State) { state.city = route }
    func route(with url: String, on state: inout State) {}
  }

  // Row of FromSimpleArch: `@EnvironmentObject`, `environmentObject(_:)`
  @Test func `a view finds the navigator of the process`() {
    struct ExampleView {
      @ObservedRoutes var navigator: Router<Registered>
    }
    let navigator = Router(.init(), routing: Registered())
    LegoKit.router(navigator)
    ExampleView().navigator.route(to: 9)
    #expect(navigator.state.city == 9)
  }

  // Row of FromSimpleArch: `View`, `body`, `NavigationView`, `NavigationLink`, `AnyView`, `VStack`, `Text`
  @Test func `a program draws the states`() async {
    let navigator: Router<GuideLinks> = navigator()
    navigator.route(to: .show(1))
    for await state in navigator.states {
      #expect("[\(state.view) \(state.city)]" == "[city 1]")
      break
    }
  }

  // Row of FromSimpleArch: `PreviewProvider`, `previews`
  @Test func `what is drawn gets a router of its own`() {
    let preview = Router(.init(view: .city, city: 5), routing: GuideLinks())
    #expect(withRouter(preview) { GuideView().text } == "City 5")
  }

  // Row of FromSimpleArch: `Injector`
  @Test func `a container of dependencies is extended by a property`() async {
    #expect(await Contractors().weather.report(1) == "sunny in 1")
  }

  // Row of FromSimpleArch: `Injectable`, `dependencies`
  @Test func `any type has what it needs`() async {
    struct Anything {
      @Contractor(\.weather) var weather
    }
    #expect(await Anything().weather.report(1) == "sunny in 1")
  }

  // Row of FromSimpleArch: `Dependencies`, a container of one type
  @Test func `the dependencies of a type are a few properties`() async {
    struct Planner {
      @Contractor(\.weather) var weather
      @Contractor(\.distance) var distance
    }
    #expect(Planner().distance.distance(to: 2) == 200)
    #expect(await Planner().weather.report(2) == "sunny in 2")
  }

  // Row of FromSimpleArch: `inject()`
  @Test func `a dependency is its service's contractor unless another was put in its place`() async
  {
    func inject<S: Service>(_: S.Type) -> S.Value { S.contractor }
    let injected = await inject(Weather.self).report(1)
    #expect(await Contractors().weather.report(1) == injected)
  }

  // Row of FromSimpleArch: `init(dependencies:)` with a default value
  @Test(.contractors { $0.weather = Weather(report: { _ in "rain" }) })
  func `a test puts another in its place`() async {
    #expect(await Contractors().weather.report(1) == "rain")
    await withContractors {
      $0.weather = Weather(report: { _ in "snow" })
    } operation: {
      #expect(await Trip.contractor.summary(of: 1) == "100 km, snow")
    }
  }

  // Row of FromSimpleArch: a custom container and its provider
  @Test func `a service is made of others`() async {
    #expect(await Contractors().trip.summary(of: 2) == "200 km, sunny in 2")
  }

  // Row of FromSimpleArch: `ServiceDependencies`, `ViewModelDependencies`
  @Test func `services and view models share one set`() async {
    await withContractors {
      $0.weather = Weather(report: { _ in "rain" })
    } operation: {
      let model = Lego(.init(), blueprint: CityModel(), adaptors: [CityAdaptor()])
      await model.build(.load(1)).finished()
      #expect(model.design.text == "100 km, rain")
      #expect(await Contractors().weather.report(1) == "rain")
    }
  }

  // Row of FromSimpleArch: `Service`
  @Test func `a service is a service`() async {
    func isService(_: some Service) -> Bool { true }
    #expect(isService(Weather.contractor) && isService(Trip()))
  }

  // Row of FromSimpleArch: `ViewModel`
  @Test func `a view model is a lego whose adaptors find services`() async {
    let model: Lego<CityModel> = Lego(.init(), blueprint: CityModel(), adaptors: [CityAdaptor()])
    await model.build(.load(3)).finished()
    #expect(model.design.text == "300 km, sunny in 3")
  }
}
