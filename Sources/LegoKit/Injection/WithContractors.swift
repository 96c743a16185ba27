/// Runs an operation with some services replaced, only for it and its child tasks.
///
/// Other tasks, such as a test that runs at the same time, do not see it. A detached task or a
/// callback does not see it either; ``CapturedContractors`` takes it there.
///
/// ```swift
/// withContractors {
///   $0.permissions = PermissionsService(machine: InMemoryMachine())
/// } operation: {
///   lego.build(.permission(.requestPermissionStatus))
/// }
/// ```
///
/// - Parameters:
///   - update: Replaces services by setting properties of `Contractors`.
///   - operation: What runs with them.
/// - Returns: What the operation returns.
public func withContractors<Result>(
  _ update: (inout Contractors) -> Void, operation: () throws -> Result
) rethrows -> Result {
  let scope = Injection.scope(updatedBy: { update(&$0) }, from: Contractors())
  return try Injection.with(scope, operation)
}

/// Runs an async operation with some services replaced, only for it and its child tasks.
///
/// - Parameters:
///   - update: Replaces services by setting properties of `Contractors`.
///   - operation: What runs with them.
/// - Returns: What the operation returns.
public func withContractors<Result>(
  _ update: (inout Contractors) -> Void, operation: () async throws -> Result
) async rethrows -> Result {
  let scope = Injection.scope(updatedBy: { update(&$0) }, from: Contractors())
  return try await Injection.with(scope, operation)
}

/// Runs an operation with some bricks replaced, only for it and its child tasks.
///
/// - Parameters:
///   - update: Replaces bricks by setting properties of `Bricks`.
///   - operation: What runs with them.
/// - Returns: What the operation returns.
public func withBricks<Result>(
  _ update: (inout Bricks) -> Void, operation: () throws -> Result
) rethrows -> Result {
  let scope = Injection.scope(updatedBy: { update(&$0) }, from: Bricks())
  return try Injection.with(scope, operation)
}

/// Runs an operation as a test: a service that is read but was not provided is reported.
///
/// - Parameters:
///   - onMissing: Told the name of such a service.
///   - operation: What runs.
/// - Returns: What the operation returns.
public func withTestContractors<Result>(
  onMissing: @escaping @Sendable (String) -> Void, operation: () async throws -> Result
) async rethrows -> Result {
  let scope = InjectionScope(Injection.scope?.table ?? InjectionTable(), onMissing: onMissing)
  return try await Injection.with(scope, operation)
}
