internal import Synchronization

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
