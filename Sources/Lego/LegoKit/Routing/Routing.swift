/// The rules that apply routes to a state.
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
/// The rules are pure: they read only their arguments, and change only the state. If two routes are
/// applied at the same time, the rules may run twice for one of them.
public protocol Routing: Sendable {
  /// The state that a router shows.
  associatedtype State: RouterState
  /// A request to show another view.
  associatedtype Route: Sendable

  /// Applies a route.
  func route(to route: Route, on state: inout State)

  /// Applies a link.
  ///
  /// An unknown link must not change the state.
  func route(with url: String, on state: inout State)
}

/// The state of a ``Router``: the current view, and everything else that depends on routes.
public protocol RouterState: Equatable, Sendable {
  /// The type of the views.
  associatedtype Views

  /// Creates the first state.
  ///
  /// It is also the state of a missing router.
  init()

  /// The current view.
  var view: Views { get set }
}

/// The router in force, for blueprints and adaptors.
///
/// It is looked up each time it is used.
///
/// ```swift
/// struct AuthBlueprint: Blueprint {
///   @Routes private var router: Router<RoutingService>
/// }
/// ```
///
/// If no router was registered with ``router(_:)``, a substitute is used, which shows the first
/// state and reports each route to the ``Contractors/problemSink``.
@propertyWrapper
public struct Routes<Rules: Routing>: Sendable {
  /// Finds the router by the type of the property.
  public init() {}

  /// The router in force.
  public var wrappedValue: Router<Rules> { RouterRegistry.router(of: Rules.self) }
}

/// The router in force, for views.
///
/// The projected value is the sequence of its states.
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
/// `Observations { router.state }` works as well. If no router was registered, it behaves like
/// ``Routes``.
@propertyWrapper
public struct ObservedRoutes<Rules: Routing>: Sendable {
  /// Finds the router by the type of the property.
  public init() {}

  /// The router in force.
  public var wrappedValue: Router<Rules> { RouterRegistry.router(of: Rules.self) }

  /// The states of the router in force: the current one first, then the latest after each change.
  public var projectedValue: Selection<Rules.State> { wrappedValue.states }
}
