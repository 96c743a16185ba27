/// A dependency that is found by its type, and can be replaced.
public protocol Service: Sendable {
  /// The type of what is found, which is the service itself unless it says otherwise.
  associatedtype Value: Sendable = Self

  /// What is found when nothing else was put in its place.
  static var contractor: Value { get }

  /// What a test finds that put nothing in its place.
  ///
  /// Without one, such a test fails with a message that names the service.
  static var testContractor: Value? { get }
}

extension Service {
  /// Nothing: a test has to say what it wants.
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
  @inlinable public init() {}

  /// The service in force: the task's override, else the process-wide one, else its own default.
  ///
  /// Setting replaces the service for the whole process, save for the tasks that override it; a
  /// second replacement takes the place of the first.
  public static subscript<S: Service>(key: S.Type) -> S.Value {
    @inlinable get { Injection.contractor(key) }
    set { Injection.setContractor(newValue, for: key) }
  }
}

/// A service, looked up each time it is used.
@propertyWrapper
public struct Contractor<Value>: Sendable {
  @usableFromInline let read: @Sendable (Contractors) -> Value

  /// Names the service.
  ///
  /// - Parameter read: Its property of `Contractors`; a key path such as `\.name` will do, and costs no
  ///   more than the property itself.
  @inlinable public init(_ read: @escaping @Sendable (Contractors) -> Value) {
    self.read = read
  }

  /// The service in force now.
  @inlinable public var wrappedValue: Value { read(Contractors()) }
}

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

/// The overrides in force where it was made, to be put in force elsewhere.
///
/// Overrides follow child tasks by themselves. This takes them into a detached task, a thread or
/// the callback of a library:
///
/// ```swift
/// let captured = CapturedContractors()
/// library.onEvent { event in
///   captured { lego.build(.event(event)) }
/// }
/// ```
// Swift tells its two forms apart by whether the closure waits.
// swift-format-ignore: AmbiguousTrailingClosureOverload
public struct CapturedContractors: Sendable {
  private let scope: InjectionScope?

  /// Takes the overrides in force here.
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
