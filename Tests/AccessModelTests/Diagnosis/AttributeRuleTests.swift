import AccessModel
import Testing

/// The udev rule that gives a user access to a sysfs attribute at every boot.
@Suite struct `An attribute of sysfs` {
  private var machine: Fixtures {
    Fixtures.camera.with { $0.facts.access.mounts.append(Mount(at: "/sys", fstype: "sysfs")) }
  }

  private func explain(_ path: String, mode: UInt16, wanted: Permissions) -> Explanation {
    machine.with { $0.ask(path, .regular, mode: mode, wanted: wanted) }.explain()
  }

  @Test(
    arguments: [
      ("/sys/class/backlight/panel/brightness", #"KERNEL=="panel", "#, "$sys$devpath/brightness"),
      (
        "/sys/class/powercap/intel-rapl/intel-rapl:0/enabled", "",
        "/sys/class/powercap/intel-rapl/intel-rapl:0/enabled"
      ),
    ])
  func `is given to the user by a rule`(path: String, match: String, file: String) throws {
    let explanation = explain(path, mode: 0o644, wanted: .write)
    let remedy = try #require(explanation.remedies.first)
    let subsystem = path.split(separator: "/")[2]
    let rule =
      #"SUBSYSTEM=="\#(subsystem)", \#(match)ACTION!="remove", RUN+="/bin/chown alice \#(file)""#
    #expect(
      remedy.commands.first
        == "printf '%s\\n' '\(rule)' >> /etc/udev/rules.d/99-devaccess-attribute.rules")
    #expect(remedy.isProven)
    #expect(remedy.caution == nil)
  }

  @Test func `that only root may read is given away with a caution`() throws {
    let path = "/sys/class/powercap/intel-rapl/energy_uj"
    let remedy = try #require(explain(path, mode: 0o400, wanted: .read).remedies.first)
    #expect(remedy.caution?.contains("reveal secrets") == true)
  }

  /// The rule runs as root at every boot, so its path must stay within sysfs.
  @Test func `is not a file outside sysfs that a path leads to`() {
    let outside = machine.with {
      $0.add("/sys/class/leds/lamp", .directory)
      $0.ask("/srv/notes", .regular, mode: 0o644, wanted: .write)
      $0.facts.access.request = .open(
        path: "/sys/class/leds/lamp/../../../../srv/notes", flags: [.writeOnly])
    }
    let link = machine.with {
      $0.add("/sys/class/leds/lamp", .directory)
      $0.ask("/srv/notes", .regular, mode: 0o644, wanted: .write)
      var node = Node(
        path: "/sys/class/leds/lamp/notes", type: .symbolicLink, mode: 0o777, uid: 0, gid: 0)
      node.target = "/srv/notes"
      $0.facts.access.nodes.append(node)
      $0.facts.access.request = .open(path: node.path, flags: [.writeOnly])
    }
    for fixture in [outside, link] {
      let explanation = fixture.explain()
      #expect(explanation.answer == .refused)
      let commands = explanation.remedies.flatMap(\.commands)
      #expect(!commands.contains { $0.contains("chown") }, "\(commands)")
    }
  }
}
