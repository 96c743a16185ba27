internal import Synchronization

/// Registers a router for the whole process, so that ``Routes`` and ``ObservedRoutes`` find it.
///
/// The function is usually called by its full name, `LegoKit.router(_:)`.
///
/// Only one router can be registered for each type of rules. If another router is already
/// registered, the call is reported to the ``Contractors/problemSink`` and has no effect.
///
/// - Parameter router: The router to register. It is never freed.
/// - Returns: `false` if another router is already registered.
@discardableResult
public func router<Rules: Routing>(_ router: Router<Rules>) -> Bool {
  if RouterRegistry.register(router) { return true }
  Contractors().problemSink.write("ignored a second router of \(Rules.self): the first one stays")
  return false
}

/// Replaces the registered router for an operation, its child tasks, and the stores that they
/// create.
public func withRouter<Rules: Routing, Result>(
  _ router: Router<Rules>, operation: () throws -> Result
) rethrows -> Result {
  try Injection.with(scope(of: router), operation)
}

/// Replaces the registered router for an async operation, its child tasks, and the stores that they
/// create.
public func withRouter<Rules: Routing, Result>(
  _ router: Router<Rules>, operation: () async throws -> Result
) async rethrows -> Result {
  try await Injection.with(scope(of: router), operation)
}

private func scope<Rules>(of router: Router<Rules>) -> InjectionScope {
  Injection.scope(
    updatedBy: { _ in
      Contractors[RouterOverride<Rules>.self] = RouterOverride(router: router)
    }, from: Contractors())
}

/// The registered routers, keyed by the type of their rules.
enum RouterRegistry {
  private static let routers = Mutex<[ObjectIdentifier: any AnyObject & Sendable]>([:])

  /// Returns the current router: the task's override or the registered router, in that order.
  ///
  /// If neither exists, the method returns a substitute, which keeps its initial state and reports
  /// each route.
  static func router<Rules: Routing>(of rules: Rules.Type) -> Router<Rules> {
    if let router = Contractors[RouterOverride<Rules>.self].router { return router }
    let found = routers.withLock { $0[ObjectIdentifier(rules)] }
    return found as? Router<Rules> ?? Router(missing: rules)
  }

  /// Registers a router for the whole process.
  ///
  /// - Returns: `false` if another router is already registered.
  static func register<Rules: Routing>(_ router: Router<Rules>) -> Bool {
    routers.withLock { routers in
      let key = ObjectIdentifier(Rules.self)
      guard let other = routers[key] else {
        routers[key] = router
        return true
      }
      return other === router
    }
  }
}

/// The router that overrides the registered one, or `nil` if there is no override.
struct RouterOverride<Rules: Routing>: Service {
  static var contractor: RouterOverride { RouterOverride(router: nil) }
  static var testContractor: RouterOverride? { contractor }

  let router: Router<Rules>?
}
