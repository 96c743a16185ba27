/// Holds a program's navigation state, and changes it in response to routes.
///
/// ```swift
/// let router = Router(.init(), routing: RoutingService())
/// LegoKit.router(router)
/// router.route(to: .home)
/// ```
///
/// A router can be used from any thread, and from inside a blueprint. When ``route(to:)`` returns,
/// the route has been applied to the state. A task of the router notifies the observers in order;
/// the call itself never does. While a ``Replay`` applies changes, routes are ignored.
public final class Router<Rules: Routing>: Sendable {
  /// The state that the router holds.
  public typealias State = Rules.State
  /// A request to change the state, for example to show a different view.
  public typealias Route = Rules.Route

  /// The rules, or `nil` if this router is a substitute for a missing one.
  private let routing: Rules?
  private let lego: Lego<RouterBlueprint<State>>

  /// Creates a router.
  ///
  /// - Parameters:
  ///   - state: The initial state.
  ///   - routing: The rules that apply routes to the state.
  public init(_ state: State, routing: Rules) {
    self.routing = routing
    lego = Lego(state, blueprint: RouterBlueprint())
  }

  /// Creates a substitute for a router that was not registered.
  init(missing: Rules.Type) {
    routing = nil
    lego = Lego(State(), blueprint: RouterBlueprint())
  }

  /// The current state.
  ///
  /// Reads inside `Observations` are tracked.
  public var state: State { lego.design }

  /// The states of the router: first the current one, then the latest after each change.
  public var states: Selection<State> { lego.designs }

  /// Applies a route.
  ///
  /// - Returns: A handle whose ``Build/finished()`` waits until the observers have been notified.
  @discardableResult
  public func route(to route: Route) -> Build {
    change { $0.route(to: route, on: &$1) }
  }

  /// Applies a link.
  ///
  /// - Parameter url: The link, which is passed to the rules without validation.
  /// - Returns: A handle whose ``Build/finished()`` waits until the observers have been notified.
  @discardableResult
  public func route(with url: String) -> Build {
    change { $0.route(with: url, on: &$1) }
  }

  /// Returns a `Glue` for a value of the state.
  ///
  /// Every write applies the given route, regardless of the value.
  public func routable<Value: Sendable>(
    _ keyPath: any KeyPath<State, Value> & Sendable, route: Route
  ) -> Glue<Value> {
    routable(keyPath) { _ in route }
  }

  /// Returns a `Glue` for a value of the state.
  ///
  /// Writing a value applies the route that `route` returns for it.
  public func routable<Value: Sendable>(
    _ keyPath: any KeyPath<State, Value> & Sendable,
    route: @escaping @Sendable (Value) -> Route
  ) -> Glue<Value> {
    Glue(get: { self.state[keyPath: keyPath] }, set: { self.route(to: route($0)) })
  }

  /// Calls a closure with the new state each time the state changes, until the token is cancelled
  /// or freed.
  public func onStateChange(_ body: @escaping @Sendable (State) -> Void) -> AnyCancellable {
    lego.onDesignChange(body)
  }

  private func change(_ body: (Rules, inout State) -> Void) -> Build {
    guard let routing else {
      RouterProblem.report("ignored a route: no router of \(Rules.self) is registered")
      return Build(number: 0, owner: lego)
    }
    if Replaying.isUnderWay { return Build(number: 0, owner: lego) }
    // The rules run outside the lock. If another route is applied in the meantime, they run again.
    while true {
      let (number, before) = lego.snapshot
      var state = before
      body(routing, &state)
      if let build = lego.applyWithoutDelivering(.init(state: state), ifNumberIs: number) {
        return build
      }
    }
  }
}

/// The blueprint of a router's store.
///
/// Its only change replaces the state.
struct RouterBlueprint<State: RouterState>: Blueprint {
  struct Change: Equatable, Sendable {
    let state: State
  }

  func change(_ design: inout State, on change: Change) { design = change.state }
}

/// Reports misuse of routers.
enum RouterProblem {
  /// Reports a problem from a detached task, because the caller may be a blueprint that runs under
  /// a lock.
  static func report(_ problem: String) {
    let sink = Contractors().problemSink
    Task.detached { sink.write(problem) }
  }
}
