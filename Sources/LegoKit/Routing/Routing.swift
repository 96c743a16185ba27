/// Where routes lead to, as rules over a state.
///
/// ```swift
/// struct RoutingService: Routing {
///   struct State: RouterState {
///     enum Views { case loading, home }
///     var view: Views = .loading
///     var displaySheet = false
///   }
///
///   enum Route {
///     case home
///     case sheet(Bool)
///   }
///
///   func route(to route: Route, on state: inout State) {
///     switch route {
///     case .home: state.view = .home
///     case .sheet(let isDisplayed): state.displaySheet = isDisplayed
///     }
///   }
///
///   func route(with url: String, on state: inout State) {
///     if url == "demo://home" { state.view = .home }
///   }
/// }
/// ```
///
/// The rules are pure: they look at nothing but their arguments, and change nothing but the state.
/// When two routes meet, the rules may be asked again for one of them.
public protocol Routing: Sendable {
  /// What a router shows.
  associatedtype State: RouterState
  /// What leads somewhere else.
  associatedtype Route: Sendable

  /// Goes where a route leads.
  func route(to route: Route, on state: inout State)

  /// Goes where a link leads; a link that leads nowhere leaves the state as it is.
  func route(with url: String, on state: inout State)
}

/// What a ``Router`` shows: a view, and whatever else is decided by routes.
public protocol RouterState: Equatable, Sendable {
  /// The kinds of views.
  associatedtype Views

  /// Creates the state that is shown first, which also stands for a router that is missing.
  init()

  /// The view that is shown.
  var view: Views { get set }
}

/// The router in force, looked up each time it is used, for blueprints and adaptors.
///
/// ```swift
/// struct AuthBlueprint: Blueprint {
///   @Routes private var router: Router<RoutingService>
/// }
/// ```
///
/// Where no router was registered with ``router(_:)``, it is one that shows the first state and
/// reports each route to the ``Contractors/problemSink``.
@propertyWrapper
public struct Routes<Rules: Routing>: Sendable {
  /// Names the router by the type of the property.
  public init() {}

  /// The router in force now.
  public var wrappedValue: Router<Rules> { RouterRegistry.router(of: Rules.self) }
}

/// The router in force, for what shows its state: the projected value is the states as they change.
///
/// ```swift
/// struct ContentView {
///   @ObservedRoutes private var router: Router<RoutingService>
///
///   func show() async {
///     for await state in $router { draw(state.view) }
///   }
/// }
/// ```
///
/// `Observations { router.state }` works as well. Where no router was registered, it is as
/// ``Routes`` says.
@propertyWrapper
public struct ObservedRoutes<Rules: Routing>: Sendable {
  /// Names the router by the type of the property.
  public init() {}

  /// The router in force now.
  public var wrappedValue: Router<Rules> { RouterRegistry.router(of: Rules.self) }

  /// The states of the router in force now: the current one first, then the latest each time.
  public var projectedValue: Selection<Rules.State> { wrappedValue.states }
}
