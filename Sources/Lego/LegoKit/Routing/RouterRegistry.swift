internal import Synchronization

/// Registers the router of the process, which ``Routes`` and ``ObservedRoutes`` find.
///
/// It is usually called by its full name, `LegoKit.router(_:)`.
///
/// There is one router for each type of rules. A second one is reported to the
/// ``Contractors/problemSink`` and ignored.
///
/// - Parameter router: The router. It is never freed.
/// - Returns: `false` if another router is registered.
@discardableResult
public func router<Rules: Routing>(_ router: Router<Rules>) -> Bool {
  if RouterRegistry.register(router) { return true }
  Contractors().problemSink.write("ignored a second router of \(Rules.self): the first one stays")
  return false
}

/// Replaces the router of the process for an operation, its child tasks, and the stores that they
/// create.
public func withRouter<Rules: Routing, Result>(
  _ router: Router<Rules>, operation: () throws -> Result
) rethrows -> Result {
  try Injection.with(scope(of: router), operation)
}

/// Replaces the router of the process for an async operation, its child tasks, and the stores that
/// they create.
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

/// The routers of the process, by the types of their rules.
enum RouterRegistry {
  private static let routers = Mutex<[ObjectIdentifier: any AnyObject & Sendable]>([:])

  /// The router in force: the override of the task, or else the router of the process.
  ///
  /// If there is none, a substitute is returned, which never changes and reports each route.
  static func router<Rules: Routing>(of rules: Rules.Type) -> Router<Rules> {
    if let router = Contractors[RouterOverride<Rules>.self].router { return router }
    let found = routers.withLock { $0[ObjectIdentifier(rules)] }
    return found as? Router<Rules> ?? Router(missing: rules)
  }

  /// Registers the router of the process.
  ///
  /// - Returns: `false` if another router is registered.
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

/// The router that replaces the router of the process for a task and its stores.
struct RouterOverride<Rules: Routing>: Service {
  static var contractor: RouterOverride { RouterOverride(router: nil) }
  static var testContractor: RouterOverride? { contractor }

  let router: Router<Rules>?
}
