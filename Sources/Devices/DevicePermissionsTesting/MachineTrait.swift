internal import DevicePermissions
internal import LegoKit
public import Testing

/// Runs a test on an in-memory machine, which every service from `Contractors()` observes.
///
/// A service that the test creates itself, such as `PermissionsService()`, observes the real
/// machine, and so do the services of a detached task. Create them with ``current``, as in
/// `PermissionsService(machine: machine)`.
///
/// Each test and each case of a parameterized test has its own machine, even if tests run in
/// parallel.
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
  /// Runs a test on an in-memory machine.
  public static func machine(
    _ configure: @escaping @Sendable (inout MachineDescription) -> Void = { _ in }
  ) -> Self {
    MachineTrait(configure)
  }
}
