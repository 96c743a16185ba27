import AccessModel
import Testing

extension Fixtures {
  private static let reader = "/dev/bus/usb/001/007"
  private static let place = "/sys/devices/pci0000:00/usb1/1-7"

  /// Asks for a smart-card reader that alice may open, with the daemon that serves it.
  fileprivate mutating func askReader(
    mode: UInt16 = 0o666, _ cards: HardwareFacts.CardService? = .init(refused: [.any, .inactive])
  ) {
    ask(Self.reader, mode: mode)
    var device = DeviceFacts(
      node: Self.reader, sysfsPath: Self.place, subsystem: "usb", kernelName: "1-7")
    device.number = facts.access.nodes.last?.rdev
    device.properties = ["DEVTYPE": "usb_device"]
    facts.devices = [device]
    var hardware = HardwareFacts()
    hardware.interfaces = [
      .init(sysfsPath: "\(Self.place)/1-7:1.0", interfaceClass: 0x03),
      .init(sysfsPath: "\(Self.place)/1-7:1.1", interfaceClass: 0x0B),
    ]
    hardware.cards = cards
    facts.hardware = hardware
    session("7", seat: nil, isActive: true, isRemote: true)
  }
}

extension CauseTests {
  private static let letting = #"""
    printf '%s\n' 'polkit.addRule(function(action, subject) { \#
    if ((action.id == "org.debian.pcsc-lite.access_pcsc" || \#
    action.id == "org.debian.pcsc-lite.access_card") && subject.user == "alice") \#
    return polkit.Result.YES; });' >> /etc/polkit-1/rules.d/40-devaccess-cards.rules
    """#

  private static let making = "touch /etc/polkit-1/rules.d/40-devaccess-cards.rules"

  static let cardCases: [CauseCase] = [
    CauseCase("a reader behind polkit, over ssh", nil, .authorized, .allowed, command: making) {
      $0.askReader()
    },
    CauseCase(
      "a reader whose node is closed as well", .polkitRefused, .denied, command: making
    ) {
      $0.askReader(mode: 0o600)
    },
  ]

  private static func refusal(
    _ cards: HardwareFacts.CardService? = .init(refused: [.any, .inactive]),
    _ change: (inout Fixtures) -> Void = { _ in }
  ) throws -> Cause? {
    let facts = Fixtures.camera.with {
      $0.askReader(cards)
      change(&$0)
    }.facts
    // The facts are encoded and decoded first, which must not change the answer.
    let explanation = try JSON.decode(AccessFacts.self, JSON.encode(facts)).explain()
    #expect(explanation.answer == .allowed)
    return explanation.furtherCauses.first { $0.code == .polkitRefused }
  }

  @Test func `a session without a seat is refused by polkit, with a rule for that user`() throws {
    let explanation = Fixtures.camera.with { $0.askReader() }.explain()
    let cause = try #require(explanation.furtherCauses.first)
    #expect(cause.code == .polkitRefused && !cause.isProven)
    #expect(cause.summary.contains("because alice (1000) has no session on a seat"))
    #expect(cause.summary.contains("one of its rules, which cannot be read"))
    let fix = try #require(explanation.remedies.first)
    #expect(
      fix.commands == [
        Self.making, "chmod 644 /etc/polkit-1/rules.d/40-devaccess-cards.rules", Self.letting,
      ])
    #expect(fix.actor == .administrator && fix.assumes != nil && fix.scope != nil)
    #expect(
      explanation.lookups.first?.commands.first
        == "pkcheck --action-id org.debian.pcsc-lite.access_pcsc --process $$")
  }

  @Test func `the cause stands before that of a refused node, whose fix lets nobody at the cards`()
  {
    let explanation = Fixtures.camera.with { $0.askReader(mode: 0o600) }.explain()
    #expect(explanation.answer == .refused)
    #expect(explanation.cause?.code == .polkitRefused)
    #expect(explanation.furtherCauses.map(\.code).contains(.modeOwner))
    // A permission on the node gives no access to the cards.
    #expect(explanation.remedies.count == 1)
    #expect(explanation.remedies.first?.commands.contains(Self.letting) == true)
  }

  @Test(
    arguments: [
      ("an active session", "2", "seat0", true, false),
      ("an inactive session", "2", "seat0", false, true), ("ssh", "2", nil, true, true),
      ("none", nil, nil, false, true),
    ] as [(String, String?, String?, Bool, Bool)])
  func `the session decides as it does for polkit`(
    name: String, id: String?, seat: String?, isActive: Bool, isRefused: Bool
  ) throws {
    #expect(
      (try Self.refusal { $0.session(id, seat: seat, isActive: isActive) } != nil) == isRefused)
  }

  @Test func `a program of the user's own manager counts to the session on the seat`() throws {
    let isRefused = try [Fixtures.alice, Fixtures.bob].map { active in
      try Self.refusal {
        $0.session(nil, seat: "seat0", active: active)
        $0.facts.confinement.unit = "user@1000.service"
      } != nil
    }
    #expect(isRefused == [false, true])
  }

  @Test(
    arguments: [
      (HardwareFacts.CardService.Answer.yes, nil), (.challenge, nil), (.no, true),
    ] as [(HardwareFacts.CardService.Answer, Bool?)])
  func `polkit's own answer comes before all that is read`(
    answer: HardwareFacts.CardService.Answer, isProven: Bool?
  ) throws {
    #expect(
      try Self.refusal(.init(refused: [.any], rules: .named, answer: answer))?.isProven == isProven)
  }

  @Test(
    arguments: [
      (nil, false), (HardwareFacts.CardService.Rules.none, true), (.other, false), (.named, false),
    ] as [(HardwareFacts.CardService.Rules?, Bool)])
  func `only without any rule the defaults are sure to decide`(
    rules: HardwareFacts.CardService.Rules?, isProven: Bool
  ) throws {
    #expect(try Self.refusal(.init(refused: [.any], rules: rules))?.isProven == isProven)
  }

  @Test func `nothing is said without a reader, a daemon or a refusal`() throws {
    #expect(try Self.refusal(nil) == nil)
    #expect(try Self.refusal(.init(refused: [])) == nil)
    #expect(try Self.refusal(.init(refused: [.active])) == nil)
    #expect(try Self.refusal { $0.facts.hardware?.interfaces = [] } == nil)
    #expect(try Self.refusal { $0.facts.access.subject = Subject(uid: 0, gid: 0) } == nil)
    let tagged = try Self.refusal {
      $0.facts.hardware?.interfaces = []
      $0.facts.devices[0].properties["ID_SMARTCARD_READER"] = "1"
    }
    #expect(tagged != nil)
  }

  @Test(arguments: ["al\"ice", "alice\"); //", "$(reboot)", ""])
  func `a name that a snapshot invents is in no rule`(name: String) throws {
    let explanation = Fixtures.camera.with {
      $0.askReader()
      $0.facts.account.userNames[Fixtures.alice] = name
    }.explain()
    #expect(explanation.furtherCauses.contains { $0.code == .polkitRefused })
    let commands: [String] = explanation.remedies.flatMap(\.commands)
    #expect(!commands.contains { $0.contains("polkit") })
  }
}
