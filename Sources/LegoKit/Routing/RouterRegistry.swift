internal import Synchronization

/// Makes a router the one of the process, which ``Routes`` and ``ObservedRoutes`` find.
///
/// It is most often called by its full name, `LegoKit.router(_:)`.
///
/// There is one router for each type of rules. A second one is reported to the
/// ``Contractors/problemSink`` and not registered; the first stays.
///
/// - Parameter router: The router, which lives as long as the process.
/// - Returns: Whether it is the one of the process now.
@discardableResult
public func router<Rules: Routing>(_ router: Router<Rules>) -> Bool {
  if RouterRegistry.register(router) { return true }
  Contractors().problemSink.write("ignored a second router of \(Rules.self): the first one stays")
  return false
}

/// Runs an operation with another router than that of the process, only for it, its child tasks and
/// the stores that are made in it.
///
/// - Parameters:
///   - router: The router.
///   - operation: What runs with it.
/// - Returns: What the operation returns.
public func withRouter<Rules: Routing, Result>(
  _ router: Router<Rules>, operation: () throws -> Result
) rethrows -> Result {
  try Injection.with(scope(of: router), operation)
}

/// Runs an async operation with another router than that of the process, only for it, its child
/// tasks and the stores that are made in it.
///
/// - Parameters:
///   - router: The router.
///   - operation: What runs with it.
/// - Returns: What the operation returns.
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

  /// The router in force here: the one of the task, or else the one of the process.
  ///
  /// Without one, it is one that stays where it is and reports each route.
  static func router<Rules: Routing>(of rules: Rules.Type) -> Router<Rules> {
    if let router = Contractors[RouterOverride<Rules>.self].router { return router }
    let found = routers.withLock { $0[ObjectIdentifier(rules)] }
    return found as? Router<Rules> ?? Router(missing: rules)
  }

  /// Makes a router the one of the process.
  ///
  /// - Returns: Whether it is; not, when there is another.
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

/// The router that a task and its stores have in place of the one of the process.
struct RouterOverride<Rules: Routing>: Service {
  static var contractor: RouterOverride { RouterOverride(router: nil) }
  static var testContractor: RouterOverride? { contractor }

  let router: Router<Rules>?
}
