import AccessModel
import DevicePermissions
import DevicePermissionsTesting
import LinuxDevices
import Testing

@testable import DeviceAccessCommands

@Suite struct `Waiting` {
  @Test func `a device that may be used is answered at once`() async {
    let result = await CommandResult.run(
      ["check", "camera", "--wait"], on: Machines.laptop(running: "bob"))
    #expect(result.output == "allowed: read and write access to /dev/video0\n")
    #expect(result.errors == "")
    #expect(result.status == .allowed)
  }

  @Test func `an entry in the access list ends it, without an event`() async {
    let machine = Machines.laptop()
    async let result = CommandResult.run(["check", "camera", "--wait"], on: machine)
    machine.change { $0.setACL("/dev/video0", user: "alice", [.read, .write]) }
    #expect(await result.status == .allowed)
    #expect(await result.output.hasPrefix("allowed: read and write access to /dev/video0"))
  }

  @Test func `a device that is plugged in ends it, with its event`() async throws {
    let machine = InMemoryMachine {
      $0.addUser("bob", id: 1000)
      $0.run(as: "bob")
      $0.logIn("bob")
    }
    let service = DeviceService(machine: machine)
    var scans = service.observations(of: Question(.kind(.camera)), every: .seconds(3600))
      .makeAsyncIterator()
    #expect(try await scans.next()?.explain().availability == .absent)
    machine.change { $0.addCamera() }
    // All events that arrive during a scan cause only one more scan.
    while let facts = try await scans.next(), !facts.explain().decision.isGranted {}
    #expect(try machine.facts(for: Question(.kind(.camera))).explain().decision.isGranted)
  }

  @Test func `when time is up, the last answer stands`() async {
    let result = await CommandResult.run(["check", "camera", "--wait=0.05"])
    #expect(
      result.output
        == """
        refused: read and write access to /dev/video0 — /dev/video0 gives group video (44) read \
        and write access, but alice (1001) is not in that group.\n
        """
    )
    #expect(
      result.errors
        == """
        devaccess: waiting: refused: read and write access to /dev/video0 — /dev/video0 gives \
        group video (44) read and write access, but alice (1001) is not in that group.\n
        """
    )
    #expect(result.status == .refused)
  }

  @Test func `no time at all still means one look`() async {
    let result = await CommandResult.run(
      ["check", "camera", "--wait=0", "--quiet"], on: InMemoryMachine())
    #expect(result.status == .absent)
    #expect(result.output == "" && result.errors == "")
  }

  @Test func `JSON is one object, and nothing beside it`() async {
    let result = await CommandResult.run(["check", "camera", "--wait=0.01", "--json"])
    #expect(result.output.hasPrefix("{") && result.output.filter { $0 == "\n" }.count == 1)
    #expect(result.errors == "")
  }

  @Test func `what a path misses is one line in the end`() async {
    let result = await CommandResult.run(["check", "/dev/none", "--wait=0.01", "--quiet"])
    #expect(result.status == .absent)
    #expect(result.hasOneErrorLine)
  }

  @Test(arguments: ["-1", "1e3", "inf", "nan", "", ".", "1.2.3", "99999999999", "5s"])
  func `anything but seconds is refused`(_ value: String) async {
    let result = await CommandResult.run(["check", "camera", "--wait=\(value)"])
    #expect(result.status == .usage)
    #expect(result.hasOneErrorLine)
    #expect(result.errors.contains("--wait takes a number of seconds"))
  }

  @Test(arguments: [["explain", "camera", "--wait"], ["check", "--from=x", "--wait"]])
  func `other questions do not wait`(_ arguments: [String]) async {
    let result = await CommandResult.run(arguments)
    #expect(result.status == .usage)
    #expect(result.hasOneErrorLine)
  }
}
