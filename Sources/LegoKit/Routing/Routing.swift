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
