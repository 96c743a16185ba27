import AccessModel
import Testing

/// Causes that affect a login, apart from the group database.
@Suite struct `A login of a user` {
  private static let nothing = DeviceCgroup(defaultBehavior: .deny, exceptions: [])

  @Test(arguments: [Errno?.none, .success])
  func `is refused by the device policy of the user's slice`(errno: Errno?) throws {
    let explanation = Fixtures.camera.with {
      $0.join(Fixtures.video)
      $0.facts.origin = SubjectOrigin(.user, name: "alice")
      var service = ServiceFacts()
      service.policies = [.init(unit: "user-1000.slice", list: Self.nothing, setting: .closed)]
      $0.facts.confinement.service = service
      $0.facts.access.subject.deviceCgroup = Self.nothing
      // The child process that asks the kernel is in the caller's control group.
      if let errno { $0.check([.read, .write], errno) }
    }.explain()
    #expect(explanation.answer == .refused)
    #expect(explanation.answerCertainty == .predicted)
    #expect(explanation.cause?.code == .unitPrivateDevices)
    #expect(explanation.cause?.summary.contains("user-1000.slice") == true)
    #expect(
      explanation.remedies.first?.commands
        == ["systemctl set-property user-1000.slice 'DeviceAllow=char-video4linux rw'"])
    #expect(
      explanation.remedies.contains {
        $0.commands == ["systemctl set-property user-1000.slice 'DeviceAllow=/dev/video0 rw'"]
      })
  }

  @Test(
    arguments: [
      (SubjectOrigin(.user, name: "alice"), [Fixtures.video], true),
      (SubjectOrigin(.user, name: "alice"), [29], false),
      (SubjectOrigin(.process, name: "cam"), [Fixtures.video], false),
      (SubjectOrigin(.user, name: "alice"), [], false),
    ] as [(SubjectOrigin, [UInt32], Bool)])
  func `may get a group by a module, so that a refusal is not proven`(
    origin: SubjectOrigin, groups: [UInt32], isOpen: Bool
  ) {
    let explanation = Fixtures.camera.with {
      $0.untag()
      $0.facts.origin = origin
      $0.facts.account.moduleGroups = groups
      $0.check([.read, .write], .permissionDenied)
    }.explain()
    #expect(explanation.answer == .refused)
    #expect(explanation.answerCertainty == (isOpen ? .predicted : .proven))
    #expect(explanation.cause?.summary.contains("group.conf") == isOpen)
    #expect(explanation.cause?.isProven == !isOpen)
  }

  @Test(arguments: [([Fixtures.video], true), ([29], false)])
  func `may keep a group that only a module adds`(groups: [UInt32], isNamed: Bool) {
    let explanation = Fixtures.camera.with {
      $0.untag()
      $0.facts.access.subject.groups.append(Fixtures.video)
      $0.facts.account.moduleGroups = groups
    }.explain()
    let isOfModule = explanation.evidence.contains { $0.contains("/etc/security/group.conf") }
    #expect(isOfModule == isNamed)
    #expect(explanation.evidence.contains { $0.contains("would be refused unless") } == !isNamed)
  }

  @Test func `keeps its groups in a snapshot`() throws {
    let facts = Fixtures.camera.with { $0.facts.account.moduleGroups = [29, 44] }.facts
    let text = try JSON.encode(facts)
    #expect(text.contains(#""module_groups""#))
    #expect(try JSON.decode(AccessFacts.self, text) == facts)
  }
}

/// A script is executed by the program that its first line names.
@Suite struct `A script that is to be executed` {
  private static func facts(_ change: (inout Fixtures) -> Void = { _ in }) -> AccessFacts {
    Fixtures.camera.with {
      $0.facts.devices = []
      $0.ask("/srv/run", .regular, mode: 0o755, wanted: .execute)
      $0.add("/usr/bin/python3", .regular, mode: 0o755)
      $0.facts.interpreters = ["/usr/bin/python3"]
      change(&$0)
    }.facts
  }

  @Test func `is allowed with its interpreter`() {
    #expect(Self.facts().explain().answer == .allowed)
  }

  @Test func `is refused where its interpreter may not be executed`() throws {
    let explanation = Self.facts { $0.node("/usr/bin/python3") { $0.mode = 0o700 } }.explain()
    #expect(explanation.answer == .refused)
    #expect(explanation.path == "/srv/run")
    #expect(explanation.cause?.code == .modeOwner)
    #expect(
      explanation.cause?.summary.contains("that the kernel runs with /usr/bin/python3") == true)
    #expect(explanation.decision.steps.last?.path == "/usr/bin/python3")
  }

  @Test func `is refused where its interpreter does not exist`() {
    let explanation = Self.facts {
      $0.facts.access.nodes.removeAll { $0.path == "/usr/bin/python3" }
    }.explain()
    #expect(explanation.answer == .refused)
    #expect(explanation.cause?.code == .nodeAbsent)
  }

  @Test func `is refused where its interpreter is on a mount that forbids execution`() {
    let explanation = Self.facts {
      var mount = Mount(at: "/usr", fstype: "ext4")
      mount.noexec = true
      $0.facts.access.mounts.append(mount)
    }.explain()
    #expect(explanation.answer == .refused)
    #expect(explanation.cause?.code == .mountNoexec)
  }

  @Test func `needs no interpreter to be read`() {
    let facts = Fixtures.camera.with {
      $0.facts.devices = []
      $0.ask("/srv/run", .regular, mode: 0o755, wanted: .read)
      $0.facts.interpreters = ["/usr/bin/python3"]
    }.facts
    #expect(facts.explain().answer == .allowed)
  }

  @Test func `keeps its interpreters in a snapshot`() throws {
    let facts = Self.facts()
    let text = try JSON.encode(facts)
    #expect(text.contains(#""interpreters""#))
    #expect(try JSON.decode(AccessFacts.self, text) == facts)
  }
}
