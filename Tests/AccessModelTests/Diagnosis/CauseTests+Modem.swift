import AccessModel
import Testing

extension Fixtures {
  private static let modem = "/dev/ttyACM0"

  /// Asks for a serial port on USB that alice may use, while ModemManager is running.
  fileprivate mutating func askModem(_ change: (inout HardwareFacts.Port) -> Void = { _ in }) {
    ask(Self.modem, mode: 0o666)
    var device = DeviceFacts(
      node: Self.modem, sysfsPath: "/sys/devices/pci/usb1/1-4/1-4:1.0/tty/ttyACM0",
      subsystem: "tty", kernelName: "ttyACM0")
    device.number = facts.access.nodes.last?.rdev
    device.bus = "usb"
    device.properties = [
      "ID_VENDOR_ID": "2341", "ID_MODEL_ID": "0043", "ID_SERIAL_SHORT": "75834",
      "ID_MM_CANDIDATE": "1",
    ]
    facts.devices = [device]
    var port = HardwareFacts.Port(
      node: Self.modem, interface: [2, 2, 1], properties: ["ID_MM_CANDIDATE": "1"],
      policy: "strict")
    change(&port)
    var hardware = HardwareFacts()
    hardware.ports = [port]
    facts.hardware = hardware
  }
}

extension CauseTests {
  private static let ignoring = #"""
    printf '%s\n' 'ATTRS{idVendor}=="2341", ATTRS{idProduct}=="0043", \#
    ATTRS{serial}=="75834", ENV{ID_MM_DEVICE_IGNORE}="1"' \#
    >> /etc/udev/rules.d/72-devaccess-modem.rules
    """#

  static let modemCases: [CauseCase] = [
    CauseCase(
      "ModemManager looks for a modem", nil, .authorized, .allowed, command: ignoring
    ) { $0.askModem() }
  ]

  private static func probed(_ change: (inout HardwareFacts.Port) -> Void) throws -> Bool {
    let facts = Fixtures.camera.with { $0.askModem(change) }.facts
    // The facts are encoded and decoded first, which must not change the answer.
    let explanation = try JSON.decode(AccessFacts.self, JSON.encode(facts)).explain()
    #expect(explanation.answer == .allowed)
    return explanation.furtherCauses.map(\.code) == [.portProbed]
  }

  @Test func `a port that ModemManager may open is told with a rule for that very device`() throws {
    let explanation = Fixtures.camera.with { $0.askModem() }.explain()
    let cause = try #require(explanation.furtherCauses.first)
    #expect(cause.code == .portProbed && !cause.isProven)
    let fix = try #require(explanation.remedies.first)
    #expect(
      fix.commands == [
        Self.ignoring, "udevadm control --reload",
        "udevadm trigger --subsystem-match=tty --sysname-match=ttyACM0", "udevadm settle",
      ])
    #expect(fix.takesEffect?.contains("replugged") == true && fix.caution != nil)
  }

  @Test(
    arguments: [
      ("strict", [2, 2, 1], true), ("strict", [2, 2, 6], true), ("strict", [2, 2, 0], false),
      ("strict", [2, 2, 7], false), ("strict", [255, 0, 0], false), ("strict", nil, false),
      (nil, [2, 2, 1], true), (nil, [255, 0, 0], false), ("legacy", [255, 0, 0], true),
      ("whitelist-only", [2, 2, 1], false), ("allowlist-only", [2, 2, 1], false),
    ] as [(String?, [Int]?, Bool)])
  func `the policy and the interface tell what ModemManager opens`(
    policy: String?, interface: [Int]?, isProbed: Bool
  ) throws {
    #expect(
      try Self.probed {
        $0.policy = policy
        $0.interface = interface
      } == isProbed)
  }

  @Test(arguments: [
    (["ID_MM_CANDIDATE": "1", "ID_MM_DEVICE_IGNORE": "1"], false),
    (["ID_MM_CANDIDATE": "1", "ID_MM_PORT_IGNORE": "1"], false),
    (["ID_MM_CANDIDATE": "1", "ID_MM_DEVICE_IGNORE": "0"], true),
    (["ID_MM_CANDIDATE": "0"], false), ([:], false),
  ])
  func `what rules said of the port counts`(properties: [String: String], isProbed: Bool) throws {
    #expect(try Self.probed { $0.properties = properties } == isProbed)
  }

  @Test func `a port that is meant for ModemManager is opened under every policy`() throws {
    #expect(
      try Self.probed {
        $0.interface = nil
        $0.policy = "whitelist-only"
        $0.properties["ID_MM_DEVICE_PROCESS"] = "1"
      })
  }

  /// Observed with ModemManager 1.24: "port filtered: forbidden" for a board whose only port claims
  /// to support AT commands, and "device exports multiple interfaces" for a board with two ports.
  @Test(
    arguments: [
      ("strict", true, [2, 2, 1], true), ("strict", false, [2, 2, 1], false),
      ("legacy", true, [2, 2, 1], false), ("strict", true, [255, 0, 0], nil),
      ("allowlist-only", true, [2, 2, 1], nil),
    ] as [(String, Bool, [Int], Bool?)])
  func `a lone port is opened only by older versions, which is said`(
    policy: String, isAlone: Bool, interface: [Int], isOlder: Bool?
  ) {
    let explanation = Fixtures.camera.with {
      $0.askModem {
        $0.policy = policy
        $0.isAlone = isAlone
        $0.interface = interface
      }
    }.explain()
    #expect(explanation.answer == .allowed)
    let cause = explanation.furtherCauses.first { $0.code == .portProbed }
    #expect(cause?.summary.contains("older versions") == isOlder)
    #expect((explanation.remedies.first?.commands.first == Self.ignoring) == (isOlder != nil))
  }

  /// Observed with ModemManager 1.24: if a plugin lists the vendor of a port, the port is opened,
  /// whether or not it is the device's only one.
  @Test(arguments: [
    ("strict", "1546", true), ("strict", "2341", false), ("allowlist-only", "1546", false),
  ])
  func `a single port of a maker of modems is opened`(
    policy: String, vendor: String, isProbed: Bool
  ) throws {
    #expect(
      try Self.probed {
        $0.policy = policy
        $0.vendor = vendor
        $0.isAlone = true
        $0.interface = [2, 2, 0]
      } == isProbed)
  }

  @Test func `the rule is for all of a model without serial numbers, in every port`() throws {
    let explanation = Fixtures.camera.with {
      $0.askModem()
      $0.facts.devices[0].properties["ID_SERIAL_SHORT"] = nil
    }.explain()
    let fix = try #require(explanation.remedies.first)
    #expect(
      fix.commands.first?.contains(#"ATTRS{idProduct}=="0043", ENV{ID_MM_DEVICE_IGNORE}"#) == true)
    #expect(fix.title == "Tell ModemManager to ignore devices of this model")
    #expect(fix.lasts == nil && fix.excess == nil)
  }

  @Test func `another port is no matter of this one`() throws {
    #expect(try !Self.probed { $0.node = "/dev/ttyACM1" })
  }
}
