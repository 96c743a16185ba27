/// The one place of a program that knows which view it shows.
///
/// ```swift
/// let router = Router(.init(), routing: RoutingService())
/// LegoKit.router(router)
/// router.route(to: .home)
/// ```
///
/// A router may be used from any thread, also from a blueprint. When ``route(to:)`` returns, the
/// state is the new one. Those who observe are told by a task of the router, in order, and never by
/// the thread that routes. While a ``Replay`` applies a blueprint, its routes are ignored.
public final class Router<Rules: Routing>: Sendable {
  /// What the router shows.
  public typealias State = Rules.State
  /// What leads somewhere else.
  public typealias Route = Rules.Route

  /// The rules, and the store of the state; the rules are `nil` where the router is missing.
  private let routing: Rules?
  private let lego: Lego<RouterBlueprint<State>>

  /// Creates a router.
  ///
  /// - Parameters:
  ///   - state: What it shows first.
  ///   - routing: Where routes lead to.
  public init(_ state: State, routing: Rules) {
    self.routing = routing
    lego = Lego(state, blueprint: RouterBlueprint())
  }

  /// Stands for a router that was not registered.
  init(missing: Rules.Type) {
    routing = nil
    lego = Lego(State(), blueprint: RouterBlueprint())
  }

  /// What is shown now; reading it inside `Observations` is tracked.
  public var state: State { lego.design }

  /// What is shown as it changes: the current state first, then the latest each time.
  public var states: Selection<State> { lego.designs }

  /// Goes where a route leads.
  ///
  /// - Returns: A handle; ``Build/finished()`` waits until those who observe have been told.
  @discardableResult
  public func route(to route: Route) -> Build {
    change { $0.route(to: route, on: &$1) }
  }

  /// Goes where a link leads.
  ///
  /// - Parameter url: The link, as a program gets it; nothing is checked before the rules see it.
  /// - Returns: A handle; ``Build/finished()`` waits until those who observe have been told.
  @discardableResult
  public func route(with url: String) -> Build {
    change { $0.route(with: url, on: &$1) }
  }

  /// A value of the state whose writing takes one route, whatever is written.
  public func routable<Value: Sendable>(
    _ keyPath: any KeyPath<State, Value> & Sendable, route: Route
  ) -> Glue<Value> {
    routable(keyPath) { _ in route }
  }

  /// A value of the state whose writing takes the route made of it.
  public func routable<Value: Sendable>(
    _ keyPath: any KeyPath<State, Value> & Sendable,
    route: @escaping @Sendable (Value) -> Route
  ) -> Glue<Value> {
    Glue(get: { self.state[keyPath: keyPath] }, set: { self.route(to: route($0)) })
  }

  /// Tells every state that differs from the one before, until the token is cancelled or freed.
  public func onStateChange(_ body: @escaping @Sendable (State) -> Void) -> AnyCancellable {
    lego.onDesignChange(body)
  }

  private func change(_ body: (Rules, inout State) -> Void) -> Build {
    guard let routing else {
      RouterProblem.report("ignored a route: no router of \(Rules.self) is registered")
      return Build(number: 0, owner: lego)
    }
    if Replaying.isUnderWay { return Build(number: 0, owner: lego) }
    // The rules run outside the lock, and once more if another route came first.
    while true {
      let (number, before) = lego.snapshot
      var state = before
      body(routing, &state)
      if let build = lego.applyWithoutDelivering(.init(state: state), ifNumberIs: number) { return build }
    }
  }
}

/// The rules of a router's store, which takes states as they are.
struct RouterBlueprint<State: RouterState>: Blueprint {
  struct Change: Equatable, Sendable {
    let state: State
  }

  func change(_ design: inout State, on change: Change) { design = change.state }
}

/// Misuse of routers.
enum RouterProblem {
  /// Reports a misuse from a task, since a blueprint may use a router under its store's lock.
  static func report(_ problem: String) {
    let sink = Contractors().problemSink
    Task.detached { sink.write(problem) }
  }
}
