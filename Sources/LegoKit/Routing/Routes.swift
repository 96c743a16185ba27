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
