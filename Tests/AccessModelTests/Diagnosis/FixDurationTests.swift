import AccessModel
import Testing
import UdevRules

/// The event that undoes a manual change of a device node, derived from udev's rules.
struct FixDurationTests {
  private static let late = #"TAG=="uaccess", ENV{MAJOR}!="", RUN{builtin}+="uaccess""#
  /// Debian's rules set groups and modes only when a device is added.
  private static let added = #"ACTION=="add", SUBSYSTEM=="video4linux", GROUP="video""#

  /// Returns a camera and its rules.
  private func camera(_ rules: [String]?, _ change: (inout Fixtures) -> Void = { _ in }) -> Fixtures
  {
    Fixtures.camera.with { fixtures in
      if let rules {
        let text = rules.map { $0 + "\n" }.joined()
        var facts = RuleFacts(
          node: "/dev/video0",
          files: [
            RuleFile(folder: "/usr/lib/udev/rules.d", name: "73-x.rules", bytes: Array(text.utf8))
          ], version: 252)
        facts.device = UdevRuleDevice(
          path: "/devices/usb1/1-5/video4linux/video0", subsystem: "video4linux",
          node: "/dev/video0", number: UdevRuleDevice.Number(major: 81, minor: 0),
          properties: ["MAJOR": "81"])
        facts.record = UdevRuleEvent.Record()
        facts.environment.groups["video"] = .present(Fixtures.video)
        fixtures.facts.rules = facts
      }
      change(&fixtures)
    }
  }

  private func end(_ command: String, _ fixtures: Fixtures) -> Remedy.End? {
    fixtures.explain().remedies.first { $0.commands.first?.hasPrefix(command) == true }?.end
  }

  @Test func `an event removes an entry from the node of a tagged device`() {
    let rules = [#"SUBSYSTEM=="video4linux", TAG+="uaccess""#, Self.late, Self.added]
    #expect(end("setfacl", camera(rules)) == .deviceEvent(.removesEntries, isPluggable: true))
    // If the rules are unknown, the tag gives the same result.
    #expect(end("setfacl", camera(nil)) == .deviceEvent(.removesEntries, isPluggable: true))
  }

  @Test func `an event leaves an entry on the node of a device that is not tagged`() {
    #expect(end("setfacl", camera([Self.late, Self.added]) { $0.untag() }) == .replug)
    // A tag that is set after the line that uses it has no effect on the node.
    #expect(end("setfacl", camera([Self.added])) == .replug)
  }

  @Test func `the node of a device that nobody can unplug is new at the next boot`() {
    let fixtures = camera([Self.added]) {
      $0.untag()
      $0.device {
        $0.bus = "pnp"
        $0.sysfsPath = "/sys/devices/pnp0/00:05/video4linux/video0"
      }
    }
    let end = end("setfacl", fixtures)
    #expect(end == .nodeCreation(path: "/dev/video0", isInMemory: true))
    #expect(end?.clause == "until /dev/video0 is recreated, at the next boot at the latest")
  }

  @Test func `a mode that a rule sets at each event bounds the entry again`() {
    let close: (inout Fixtures) -> Void = {
      $0.untag()
      $0.node {
        $0.mode = 0o600
        $0.gid = 0
      }
    }
    let closing = [#"SUBSYSTEM=="video4linux", MODE="0600""#]
    #expect(end("setfacl", camera(closing, close)) == .deviceEvent(.setsMode, isPluggable: true))
    let opening = [#"SUBSYSTEM=="video4linux", MODE="0660""#]
    #expect(end("setfacl", camera(opening, close)) == .replug)
  }

  @Test func `what the rules do is not assumed`() {
    #expect(end("setfacl", camera(nil) { $0.untag() }) == .deviceEvent(.unknown, isPluggable: true))
    let program = [#"SUBSYSTEM=="video4linux", RUN+="/bin/chmod 600 $devnode""#]
    let untagged = camera(program) { $0.untag() }
    #expect(end("setfacl", untagged) == .deviceEvent(.unknown, isPluggable: true))
  }

  @Test func `the entry of the active user goes with the session`() {
    let rules = [#"SUBSYSTEM=="video4linux", TAG+="uaccess""#, Self.late, Self.added]
    let fixtures = camera(rules) {
      $0.session("2", isActive: true, active: Fixtures.alice)
    }
    #expect(end("setfacl", fixtures) == .sessionSwitch)
  }
}
