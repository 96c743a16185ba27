import AccessModel
import DevicePermissions
import DevicePermissionsTesting
import LinuxDevices
import Testing

@Suite struct `A device that acts when it is opened` {
  private static let path = "/dev/watchdog"

  private static func machine(mode: UInt16 = 0o666) -> InMemoryMachine {
    InMemoryMachine {
      $0.addUser("alice", id: 1000)
      add(path, "misc", 130, mode: mode, to: &$0)
      add("/dev/ttyUSB0", "tty", 131, mode: mode, to: &$0)
      $0.run(as: "alice")
    }
  }

  private static func add(
    _ path: String, _ subsystem: String, _ minor: UInt32, mode: UInt16,
    to machine: inout MachineDescription
  ) {
    let name = String(path.dropFirst(5))
    var device = DeviceFacts(
      node: path, sysfsPath: "/sys/devices/virtual/\(subsystem)/\(name)", subsystem: subsystem,
      kernelName: name)
    device.number = DeviceNumber(major: 10, minor: minor)
    machine.addDevice(device, mode: mode)
  }

  private static func facts(
    of path: String, on machine: InMemoryMachine, isForced: Bool = false
  ) throws -> AccessFacts {
    machine.probed(try machine.facts(for: Question(.path(path))), isForced: isForced)
  }

  @Test func `is not opened by a probe, which leaves the answer open`() throws {
    let machine = Self.machine()
    let facts = try Self.facts(of: Self.path, on: machine)
    #expect(machine.openedPaths == [])
    #expect(facts.attempts == [])
    let explanation = facts.explain()
    #expect(explanation.answer == .undetermined)
    #expect(explanation.cause?.summary.contains("starts the watchdog") == true)
    #expect(explanation.unobserved.contains { $0.layer == "opening" && $0.at == Self.path })
  }

  @Test func `is opened by a probe that is forced`() throws {
    let machine = Self.machine()
    let facts = try Self.facts(of: Self.path, on: machine, isForced: true)
    #expect(machine.openedPaths == [Self.path])
    #expect(facts.explain().answer == .allowed)
  }

  @Test func `stays refused where its permissions refuse it`() throws {
    let machine = Self.machine(mode: 0o600)
    #expect(try Self.facts(of: Self.path, on: machine).explain().answer == .refused)
    #expect(machine.openedPaths == [])
  }

  @Test func `is not opened by a request, which counts as refused`() async {
    let machine = Self.machine()
    let service = PermissionsService(machine: machine)
    let answer = await service.request(AccessRequest(.path(Self.path)))
    #expect(answer.outcome == .refused)
    #expect(answer.token == nil)
    #expect(answer.trials.map(\.outcome) == [.withheld])
    #expect(answer.reason?.contains("starts the watchdog") == true)
    #expect(answer.opening?.needsForce == true)
    #expect(machine.openedPaths == [])
  }

  @Test func `is opened by a request that is forced`() async {
    let machine = Self.machine()
    var request = AccessRequest(.path(Self.path))
    request.isForced = true
    let answer = await PermissionsService(machine: machine).request(request)
    #expect(answer.outcome == .allowed)
    #expect(answer.opening?.words.contains("watchdog") == true)
    #expect(machine.openedPaths == [Self.path])
  }

  @Test func `is opened, and what that does is told, where it is harmless`() async throws {
    let machine = Self.machine()
    let answer = await PermissionsService(machine: machine).request(
      AccessRequest(.path("/dev/ttyUSB0")))
    #expect(answer.outcome == .allowed)
    #expect(answer.opening?.words.contains("DTR") == true)
    #expect(try Self.facts(of: "/dev/ttyUSB0", on: machine).explain().answer == .allowed)
  }

  @Test(arguments: ["/etc/passwd", "/etc"])
  func `is asked for, and anything else is refused without a fix`(path: String) async {
    let machine = InMemoryMachine {
      $0.addUser("alice", id: 1000)
      $0.addFile("/etc/passwd", mode: 0o644)
      $0.run(as: "alice")
    }
    let answer = await PermissionsService(machine: machine).request(AccessRequest(.path(path)))
    #expect(answer.outcome == .refused)
    #expect(answer.report.cause == .nodeNotADevice)
    #expect(answer.settings == nil)
    #expect(answer.trials == [])
  }

  @Test func `is a disk, for which no broker is asked and no fix is named`() async {
    let machine = InMemoryMachine(broker: InMemoryBroker()) {
      $0.addUser("alice", id: 1000)
      var device = DeviceFacts(
        node: "/dev/sg0", sysfsPath: "/sys/devices/x/scsi_generic/sg0", subsystem: "scsi_generic",
        kernelName: "sg0")
      device.number = DeviceNumber(major: 21, minor: 0)
      $0.addDevice(device, mode: 0o600)
      $0.run(as: "alice")
    }
    let answer = await PermissionsService(machine: machine).request(
      AccessRequest(.path("/dev/sg0")))
    #expect(answer.outcome == .refused)
    #expect(answer.settings == nil)
    #expect(answer.reason?.contains("can become root") == true)
    #expect(answer.trials.last?.reason?.contains("protected object") == true)
  }
}
