import AccessModel
import Testing

/// New logins and groups, which are offered before rules that must be written.
struct MembershipOrderTests {
  private static let render: UInt32 = 109

  private func fixes(_ change: (inout Fixtures) -> Void) -> [Remedy] {
    Fixtures.camera.with(change).explain().remedies
  }

  /// Asks for a device of a group to which the user was added after logging in.
  private static func askOld(_ fixture: inout Fixtures, _ path: String, _ subsystem: String) {
    fixture.askDevice(path, subsystem: subsystem, gid: render)
    fixture.facts.account.groupNames[render] = "devices"
    fixture.join(20)
    fixture.facts.account.loginGroups?.append(render)
  }

  @Test(
    arguments: [
      ("/dev/kvm", "misc"), ("/dev/dri/renderD128", "drm"), ("/dev/ttyACM0", "tty"),
      ("/dev/hidraw0", "hidraw"), ("/dev/spidev0.0", "spidev"), ("/dev/uinput", "misc"),
    ], [true, false])
  func `a user who is in the group by the database logs in again first`(
    _ device: (path: String, subsystem: String), isRemote: Bool
  ) {
    let remedies = fixes {
      Self.askOld(&$0, device.path, device.subsystem)
      if isRemote {
        $0.session("5", seat: nil, isActive: true, isRemote: true, active: nil)
      } else {
        $0.sit()
      }
    }
    #expect(remedies.first?.title == "Log out of all sessions, then log in again")
    #expect(remedies.first?.isProven == true && remedies.first?.lasts == nil)
    #expect(remedies.dropFirst().first?.commands == ["newgrp devices"])
  }

  @Test(
    arguments: [
      ("/dev/ttyUSB0", "tty", 986), ("/dev/kvm", "misc", 36), ("/dev/input/event3", "input", 104),
      ("/dev/dri/renderD128", "drm", 303),
    ] as [(String, String, UInt32)])
  func `a node of a device's group is opened by the group where no seat gives it`(
    path: String, subsystem: String, group: UInt32
  ) {
    let change = { (fixture: inout Fixtures) in
      fixture.askDevice(path, subsystem: subsystem, gid: group)
      fixture.facts.account.groupNames[group] = "devices"
    }
    let remote = fixes {
      change(&$0)
      $0.session("5", seat: nil, isActive: true, isRemote: true, active: nil)
    }
    let bare = fixes {
      change(&$0)
      $0.facts.session = SessionFacts(isLogindRunning: false)
      $0.facts.confinement.hasSystemd = false
    }
    for remedies in [remote, bare] {
      #expect(remedies.first?.commands == ["usermod -aG devices alice"])
    }
  }

  @Test func `the group of a person is not joined before a rule for one user`() {
    let remedies = fixes {
      $0.askDevice("/dev/ttyUSB0", subsystem: "tty", gid: Fixtures.bob)
      $0.facts.account.groupNames[Fixtures.bob] = "bob"
      $0.session("5", seat: nil, isActive: true, isRemote: true, active: nil)
    }
    #expect(remedies.first?.commands.first?.contains("99-devaccess-entry.rules") == true)
  }

  // MARK: - A node of a sound card

  private static func askCard(_ fixture: inout Fixtures, control: UInt16) {
    let folder = "/sys/devices/pci0000:00/0000:00:1f.3/sound/card0"
    fixture.ask("/dev/snd/pcmC0D0p", mode: 0o660, gid: 29)
    fixture.add("/dev/snd/controlC0", .characterDevice, mode: control, gid: 29)
    fixture.facts.devices = ["pcmC0D0p", "controlC0"].map { name in
      var device = DeviceFacts(
        node: "/dev/snd/\(name)", sysfsPath: "\(folder)/\(name)", subsystem: "sound",
        kernelName: name)
      device.tags = []
      device.classify()
      return device
    }
    fixture.session("5", seat: nil, isActive: true, isRemote: true, active: nil)
  }

  @Test func `what opens a node of a sound card opens its control node, too`() throws {
    let remedies = fixes { Self.askCard(&$0, control: 0o660) }
    #expect(remedies.first?.commands == ["usermod -aG audio alice"])
    let rule = try #require(
      remedies.first { $0.commands.first?.contains("99-devaccess-entry.rules") == true })
    for (name, pattern) in [("pcmC0D0p", "pcmC0D0p"), ("controlC0", "controlC*")] {
      #expect(rule.title.contains("/dev/snd/\(name)"))
      #expect(rule.commands.contains { $0.contains(#"KERNEL=="\#(pattern)""#) })
      #expect(
        rule.commands.contains("udevadm trigger --subsystem-match=sound --sysname-match=\(name)"))
    }
    #expect(rule.commands.filter { $0 == "udevadm control --reload" }.count == 1)
    let entries = try #require(
      remedies.first { $0.commands.first?.hasPrefix("setfacl") == true })
    #expect(
      entries.commands == [
        "setfacl -m u:alice:rw /dev/snd/pcmC0D0p", "setfacl -m u:alice:rw /dev/snd/controlC0",
      ])
  }

  @Test func `a control node that is open needs nothing`() {
    let remedies = fixes { Self.askCard(&$0, control: 0o666) }
    #expect(!remedies.isEmpty)
    #expect(remedies.map(\.commands).joined().allSatisfy { !$0.contains("controlC0") })
  }

  @Test func `a node that plays is no wrong node for a program that names it`() {
    let explanation = Fixtures.camera.with { Self.askCard(&$0, control: 0o660) }.explain()
    let codes = [explanation.cause?.code].compactMap(\.self) + explanation.furtherCauses.map(\.code)
    #expect(codes.contains(.groupNotMember) && !codes.contains(.wrongNodeMetadata))
  }
}
