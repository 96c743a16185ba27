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
