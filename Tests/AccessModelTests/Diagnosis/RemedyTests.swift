import AccessModel
import Testing

struct RemedyTests {
  static let everything: [AccessFacts] = CauseTests.all.map(\.facts) + Report.all.map(\.facts)

  @Test
  func `no remedy opens anything to everybody`() {
    for facts in Self.everything {
      for command in facts.explain().remedies.flatMap(\.commands) {
        for word in ["666", "777", "o+r", "o+w", "a+r", "a+w", "o::r", "MODE=\"0666"] {
          #expect(!command.contains(word), "\(command)")
        }
      }
    }
  }

  @Test
  func `what a group grants beyond the need is said, and when it takes effect`() {
    let remedies = Self.everything.flatMap { $0.explain().remedies }
    let joins = remedies.filter { $0.commands.contains { $0.hasPrefix("usermod") } }
    #expect(!joins.isEmpty)
    #expect(joins.allSatisfy { $0.excess != nil && $0.takesEffect != nil })
  }

  @Test
  func `a group that stays comes before an entry that does not, and is not offered to who has it`()
  {
    let explanation = Fixtures.camera.explain()
    #expect(explanation.remedies.map { $0.commands.first?.prefix(7) } == ["usermod", "setfacl"])
    #expect(explanation.remedies.map(\.isInterim) == [false, true])
    let stale = Fixtures.camera.with {
      $0.facts.account.loginGroups = [Fixtures.alice, Fixtures.video]
    }
    #expect(
      stale.explain().remedies.flatMap(\.commands).allSatisfy { !$0.hasPrefix("usermod") })
  }

  @Test
  func `an entry says how long it lasts`() {
    let tagged = Fixtures.camera.explain().remedies.first(where: \.isInterim)?.lasts ?? ""
    #expect(tagged.contains("udevadm trigger") && tagged.contains("leaves the seat"))
    let untagged =
      Fixtures.camera.with { $0.untag() }.explain().remedies
      .first { $0.commands.first?.hasPrefix("setfacl") == true }?.lasts ?? ""
    #expect(untagged.contains("udevadm trigger") && !untagged.contains("seat"))
  }

  @Test
  func `the new login names what keeps old groups`() {
    let explanation = Fixtures.camera.with {
      $0.join(20)
      $0.facts.account.loginGroups?.append(Fixtures.video)
    }.explain()
    let text = explanation.remedies.map { "\($0.title) \($0.takesEffect ?? "")" }.joined()
    #expect(text.contains("tmux"))
    #expect(text.contains("user manager"))
  }

  @Test
  func `activating a session in the background needs an administrator`() {
    let remedies = Fixtures.camera.with { $0.session("4") }.explain().remedies
    #expect(
      remedies.first { $0.commands == ["loginctl activate 4"] }?.actor == .administrator)
  }

  @Test
  func `a path that a unit hides is to be removed from the setting that hides it`() {
    let rows = CauseTests.all.filter { $0.cause == .unitInaccessiblePath }
    #expect(!rows.isEmpty)
    for row in rows {
      let titles = row.facts.explain().remedies.map(\.title)
      #expect(
        titles.contains { $0.hasPrefix("Remove /dev/video0 from InaccessiblePaths= of motion") },
        "\(row.name): \(titles)")
    }
  }

  @Test
  func `a command names what lies in the root directory of a unit by its path outside`() {
    var fixture = Fixtures.camera.with {
      $0.facts.confinement.service = ServiceFacts()
      $0.facts.confinement.service?.rootDirectory = "/srv/root"
    }
    let bound = fixture.explain().remedies.flatMap(\.commands)
    #expect(bound.contains("setfacl -m u:alice:rw /dev/video0"))
    fixture.facts.access.mounts.removeAll { $0.at.hasPrefix("/dev") }
    let own = fixture.explain().remedies.flatMap(\.commands)
    #expect(own.contains("setfacl -m u:alice:rw /srv/root/dev/video0"))
    #expect(!own.contains { $0.hasSuffix(" /dev/video0") })
  }

  @Test
  func `a remount for a service is only proven where no setting of it makes the mount read-only`() {
    let file = Fixtures.camera.with {
      $0.ask("/srv/file", .regular, mode: 0o600)
      $0.facts.access.mounts[0].readOnly = true
      $0.facts.confinement.unit = "motion.service"
    }
    let remounts = file.explain().remedies.filter { remedy in
      remedy.commands.contains { $0.hasPrefix("mount -o remount,bind,rw") }
    }
    #expect(!remounts.isEmpty)
    #expect(remounts.allSatisfy { $0.assumes?.contains("ReadOnlyPaths=") == true })
  }

  @Test(arguments: [nil, false, true] as [Bool?], [false, true])
  func `what a service alone sees read-only is not mounted again for an edit`(
    isReadOnlyOutside: Bool?, isRunning: Bool
  ) {
    let file = Fixtures.camera.with {
      $0.ask("/srv/file", .regular, mode: 0o600, wanted: .read)
      $0.facts.access.mounts[0].readOnly = true
      $0.facts.confinement.unit = "motion.service"
      $0.facts.confinement.service = ServiceFacts()
      $0.facts.confinement.service?.isRunning = isRunning
      $0.facts.confinement.service?.protected =
        isReadOnlyOutside.map {
          [ServiceFacts.Protection("/", isReadOnlyOutside: $0)]
        } ?? []
    }
    let entry = file.explain().remedies.first {
      $0.commands.contains("setfacl -m u:alice:r /srv/file")
    }
    // A mount that the settings do not affect belongs to the whole machine.
    let isOfService = isRunning || isReadOnlyOutside == false
    let all = file.explain().remedies.map(\.commands)
    #expect((entry?.commands.count == 1) == isOfService, "\(all)")
    #expect(entry?.assumes == (isRunning ? "/ is read-only for motion.service only" : nil))
  }

  @Test(arguments: [true, false])
  func `leaves a list alone that has an ID without a mapping`(isMapped: Bool) {
    let explanation = Fixtures.camera.with {
      $0.list(
        [
          ACLEntry(.user, Fixtures.alice, [.read, .write]),
          ACLEntry(.user, Fixtures.bob, [.read, .write]),
        ], mask: .read)
      for index in $0.facts.access.mounts.indices {
        let last = isMapped ? Fixtures.bob : Fixtures.alice
        let all = IDMap([.init(inside: 0, outside: 0, length: last + 1)])
        $0.facts.access.mounts[index].idmap = IDMapping(users: all, groups: all)
      }
    }.explain()
    #expect(explanation.answer == .refused)
    let commands = explanation.remedies.flatMap(\.commands)
    #expect(commands.contains { $0.contains("setfacl") } == isMapped, "\(commands)")
  }

  @Test
  func `widening a mask says who else gains`() {
    let explanation = Fixtures.camera.with {
      $0.list(
        [
          ACLEntry(.user, Fixtures.alice, [.read, .write]),
          ACLEntry(.user, Fixtures.bob, [.read, .write]),
        ], mask: .read)
    }.explain()
    let widened = explanation.remedies.first { $0.commands.contains { $0.contains("m::rw") } }
    let excess = widened?.excess ?? ""
    #expect(excess.contains("bob (1001) write access to /dev/video0"))
    #expect(excess.contains("group video (44)"))
    #expect(!excess.contains("alice"))
    // The command limits the other entries to their previous effect, so no other user gains access.
    let first = explanation.remedies.first
    #expect(first?.commands == ["setfacl -m u:alice:rw,u:bob:r,g::r /dev/video0"])
    #expect(first?.excess == nil)
  }

  @Test
  func `what a fix gives does not repeat what was asked for`() {
    let remedies = Fixtures.camera.with {
      $0.ask("/srv/pool/file", .regular, mode: 0o666)
      $0.add("/srv/pool", .directory, mode: 0o750, gid: Fixtures.video)
    }.explain().remedies
    let excess = { (command: String) in
      remedies.first { $0.commands.contains { $0.hasPrefix(command) } }?.excess
    }
    let join = excess("usermod") ?? ""
    #expect(join.hasPrefix("access to everything else that group video (44) can use"))
    #expect(!join.contains("/srv"))
    let place = "access to the other files and directories in /srv/pool"
    #expect(excess("setfacl") == place + ", as far as their permissions allow")
  }

  /// Strings that a device, a rule or another user could choose.
  static let hostile = [
    "/dev/video0; reboot #", "/dev/$(reboot)", "/dev/`reboot`", "/dev/a'b' reboot",
    "/dev/x\nreboot\n", "/dev/\u{1B}[2J reboot", "/dev/\u{202E}toober", "/dev/a\\ reboot\"",
    "/dev/-reboot && reboot", "/dev/\u{9B}31m reboot | sh",
  ]

  @Test(arguments: hostile)
  func `a hostile path stays one word of every command`(path: String) {
    for (mode, type) in [(UInt16(0o660), FileType.characterDevice), (0o750, .directory)] {
      for unit in [nil, "motion.service"] {
        let fixture = Fixtures.camera.with {
          $0.ask(path, type, mode: mode, gid: Fixtures.video)
          $0.facts.devices[0].node = path
          $0.facts.confinement.unit = unit
          $0.check([.read, .write], unit == nil ? 13 : 1)
        }
        for command in fixture.explain().remedies.flatMap(\.commands) {
          let words = ShellWords(command)
          #expect(!words.hasOperators, "\(command)")
          #expect(
            words.words.allSatisfy { word in
              !word.contains("reboot") || word.contains(path)
            }, "\(command)")
        }
      }
    }
  }

  @Test
  func `hostile names of users, groups and units do not reach a command as names`() {
    let explanation = Fixtures.camera.with {
      $0.facts.account.user = "alice;reboot"
      $0.facts.account.userNames[Fixtures.alice] = "alice;reboot"
      $0.facts.account.groupNames[Fixtures.video] = "-video reboot"
      $0.facts.confinement.unit = "a;reboot.service"
    }.explain()
    let commands = explanation.remedies.flatMap(\.commands)
    #expect(commands.contains("setfacl -m u:1000:rw /dev/video0"))
    for command in commands {
      let words = ShellWords(command)
      #expect(!words.hasOperators, "\(command)")
      #expect(
        words.words.allSatisfy { !$0.contains("reboot") || $0.contains("a;reboot.service") },
        "\(command)")
    }
  }

  @Test
  func `hostile properties do not reach a rule`() {
    let explanation = Fixtures.camera.with {
      $0.untag()
      $0.session("2", isActive: true, active: Fixtures.alice)
      $0.device { $0.properties["ID_VENDOR_ID"] = "0\"6d" }
    }.explain()
    let rule = explanation.remedies.first?.commands.first ?? ""
    let match = #"SUBSYSTEM=="video4linux", KERNEL=="video*", KERNELS=="1-5", ATTR{index}=="0""#
    #expect(rule.contains(match))
    #expect(!rule.contains("0\"6d"))
  }

  @Test
  func `a path that is not valid UTF-8 is named by its bytes`() {
    let path = ByteText(bytes: Array("/srv/cam".utf8) + [0xFF]).text
    let explanation = Fixtures.camera.with { $0.ask(path, gid: Fixtures.video) }.explain()
    #expect(explanation.answer == .refused)
    let setfacl = explanation.remedies.first { $0.title.contains("entry") }
    #expect(setfacl?.commands.first?.hasSuffix(#" $'/srv/cam\377'"#) == true)
  }
}
