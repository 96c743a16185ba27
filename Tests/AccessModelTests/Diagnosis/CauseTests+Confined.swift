import AccessModel
import Testing

/// Services, labels and sandboxes.
extension CauseTests {
  private static let video = DeviceCgroup.Exception(
    isBlock: false, major: 81, minor: nil, read: true, write: true, makeNode: false)

  private static func serve(
    _ fixture: inout Fixtures, _ policies: [ServiceFacts.Policy], isRunning: Bool = false
  ) {
    fixture.join(Fixtures.video)
    fixture.facts.origin = SubjectOrigin(.unit, name: "cam.service", source: .manager)
    fixture.facts.confinement.unit = "cam.service"
    var service = ServiceFacts()
    service.isRunning = isRunning
    service.policies = policies
    fixture.facts.confinement.service = service
    fixture.facts.access.subject.deviceCgroup = policies.compactMap(\.list)
      .reduce(nil as DeviceCgroup?) { $0?.intersection($1) ?? $1 }
  }

  private static let none = DeviceCgroup(defaultBehavior: .deny, exceptions: [])
  private static let some = DeviceCgroup(defaultBehavior: .deny, exceptions: [video])

  static let confined: [CauseCase] = [
    CauseCase("the policy of a slice", .unitPrivateDevices, .restricted) {
      serve(
        &$0,
        [
          ServiceFacts.Policy(unit: "cam.service", list: some),
          ServiceFacts.Policy(unit: "tight.slice", list: none),
        ])
    },
    CauseCase("a policy older than the device", .unitPolicyOutdated, .restricted) {
      serve(
        &$0, [ServiceFacts.Policy(unit: "cam.service", list: none, missed: ["/dev/video0"])],
        isRunning: true)
    },
    CauseCase("another root directory", .unitRootDirectory, nil, .absent) {
      $0.removeDevices()
      $0.facts.kind = nil
      $0.facts.access.request = .open(path: "/srv/music", flags: [.readOnly])
      serve(&$0, [])
      $0.facts.confinement.service?.rootDirectory = "/var/lib/machine"
    },
    CauseCase("policies that allow", nil, .authorized, .allowed) {
      serve(&$0, [ServiceFacts.Policy(unit: "cam.service", list: some)])
    },
    CauseCase(
      "a label that is enforced, without a list of modules", .appArmor, .restricted, .refused,
      .proven
    ) {
      $0.join(Fixtures.video)
      $0.facts.confinement.label = "cam (enforce)"
      $0.check([.read, .write], 0)
      $0.try(.open, 13)
    },
    CauseCase("SELinux without a list of modules", .selinux, .restricted, .refused, .proven) {
      $0.join(Fixtures.video)
      $0.facts.confinement.securityModules = nil
      $0.facts.confinement.label = "system_u:system_r:cam_t:s0"
      $0.check([.read, .write], 13)
    },
    CauseCase("a seccomp filter that refuses every check", nil, .authorized, .allowed) {
      $0.join(Fixtures.video)
      $0.facts.confinement.seccompMode = 2
      $0.check([.read, .write], 1)
      $0.check(.search, 1, path: "/")
    },
    CauseCase(
      "the device control group under a filter", .cgroupDevice, .restricted, .refused, .proven
    ) {
      $0.join(Fixtures.video)
      $0.facts.confinement.seccompMode = 2
      $0.check([.read, .write], 1)
      $0.check(.search, 0, path: "/")
    },
    CauseCase("an owner whose mapping would not help", .groupNotMember, .denied) {
      let map = IDMap([IDMap.Range(inside: 0, outside: Fixtures.alice, length: 1)])
      $0.facts.access.subject.userNamespace = IDMapping(users: map, groups: map)
      $0.untag()
    },
  ]

  @Test(arguments: [
    (ServiceFacts.PolicySetting.privateDevices, "PrivateDevices=yes allows only pseudo devices"),
    (.closed, "DevicePolicy=closed allows only pseudo devices"),
    (.strict, "DevicePolicy=strict allows only the devices"),
    (.list, "DeviceAllow= allows only pseudo devices and those that it lists"),
    (.protectClock, "in this version of systemd, ProtectClock=yes adds DeviceAllow=char-rtc"),
    (.images, "in this version of systemd, RootImage= or MountImages= adds DeviceAllow="),
    (.credentials, "in this version of systemd, LoadCredentialEncrypted= adds DeviceAllow="),
  ])
  func `the setting that closes a device policy is named`(
    setting: ServiceFacts.PolicySetting, words: String
  ) throws {
    let facts = Fixtures.camera.with {
      Self.serve(
        &$0,
        [
          ServiceFacts.Policy(unit: "cam.service", list: Self.none, setting: setting),
          ServiceFacts.Policy(unit: "tight.slice", list: Self.none),
        ])
    }.facts
    let explanation = try JSON.decode(AccessFacts.self, JSON.encode(facts)).explain()
    #expect(explanation.cause?.code == .unitPrivateDevices)
    #expect(explanation.cause?.summary.contains("even for root: \(words)") == true)
    #expect(explanation.cause?.summary.hasSuffix(".") == true)
  }

