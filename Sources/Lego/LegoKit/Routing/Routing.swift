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
/// The rules are pure: they read only their arguments, and change only the state. If several routes
/// are applied at the same time, the rules may run more than once for a route.
public protocol Routing: Sendable {
  /// The state that the router holds.
  associatedtype State: RouterState
  /// A request to change the state, for example to show a different view.
  associatedtype Route: Sendable

  /// Applies a route to the state.
  func route(to route: Route, on state: inout State)

  /// Applies a link to the state.
  ///
  /// If the link is unknown, the state must not change.
  func route(with url: String, on state: inout State)
}

/// The state of a ``Router``: the current view, and everything else that routes change.
public protocol RouterState: Equatable, Sendable {
  /// The type of the current view, usually an enum.
  associatedtype Views

  /// Creates the initial state.
  ///
  /// A substitute for a missing router always has this state.
  init()

  /// The current view.
  var view: Views { get set }
}

/// A property wrapper that reads the current router, for blueprints and adaptors.
///
/// The router is looked up each time the property is read.
///
/// ```swift
/// struct AuthBlueprint: Blueprint {
///   @Routes private var router: Router<RoutingService>
/// }
/// ```
///
/// If no router was registered with ``router(_:)``, the property returns a substitute. The
/// substitute keeps the initial state, and reports each route to the ``Contractors/problemSink``.
@propertyWrapper
public struct Routes<Rules: Routing>: Sendable {
  /// Creates a reference to the router whose rules are of type `Rules`.
  public init() {}

  /// The current router.
  public var wrappedValue: Router<Rules> { RouterRegistry.router(of: Rules.self) }
}

/// A property wrapper that reads the current router, for views.
///
/// The projected value is the sequence of the router's states.
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
/// `Observations { router.state }` works as well. If no router was registered, the property returns
/// a substitute, as described for ``Routes``.
@propertyWrapper
public struct ObservedRoutes<Rules: Routing>: Sendable {
  /// Creates a reference to the router whose rules are of type `Rules`.
  public init() {}

  /// The current router.
  public var wrappedValue: Router<Rules> { RouterRegistry.router(of: Rules.self) }

  /// The states of the current router: first the current one, then the latest after each change.
  public var projectedValue: Selection<Rules.State> { wrappedValue.states }
}
