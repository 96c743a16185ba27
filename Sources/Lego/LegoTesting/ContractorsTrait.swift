public import LegoKit
public import Testing

/// A trait that provides services to a test, or to each test in a suite.
///
/// If the test reads a service that is not provided and has no test value, the test fails with a
/// message that names the service.
public struct ContractorsTrait: TestTrait, SuiteTrait, TestScoping {
  private let update: @Sendable (inout Contractors) -> Void

  init(_ update: @escaping @Sendable (inout Contractors) -> Void) {
    self.update = update
  }

  /// Always `true`, because the trait applies to each test in a suite.
  public var isRecursive: Bool { true }

  /// Runs the test with the services.
  public func provideScope(
    for test: Test, testCase: Test.Case?,
    performing function: @Sendable @concurrent () async throws -> Void
  ) async throws {
    let location = test.sourceLocation
    try await withTestContractors { name in
      Issue.record(
        "\(name) was read, but the test provides none and it has no test value",
        sourceLocation: location)
    } operation: {
      try await withContractors(update, operation: function)
    }
  }
}

extension Trait where Self == ContractorsTrait {
  /// Returns a trait that provides services to a test.
  ///
  /// ```swift
  /// @Test(.contractors { $0.permissions = PermissionsService(machine: InMemoryMachine()) })
  /// func `shows that there is no camera`() async { … }
  /// ```
  public static func contractors(
    _ update: @escaping @Sendable (inout Contractors) -> Void
  ) -> ContractorsTrait {
    ContractorsTrait(update)
  }

  /// A trait that provides no services, so each service that the test reads must have a test value.
  public static var contractors: ContractorsTrait { ContractorsTrait { _ in } }
}
