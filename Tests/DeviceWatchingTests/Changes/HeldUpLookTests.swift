import DevicePermissions
import DevicePermissionsTesting
import Glibc
import Testing

@testable import DeviceWatching

@Suite struct `A look at users` {
  private func run(_ hold: @escaping @Sendable () -> Void) throws -> UseRun {
    let machine = HeldUpMachine(InMemoryMachine { $0.addCamera() }, hold)
    let service = DeviceUsageService(machine: machine)
    return try UseRun(service.changes(of: [.kind(.camera)]))
  }

  /// For example by a signal that stops the process, by system sleep, or on a busy machine.
  @Test func `that was held up does not hold up the next one`() async throws {
    let run = try run { _ = usleep(800_000) }
    _ = try await run.scan()
    #expect(run.pauseEnd == nil)
  }

  @Test func `that took a processor leaves it to others then`() async throws {
    let run = try run {
      let start = ThreadTime.now
      while ThreadTime.now - start < .milliseconds(800) {}
    }
    _ = try await run.scan()
    #expect(run.pauseEnd != nil)
  }
}
