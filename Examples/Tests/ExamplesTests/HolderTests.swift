import DevicePermissions
import DevicePermissionsTesting
import LegoKit
import Testing

@testable import hold_camera

@Suite(
  .timeLimit(.minutes(1)),
  .machine {
    $0.addUser("alice", id: 1000)
    $0.addCamera()
    $0.logIn("alice")
    $0.run(as: "alice")
  })
struct `A program that holds the camera` {
  private let machine: InMemoryMachine

  init() throws { machine = try #require(MachineTrait.current) }

  /// Runs it, and changes the machine once it has the camera.
  private func run(
    whenHeld change: @escaping (inout MachineDescription) -> Void
  ) async -> (lines: [String], status: Int32) {
    let lines = Lines()
    let status = await hold_camera.Program { line in
      lines.add(line)
      if line.hasPrefix("holds ") { machine.change(change) }
    }.run()
    return (lines.all, status)
  }

  @Test func `is told when it is unplugged`() async {
    let run = await run { $0.removeDevice("/dev/video0") }
    #expect(run.lines == ["holds /dev/video0 (method: authorized)", "taken back: removed"])
    #expect(run.status == 0)
    #expect(machine.watchCount == 0)
  }

  @Test func `is told when somebody else takes the seat`() async {
    let run = await run {
      $0.addUser("bob", id: 1001)
      $0.logIn("bob")
    }
    #expect(run.lines.last == "taken back: sessionInactive")
  }

  @Test func `says why it is refused`() async {
    machine.change { $0.logOut("alice") }
    let run = await run { _ in }
    #expect(run.status == 1)
    #expect(run.lines.count == 1)
    #expect(run.lines.first?.hasPrefix("refused: logind gives /dev/video0") == true)
  }
}
