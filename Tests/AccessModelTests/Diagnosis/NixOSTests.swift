import AccessModel
import Testing

/// Fixes on NixOS, which generates `/etc` from its configuration.
struct NixOSTests {
  private func fixes(_ change: (inout Fixtures) -> Void) -> [Remedy] {
    Fixtures.camera.with {
      change(&$0)
      $0.facts.confinement.distribution = "nixos"
    }.explain().remedies
  }

  @Test func `no fix of any kind writes to the rules or the units`() {
    var settings = 0
    for facts in RemedyTests.everything where facts.confinement.container == nil {
      var facts = facts
      facts.confinement.distribution = "nixos"
      for remedy in facts.explain().remedies {
        settings += remedy.options.count { $0.hasSuffix(";") }
        for command in remedy.commands {
          let isWritten = [
            "udev/rules.d", "/etc/systemd/", "modules-load.d", "usermod", "groupadd",
          ]
          .contains(where: command.contains)
          #expect(!isWritten, "\(command)")
        }
      }
    }
    #expect(settings > 20)
  }

  @Test func `a rule and a group are settings of the configuration`() throws {
    let remedies = fixes {
      $0.askDevice("/dev/hidraw0", subsystem: "hidraw", mode: 0o600, tags: ["seat", "uaccess"])
      $0.session("5", seat: nil, isActive: true, isRemote: true, active: nil)
    }
    let first = try #require(remedies.first)
    #expect(first.options.contains { $0.hasPrefix("services.udev.packages = [") })
    #expect(first.options.contains(#"users.users.alice.extraGroups = [ "plugdev" ];"#))
    #expect(first.options.contains("users.groups.plugdev = { };"))
    #expect(first.commands.first == "nixos-rebuild switch")
    #expect(
      first.commands.suffix(2) == [
        "udevadm trigger --subsystem-match=hidraw --sysname-match=hidraw0", "udevadm settle",
      ])
  }

  @Test func `a command of a rule has its path in the store`() throws {
    let remedies = fixes {
      $0.askDevice("/dev/vchiq", subsystem: "vchiq", mode: 0o600, tags: [])
      $0.facts.access.subject = Subject(uid: Fixtures.alice, gid: Fixtures.alice)
      $0.serve("printer.service")
    }
    #expect(remedies.first?.options.first?.hasPrefix("services.udev.packages = [") == true)
    let option = try #require(
      remedies.map(\.options).joined().first { $0.contains("setfacl") })
    #expect(option.hasPrefix("services.udev.extraRules = ''"))
    #expect(option.contains("${pkgs.acl}/bin/setfacl -m u:alice:rw $devnode"))
  }

  @Test func `a setting of a service is one of its unit`() throws {
    let first = try #require(
      fixes {
        $0.untag()
        $0.serve("motion.service")
      }.first)
    #expect(
      first.options == [
        #"systemd.services."motion".serviceConfig.SupplementaryGroups = [ "video" ];"#
      ])
    #expect(first.commands == ["nixos-rebuild switch"])
  }

  @Test func `is told by a mount, and never by what a container shows`() {
    let change = { (fixture: inout Fixtures) in
      fixture.untag()
      fixture.facts.access.mounts.append(Mount(at: "/nix/store", fstype: "ext4"))
    }
    let own = Fixtures.camera.with(change).explain().remedies
    #expect(own.contains { $0.commands.first == "nixos-rebuild switch" })
    let debian = Fixtures.camera.with {
      change(&$0)
      $0.facts.confinement.distribution = "debian"
    }.explain().remedies
    #expect(debian.allSatisfy { $0.commands.first != "nixos-rebuild switch" })
  }
}
