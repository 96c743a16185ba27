import AccessModel
import Testing

/// Fixes on a machine on which PID 1 is not systemd.
struct NoSystemdTests {
  private static func withoutSystemd(_ facts: AccessFacts) -> AccessFacts {
    var facts = facts
    facts.confinement.hasSystemd = false
    return facts
  }

  /// Facts without any sign of systemd: no unit, and no running service.
  private static let plain = RemedyTests.everything.filter { facts in
    facts.confinement.unit == nil && facts.confinement.service == nil
      && facts.origin?.kind != .unit && facts.hardware?.keepers.isEmpty ?? true
      && facts.hardware?.services.isEmpty ?? true
  }

  @Test func `nothing is asked of systemd where it does not run`() {
    var commands = 0
    for facts in Self.plain {
      let explanation = Self.withoutSystemd(facts).explain()
      for command in explanation.remedies.flatMap(\.commands)
        + explanation.lookups.flatMap(\.commands)
      {
        commands += 1
        #expect(!command.contains("systemctl") && !command.contains("journalctl"), "\(command)")
      }
    }
    #expect(commands > 100)
  }

  @Test func `the answer and its cause do not depend on systemd`() {
    for facts in Self.plain {
      let (before, after) = (facts.explain(), Self.withoutSystemd(facts).explain())
      // On such a machine, the login manager is elogind.
      #expect(before.answer == after.answer && before.cause?.code == after.cause?.code)
    }
  }

  @Test(
    arguments: [
      (nil, "systemctl start systemd-udevd.service"),
      (true, "systemctl start systemd-udevd.service"),
      (false, "/lib/systemd/systemd-udevd --daemon"),
    ] as [(Bool?, String)])
  func `udev is started as the machine can`(hasSystemd: Bool?, command: String) throws {
    var fixture = Fixtures.camera
    fixture.node {
      $0.mode = 0o600
      $0.gid = 0
    }
    fixture.device { $0.isInitialized = false }
    fixture.facts.hardware = HardwareFacts()
    fixture.facts.hardware?.hasUdevControl = false
    fixture.facts.confinement.hasSystemd = hasSystemd
    let facts = try JSON.decode(AccessFacts.self, JSON.encode(fixture.facts))
    let explanation = facts.explain()
    #expect(explanation.cause?.code == .udevNotRunning)
    let fix = explanation.remedies.first { $0.commands.first == command }
    #expect(
      fix?.commands.dropFirst() == [
        "udevadm trigger --action=add --subsystem-match=video4linux --sysname-match=video0",
        "udevadm settle",
      ])
    #expect((fix?.lasts != nil) == (hasSystemd == false))
  }

  // MARK: Without a device manager

  @Test func `udev is not started where it is not installed`() throws {
    var fixture = Fixtures.camera
    fixture.node {
      $0.mode = 0o600
      $0.gid = 0
    }
    fixture.device { $0.isInitialized = false }
    fixture.facts.hardware = HardwareFacts()
    fixture.facts.hardware?.hasUdevControl = false
    fixture.facts.hardware?.hasUdevDaemon = false
    fixture.facts.confinement.hasSystemd = false
    let facts = try JSON.decode(AccessFacts.self, JSON.encode(fixture.facts))
    let explanation = facts.explain()
    #expect(explanation.cause?.code == .udevNotRunning)
    #expect(!explanation.remedies.isEmpty)
    for command in explanation.remedies.flatMap(\.commands) {
      #expect(!command.contains("udev") && !command.contains("systemctl"), "\(command)")
    }
    #expect(explanation.remedies.allSatisfy { $0.lasts?.contains("udev") != true })
    #expect(explanation.remedies.first?.commands == ["setfacl -m u:alice:rw /dev/video0"])
  }

  @Test(arguments: ["tmpfs", "devtmpfs", "ext4"])
  func `a node that nobody makes is made by hand, for the user`(fileSystem: String) throws {
    var fixture = Fixtures.camera
    fixture.facts.access.nodes.removeAll { $0.path == "/dev/video0" }
    fixture.device { $0.isInitialized = false }
    fixture.facts.hardware = HardwareFacts()
    fixture.facts.hardware?.hasUdevControl = false
    fixture.facts.confinement.hasSystemd = false
    for index in fixture.facts.access.mounts.indices
    where fixture.facts.access.mounts[index].at == "/dev" {
      fixture.facts.access.mounts[index].fstype = fileSystem
    }
    let facts = try JSON.decode(AccessFacts.self, JSON.encode(fixture.facts))
    let explanation = facts.explain()
    #expect(explanation.answer == .absent)
    let isStatic = fileSystem != "devtmpfs"
    #expect((explanation.cause?.code == .udevNotRunning) == isStatic)
    guard isStatic else { return }
    #expect(explanation.cause?.isProven == false)
    let fix = try #require(explanation.remedies.first)
    #expect(
      fix.commands == ["mknod -m 600 /dev/video0 c 81 0", "setfacl -m u:alice:rw /dev/video0"])
    #expect(fix.assumes?.contains("sandbox") == true)
    #expect((fix.lasts == nil) == (fileSystem == "ext4"))
  }
}
