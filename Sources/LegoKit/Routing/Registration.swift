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
