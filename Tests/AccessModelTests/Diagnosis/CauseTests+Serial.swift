import AccessModel
import Testing

extension Fixtures {
  fileprivate static let port = "/dev/ttyS0"
  fileprivate static let dialout: UInt32 = 20
  fileprivate static let keeper = "serial-getty@ttyS0.service"

  /// Asks for a serial port that its group may use, with a lock directory that is open to all
  /// users.
  fileprivate mutating func askPort(mode: UInt16 = 0o660, gid: UInt32 = dialout) {
    ask(Self.port, mode: mode, gid: gid)
    var device = DeviceFacts(
      node: Self.port, sysfsPath: "/sys/devices/pnp0/00:05/tty/ttyS0", subsystem: "tty",
      kernelName: "ttyS0")
    device.number = facts.access.nodes.last?.rdev
    device.properties = ["ID_BUS": "pnp"]
    facts.devices = [device]
    lockDirectory(mode: 0o1777)
  }

  fileprivate mutating func lockDirectory(mode: UInt16) {
    add("/run/lock", .directory, mode: mode)
    add("/var/lock", .symbolicLink, mode: 0o777)
    node("/var/lock") { $0.target = "/run/lock" }
  }

  fileprivate mutating func keepPort(by service: String = keeper) {
    var hardware = HardwareFacts()
    hardware.keepers = [Self.port: service]
    facts.hardware = hardware
  }
}

extension CauseTests {
  /// Causes on serial ports other than permissions.
  static let serialCases: [CauseCase] = [
    CauseCase(
      "a login keeps the port", .nodeTaken, .denied,
      command: "systemctl mask --now serial-getty@ttyS0.service"
    ) {
      $0.askPort(mode: 0o600, gid: 0)
      $0.join(20)
      $0.keepPort()
    },
    CauseCase(
      "a login keeps the port for the group of terminals", .nodeTaken, .denied,
      command: "systemctl mask --now serial-getty@ttyS0.service"
    ) {
      $0.askPort(mode: 0o620, gid: 5)
      $0.join(20)
      $0.keepPort()
    },
    // udev's settings are unchanged. The user lacks the group, regardless of the login.
    CauseCase("a login runs, and the group is missing", .groupNotMember, .denied) {
      $0.askPort()
      $0.keepPort()
    },
    CauseCase("no login runs on a port of root's", .uaccessNotTagged, .denied) {
      $0.askPort(mode: 0o600, gid: 0)
    },
    CauseCase("the lock directory is closed", nil, .authorized, .allowed) {
      $0.askPort()
      $0.join(20)
      $0.lockDirectory(mode: 0o755)
    },
  ]

  private static func port(_ change: (inout Fixtures) -> Void) throws -> Explanation {
    let facts = Fixtures.camera.with {
      $0.askPort()
      $0.join(20)
      change(&$0)
    }.facts
    // The facts are encoded and decoded first, which must not change the answer.
    return try JSON.decode(AccessFacts.self, JSON.encode(facts)).explain()
  }

  @Test func `a login on a port that may be used is told as likely`() throws {
    let explanation = try Self.port { $0.keepPort() }
    #expect(explanation.answer == .allowed)
    let cause = try #require(explanation.furtherCauses.first)
    #expect(cause.code == .nodeTaken && !cause.isProven)
    #expect(cause.summary.contains("serial-getty@ttyS0.service"))
    #expect(
      explanation.remedies.flatMap(\.commands).contains(
        "systemctl mask --now serial-getty@ttyS0.service"))
    let trigger = "udevadm trigger --action=add --subsystem-match=tty --sysname-match=ttyS0"
    #expect(
      explanation.remedies.allSatisfy { $0.commands.suffix(2) == [trigger, "udevadm settle"] })
  }

  @Test func `a closed lock directory is told beside a port that may be used`() throws {
    let explanation = try Self.port { $0.lockDirectory(mode: 0o755) }
    #expect(explanation.answer == .allowed && explanation.path == "/dev/ttyS0")
    let cause = try #require(explanation.furtherCauses.first)
    #expect(cause.code == .lockDirectory && !cause.isProven)
    #expect(cause.at == "/run/lock" && cause.summary.contains("alice"))
    let commands = explanation.remedies.flatMap(\.commands)
    #expect(commands.contains { $0.contains("a+ /run/lock - - - - u:1000:rwx") })
    #expect(explanation.remedies.contains { $0.actor == .user })
  }

  @Test func `an open lock directory, one that is not there, and root's are no cause`() throws {
    #expect(try Self.port { _ in }.furtherCauses.isEmpty)
    #expect(
      try Self.port { $0.facts.access.nodes.removeAll { $0.path.hasSuffix("/lock") } }
        .furtherCauses.isEmpty)
    #expect(
      try Self.port {
        $0.lockDirectory(mode: 0o755)
        $0.facts.access.subject.effective = .all
      }.furtherCauses.isEmpty)
  }

  @Test(arguments: HostileSnapshotTests.units + ["x; rm -rf ~"])
  func `a service that a snapshot invents is in no command`(unit: String) throws {
    let explanation = try Self.port { $0.keepPort(by: unit) }
    #expect(explanation.furtherCauses.first?.code == .nodeTaken)
    let commands: [String] = explanation.remedies.flatMap(\.commands)
    #expect(commands.allSatisfy { !$0.contains("systemctl") })
  }
}
