/// The single owner of the view that a program shows.
///
/// ```swift
/// let router = Router(.init(), routing: RoutingService())
/// LegoKit.router(router)
/// router.route(to: .home)
/// ```
///
/// A router may be used from any thread, including from a blueprint. When ``route(to:)`` returns,
/// the state has changed. A task of the router notifies the observers in order; the routing thread
/// never does. While a ``Replay`` applies a blueprint, its routes are ignored.
public final class Router<Rules: Routing>: Sendable {
  /// The state that the router shows.
  public typealias State = Rules.State
  /// A request to show another view.
  public typealias Route = Rules.Route

  /// The rules, or `nil` if the router is missing.
  private let routing: Rules?
  private let lego: Lego<RouterBlueprint<State>>

  /// Creates a router.
  ///
  /// - Parameters:
  ///   - state: The first state.
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
  /// Reading it inside `Observations` is tracked.
  public var state: State { lego.design }

  /// The states: the current one first, then the latest after each change.
  public var states: Selection<State> { lego.designs }

  /// Applies a route.
  ///
  /// - Returns: A handle. ``Build/finished()`` waits until the observers have been notified.
  @discardableResult
  public func route(to route: Route) -> Build {
    change { $0.route(to: route, on: &$1) }
  }

  /// Applies a link.
  ///
  /// - Parameter url: The link. It is passed to the rules unchecked.
  /// - Returns: A handle. ``Build/finished()`` waits until the observers have been notified.
  @discardableResult
  public func route(with url: String) -> Build {
    change { $0.route(with: url, on: &$1) }
  }

  /// A value of the state.
  ///
  /// Writing it applies one route, whatever the new value is.
  public func routable<Value: Sendable>(
    _ keyPath: any KeyPath<State, Value> & Sendable, route: Route
  ) -> Glue<Value> {
    routable(keyPath) { _ in route }
  }

  /// A value of the state.
  ///
  /// Writing it applies a route that is made from the new value.
  public func routable<Value: Sendable>(
    _ keyPath: any KeyPath<State, Value> & Sendable,
    route: @escaping @Sendable (Value) -> Route
  ) -> Glue<Value> {
    Glue(get: { self.state[keyPath: keyPath] }, set: { self.route(to: route($0)) })
  }

  /// Calls a closure with each state that differs from the previous one, until the token is
  /// cancelled or freed.
  public func onStateChange(_ body: @escaping @Sendable (State) -> Void) -> AnyCancellable {
    lego.onDesignChange(body)
  }

  private func change(_ body: (Rules, inout State) -> Void) -> Build {
    guard let routing else {
      RouterProblem.report("ignored a route: no router of \(Rules.self) is registered")
      return Build(number: 0, owner: lego)
    }
    if Replaying.isUnderWay { return Build(number: 0, owner: lego) }
    // The rules run outside the lock. If another route was applied in the meantime, they run again.
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

/// The blueprint of a router's store, which replaces the state.
struct RouterBlueprint<State: RouterState>: Blueprint {
  struct Change: Equatable, Sendable {
    let state: State
  }

  func change(_ design: inout State, on change: Change) { design = change.state }
}

/// Reports misuse of routers.
enum RouterProblem {
  /// Reports a misuse from a task, because a blueprint may use a router under its store's lock.
  static func report(_ problem: String) {
    let sink = Contractors().problemSink
    Task.detached { sink.write(problem) }
  }
}
