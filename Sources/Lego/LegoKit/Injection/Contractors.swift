/// A dependency that is looked up by its type, and can be replaced.
public protocol Service: Sendable {
  /// The type of the dependency.
  ///
  /// The default is the service itself.
  associatedtype Value: Sendable = Self

  /// The default dependency.
  static var contractor: Value { get }

  /// The dependency for tests that provide none.
  ///
  /// If it is `nil`, such a test fails with a message that names the service.
  static var testContractor: Value? { get }
}

extension Service {
  /// Nothing.
  ///
  /// A test must provide the dependency.
  public static var testContractor: Value? { nil }
}

/// The services in force at this point.
///
/// Extend it with one property for each service:
///
/// ```swift
/// extension Contractors {
///   var permissions: PermissionsService {
///     get { Self[PermissionsService.Value.self] }
///     set { Self[PermissionsService.Value.self] = newValue }
///   }
/// }
/// ```
public struct Contractors: Sendable {
  /// Creates a view of the services in force.
  public init() {}

  /// The service in force: the task's override, or else the process-wide one, or else its default.
  ///
  /// Setting it replaces the service for the whole process, except for tasks that override it. A
  /// second replacement overwrites the first.
  public static subscript<S: Service>(key: S.Type) -> S.Value {
    get { Injection.contractor(key) }
    set { Injection.set(newValue, for: key) }
  }
}

/// A service.
///
/// It is looked up each time it is used.
@propertyWrapper
public struct Contractor<Value>: Sendable {
  private let read: @Sendable (Contractors) -> Value

  /// Creates a reference to a service.
  ///
  /// - Parameter read: The property of `Contractors`, for example a key path such as `\.name`.
  public init(_ read: @escaping @Sendable (Contractors) -> Value) {
    self.read = read
  }

  /// The service in force now.
  public var wrappedValue: Value { read(Contractors()) }
}

/// Replaces services for an operation and its child tasks.
///
/// Other tasks, such as a test that runs at the same time, do not see the replacements. Detached
/// tasks and callbacks do not see them either, unless they use ``CapturedContractors``.
///
/// ```swift
/// withContractors {
///   $0.permissions = PermissionsService(machine: InMemoryMachine())
/// } operation: {
///   lego.build(.permission(.requestPermissionStatus))
/// }
/// ```
public func withContractors<Result>(
  _ update: (inout Contractors) -> Void, operation: () throws -> Result
) rethrows -> Result {
  let scope = Injection.scope(updatedBy: { update(&$0) }, from: Contractors())
  return try Injection.with(scope, operation)
}

/// Replaces services for an async operation and its child tasks.
public func withContractors<Result>(
  _ update: (inout Contractors) -> Void, operation: () async throws -> Result
) async rethrows -> Result {
  let scope = Injection.scope(updatedBy: { update(&$0) }, from: Contractors())
  return try await Injection.with(scope, operation)
}

/// Replaces bricks for an operation and its child tasks.
public func withBricks<Result>(
  _ update: (inout Bricks) -> Void, operation: () throws -> Result
) rethrows -> Result {
  let scope = Injection.scope(updatedBy: { update(&$0) }, from: Bricks())
  return try Injection.with(scope, operation)
}

/// Runs an operation as a test, and reports services that are read but were not provided.
///
/// - Parameters:
///   - onMissing: Receives the name of such a service.
///   - operation: The operation.
/// - Returns: The result of the operation.
public func withTestContractors<Result>(
  onMissing: @escaping @Sendable (String) -> Void, operation: () async throws -> Result
) async rethrows -> Result {
  let scope = InjectionScope(Injection.scope?.table ?? InjectionTable(), onMissing: onMissing)
  return try await Injection.with(scope, operation)
}

/// The overrides in force where this value was created, for use elsewhere.
///
/// Child tasks inherit overrides. Use this type for a detached task, a thread or the callback of a
/// library:
///
/// ```swift
/// let captured = CapturedContractors()
/// library.onEvent { event in
///   captured { lego.build(.event(event)) }
/// }
/// ```
// Swift distinguishes the two forms by whether the closure is async.
// swift-format-ignore: AmbiguousTrailingClosureOverload
public struct CapturedContractors: Sendable {
  private let scope: InjectionScope?

  /// Captures the overrides in force.
  public init() {
    scope = Injection.scope
  }

  /// Runs an operation with the overrides.
  public func callAsFunction<Result>(_ operation: () throws -> Result) rethrows -> Result {
    try Injection.with(scope, operation)
  }

  /// Runs an async operation with the overrides.
  public func callAsFunction<Result>(_ operation: () async throws -> Result) async rethrows
    -> Result
  {
    try await Injection.with(scope, operation)
  }
}