  @Test func `the setting is named to a program in the service itself, too`() {
    let explanation = Fixtures.camera.with {
      Self.serve(
        &$0, [ServiceFacts.Policy(unit: "cam.service", list: Self.none, setting: .list)],
        isRunning: true)
      // The kernel has refused the access, and the device cgroup is unknown.
      $0.facts.origin = nil
      $0.facts.access.subject.deviceCgroup = nil
      $0.facts.access.subject.unobserved = [.deviceCgroup]
      $0.check([.read, .write], .notPermitted)
    }.explain()
    #expect(explanation.cause?.code == .unitPrivateDevices)
    #expect(explanation.cause?.summary.contains("DeviceAllow= allows only") == true)
    #expect(explanation.cause?.isProven == true)
  }

  @Test func `the portal's no counts where the node is granted`() {
    let facts = Fixtures.camera.with {
      $0.join(Fixtures.video)
      $0.facts.portal = PortalFacts(storedAnswer: "no")
    }.facts
    let explanation = facts.explain()
    #expect(explanation.answer == .allowed)
    #expect(explanation.furtherCauses.contains { $0.code == .portalStoredNo })
  }

  @Test func `an enforced label is named as what could still refuse`() {
    let facts = Fixtures.camera.with {
      $0.join(Fixtures.video)
      $0.facts.confinement.label = "cam (enforce)"
      $0.facts.confinement.profileRule = "no rule for /dev/video0 (/etc/apparmor.d/cam)"
    }.facts
    let explanation = facts.explain()
    #expect(explanation.answer == .allowed)
    #expect(explanation.certainty == .predicted)
    let layer = explanation.unobserved.first { $0.layer == "apparmor" }
    #expect(layer?.reason.contains("cam") == true)
    #expect(layer?.reason.contains("no rule for /dev/video0") == true)
    let complain = Fixtures.camera.with {
      $0.join(Fixtures.video)
      $0.facts.confinement.label = "cam (complain)"
      $0.facts.confinement.securityModules = ["capability"]
      $0.facts.confinement.seccompMode = 0
      $0.check([.read, .write], 0)
    }.facts
    #expect(complain.explain().certainty == .proven)
  }

  @Test(
    arguments: [
      (#""deny /dev/video* rw," (/etc/apparmor.d/cam)"#, true),
      (#""audit deny /dev/** w," (/etc/apparmor.d/cam)"#, true),
      ("no rule for /dev/video0 (/etc/apparmor.d/cam)", true),
      (#""/dev/deny/video* rw," (/etc/apparmor.d/cam)"#, false), (nil, false),
    ] as [(String?, Bool)])
  func `a profile whose text speaks against the object is a likely reason`(
    rule: String?, isReason: Bool
  ) {
    let explanation = Fixtures.camera.with {
      $0.join(Fixtures.video)
      $0.facts.confinement.label = "cam (enforce)"
      $0.facts.confinement.profileRule = rule
      $0.check([.read, .write], 0)
    }.explain()
    #expect(explanation.answer == .allowed)
    #expect(explanation.doubts == ["the AppArmor profile cam"])
    let cause = explanation.furtherCauses.first { $0.code == .appArmor }
    #expect((cause != nil) == isReason)
    guard let cause, let rule else { return }
    #expect(!cause.isProven && cause.summary.contains("cam is enforced and may refuse"))
    #expect(cause.summary.contains(rule))
    #expect(explanation.lookups.contains { $0.commands.joined().contains("apparmor") })
    #expect(
      explanation.remedies.contains { $0.commands == ["aa-logprof"] } != rule.contains("deny"))
    #expect(explanation.remedies.contains { $0.title.contains(rule) } == rule.contains("deny"))
  }

  @Test(arguments: [
    ("/dev/video0", "camera"), ("/dev/ttyUSB0", "serial-port"), ("/media/x/y", "removable-media"),
    ("/dev/bus/usb/001/002", "raw-usb"),
  ])
  func `a snap lacks the interface of the path`(path: String, interface: String) {
    let facts = Fixtures.camera.with {
      $0.ask(path, path.hasPrefix("/dev") ? .characterDevice : .regular, mode: 0o666)
      $0.facts.devices = []
      $0.facts.confinement.container = "snap"
      $0.facts.confinement.label = "snap.cam.app (enforce)"
      $0.check([.read, .write], path.hasPrefix("/dev") ? 1 : 13)
    }.facts
    let cause = facts.explain().cause
    #expect(cause?.code == .snapInterface)
    #expect(cause?.summary.contains("\(interface) interface,") == true)
  }

  @Test func `a dynamic user is called so, and no number is invented`() {
    let facts = Fixtures.camera.with {
      $0.facts.access.subject = Subject(uid: 61184, gid: 61184)
      $0.facts.access.subject.unobserved = [.dynamicIDs]
      $0.facts.account = AccountFacts()
      $0.facts.account.groupNames = [Fixtures.video: "video"]
      $0.facts.confinement.unit = "cam.service"
      $0.facts.origin = SubjectOrigin(.unit, name: "cam.service", source: .files)
    }.facts
    let explanation = facts.explain()
    #expect(explanation.answer == .refused)
    #expect(explanation.cause?.code == .unitDynamicUser)
    let texts =
      [explanation.cause?.summary ?? ""] + explanation.evidence
      + explanation.furtherCauses.map(\.summary)
      + explanation.remedies.flatMap { [$0.title] + $0.commands }
    #expect(!texts.contains { $0.contains("61184") }, "\(texts)")
    #expect(explanation.remedies.contains { $0.commands.joined().contains("SupplementaryGroups=") })
    var owned = facts
    for index in owned.access.nodes.indices where owned.access.nodes[index].type.isDevice {
      owned.access.nodes[index].uid = 61500
    }
    #expect(owned.explain().answer == .undetermined)
  }
}
