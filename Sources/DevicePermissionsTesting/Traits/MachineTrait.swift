internal import DevicePermissions
internal import LegoKit
public import Testing

/// Runs a test on a machine in memory: every service that the test gets from `Contractors()` observes it.
///
/// A service that the test makes itself, such as `PermissionsService()`, observes the real machine, and so
/// do those of a detached task: give them ``current``, as in `PermissionsService(machine: machine)`.
///
/// The machine belongs to the test, also when tests run in parallel; each case of a
/// parameterised test has one of its own.
public struct MachineTrait: TestTrait, SuiteTrait, TestScoping {
  private let configure: @Sendable (inout MachineDescription) -> Void

  /// The machine of the running test; `nil` outside a test with this trait.
  @TaskLocal public static var current: InMemoryMachine?

  public var isRecursive: Bool { true }

  init(_ configure: @escaping @Sendable (inout MachineDescription) -> Void) {
    self.configure = configure
  }

  public func provideScope(
    for test: Test, testCase: Test.Case?,
    performing function: @Sendable @concurrent () async throws -> Void
  ) async throws {
    guard testCase != nil else { return try await function() }
    let machine = InMemoryMachine(configure)
    try await Self.$current.withValue(machine) {
      try await withContractors({
        $0.permissions = PermissionsService(machine: machine)
        $0.devices = DeviceService(machine: machine)
        $0.deviceUsage = DeviceUsageService(machine: machine)
        $0.grants = machine.grants
      }) {
        try await function()
      }
    }
  }
}

extension Trait where Self == MachineTrait {
  /// Runs a test on a machine in memory.
  public static func machine(
    _ configure: @escaping @Sendable (inout MachineDescription) -> Void = { _ in }
  ) -> Self {
    MachineTrait(configure)
  }
}
