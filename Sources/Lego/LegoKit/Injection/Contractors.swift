/// A dependency that is looked up by type and can be replaced.
public protocol Service: Sendable {
  /// The type of the dependency.
  ///
  /// The default is the service itself.
  associatedtype Value: Sendable = Self

  /// The default dependency.
  static var contractor: Value { get }

  /// The dependency for tests that do not provide their own.
  ///
  /// If it is `nil`, a test that uses the service without providing it fails with a message that
  /// names the service.
  static var testContractor: Value? { get }
}

extension Service {
  /// `nil`, so each test that uses the service must provide the dependency.
  public static var testContractor: Value? { nil }
}

/// The current services.
///
/// Extend this type with one property for each service:
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
  /// Creates a view of the current services.
  public init() {}

  /// The current service: the task's override, the process-wide replacement or the default, in that
  /// order.
  ///
  /// Setting the service in the first closure of `withContractors(_:operation:)` overrides it for
  /// the operation. Setting it anywhere else replaces it for the whole process, except for tasks
  /// that override it.
  ///
  /// In a test, a non-`nil` ``Service/testContractor`` takes precedence over the process-wide
  /// replacement.
  public static subscript<S: Service>(key: S.Type) -> S.Value {
    get { Injection.contractor(key) }
    set { Injection.set(newValue, for: key) }
  }
}

/// A property wrapper that reads the current service.
///
/// The service is looked up each time the property is read.
@propertyWrapper
public struct Contractor<Value>: Sendable {
  private let read: @Sendable (Contractors) -> Value

  /// Creates a reference to a service.
  ///
  /// - Parameter read: Returns the service. Pass a closure, or the key path of a property of
  ///   `Contractors`, such as `\.name`.
  public init(_ read: @escaping @Sendable (Contractors) -> Value) {
    self.read = read
  }

  /// The current service.
  public var wrappedValue: Value { read(Contractors()) }
}

/// Replaces services for an operation and its child tasks.
///
/// Other tasks, such as a test that runs at the same time, do not see the replacements. Neither do
/// detached tasks or callbacks on other threads, unless they use ``CapturedContractors``.
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

/// Runs an operation as a test, and reports services that are used but not provided.
///
/// A service that has a ``Service/testContractor`` is not reported.
///
/// - Parameters:
///   - onMissing: Receives the name of a missing service each time that service is read.
///   - operation: The operation to run.
/// - Returns: The result of the operation.
public func withTestContractors<Result>(
  onMissing: @escaping @Sendable (String) -> Void, operation: () async throws -> Result
) async rethrows -> Result {
  let scope = InjectionScope(Injection.scope?.table ?? InjectionTable(), onMissing: onMissing)
  return try await Injection.with(scope, operation)
}

/// The current overrides, captured for use in another context.
///
/// Child tasks inherit overrides automatically. Use this type to carry the overrides into a
/// detached task, another thread, or the callback of a library:
///
/// ```swift
/// let captured = CapturedContractors()
/// library.onEvent { event in
///   captured { lego.build(.event(event)) }
/// }
/// ```
// The overloads of `callAsFunction` differ in whether the closure is async, so Swift can tell them
// apart.
// swift-format-ignore: AmbiguousTrailingClosureOverload
public struct CapturedContractors: Sendable {
  private let scope: InjectionScope?

  /// Captures the current overrides.
  public init() {
    scope = Injection.scope
  }

  /// Runs an operation with the captured overrides.
  public func callAsFunction<Result>(_ operation: () throws -> Result) rethrows -> Result {
    try Injection.with(scope, operation)
  }

  /// Runs an async operation with the captured overrides.
  public func callAsFunction<Result>(_ operation: () async throws -> Result) async rethrows
    -> Result
  {
    try await Injection.with(scope, operation)
  }
}
