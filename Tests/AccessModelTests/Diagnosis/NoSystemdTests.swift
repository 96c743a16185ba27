import AccessModel
import Testing

/// Fixes on a machine whose first process is not systemd.
struct NoSystemdTests {
  private static func withoutSystemd(_ facts: AccessFacts) -> AccessFacts {
    var facts = facts
    facts.confinement.hasSystemd = false
    return facts
  }

  /// Facts that show nothing of systemd: no unit, and no service of it that runs.
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
      #expect(before.answer == after.answer && before.cause == after.cause)
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
      fix?.commands.dropFirst() == ["udevadm trigger --settle --action=add /dev/video0"])
    #expect((fix?.lasts != nil) == (hasSystemd == false))
  }
}
