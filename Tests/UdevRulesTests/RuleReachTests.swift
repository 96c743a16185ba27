import AccessModel
import Testing
import UdevRules

/// The devices of a serial board, of a receiver for mice and keyboards, and of a sound card.
enum ReachSample {
  private static func product(_ vendor: UdevRuleText, _ product: UdevRuleText) -> [UdevRuleDevice] {
    [
      UdevRuleDevice(
        path: "/devices/pci0/usb1/1-2/1-2:1.0", subsystem: "usb", driver: "driver",
        attributes: ["bInterfaceClass": .present("03")], attributesAreComplete: true),
      UdevRuleDevice(
        path: "/devices/pci0/usb1/1-2", subsystem: "usb", driver: "usb",
        node: "/dev/bus/usb/001/002", number: UdevRuleDevice.Number(major: 189, minor: 1),
        attributes: ["idVendor": .present(vendor), "idProduct": .present(product)],
        attributesAreComplete: true),
    ]
  }

  static let serial = device(
    "/devices/pci0/usb1/1-2/1-2:1.0/tty/ttyACM0", "tty", "/dev/ttyACM0", product("2341", "0043"))
  static let receiver = device(
    "/devices/pci0/usb1/1-2/1-2:1.0/hidraw/hidraw0", "hidraw", "/dev/hidraw0",
    product("046d", "c52b"))
  static let sound = device(
    "/devices/pci0/sound/card0/pcmC0D0c", "sound", "/dev/snd/pcmC0D0c",
    [
      UdevRuleDevice(
        path: "/devices/pci0/sound/card0", subsystem: "sound",
        attributes: ["id": .present("Dummy")], attributesAreComplete: true)
    ])

  private static func device(
    _ path: UdevRuleText, _ subsystem: UdevRuleText, _ node: UdevRuleText,
    _ parents: [UdevRuleDevice]
  ) -> [UdevRuleDevice] {
    [
      UdevRuleDevice(
        path: path, subsystem: subsystem, node: node,
        number: UdevRuleDevice.Number(major: 166, minor: 0),
        attributesAreComplete: true, properties: ["DEVNAME": node, "MAJOR": "166"])
    ] + parents
  }

  static func facts(_ chain: [UdevRuleDevice], _ files: RuleFile...) -> RuleFacts {
    var facts = RuleFacts(
      node: chain[0].node?.description ?? "", files: files, version: 252)
    facts.device = chain[0]
    facts.parents = Array(chain.dropFirst())
    facts.record = UdevRuleEvent.Record()
    facts.handled = 100
    facts.environment = Sample.environment
    facts.daemon.isReachable = true
    return facts
  }

  static func verdicts(_ chain: [UdevRuleDevice], _ text: String) -> [RuleVerdict] {
    let facts = facts(chain, RuleSample.file("99-z.rules", text))
    return RuleAnswer(facts, node: nil, rule: RuleReference(file: "99-z.rules")).verdicts
  }
}

@Suite struct `A fix opens no other hardware` {
  @Test(arguments: [
    (
      ReachSample.serial,
      #"KERNELS=="ttyACM*", ATTRS{idVendor}=="2341", ATTRS{idProduct}=="0043", MODE="0666""#,
      #"KERNEL=="ttyACM*", ATTRS{idVendor}=="2341", ATTRS{idProduct}=="0043", MODE="0666""#
    ),
    (
      ReachSample.receiver, #"SUBSYSTEM=="usb", ATTRS{idVendor}=="046d", MODE="0666""#,
      #"SUBSYSTEM=="hidraw", ATTRS{idVendor}=="046d", MODE="0666""#
    ),
    (
      ReachSample.sound,
      #"SUBSYSTEM=="sound", KERNEL=="card0", ATTR{id}=="Dummy", GROUP="video", MODE="0660""#,
      #"SUBSYSTEM=="sound", KERNEL=="pcmC0D0c", ATTRS{id}=="Dummy", GROUP="video", MODE="0660""#
    ),
    (
      ReachSample.serial, #"ATTR{idVendor}=="2341", MODE="0666""#,
      #"SUBSYSTEM=="tty", ATTRS{idVendor}=="2341", MODE="0666""#
    ),
    (
      ReachSample.serial, #"SUBSYSTEM=="usb", ATTR{idVendor}=="0X2341", TAG+="uaccess""#,
      #"SUBSYSTEM=="tty", ATTRS{idVendor}=="2341", TAG+="uaccess""#
    ),
    (
      ReachSample.serial, #"SUBSYSTEM=="usb", KERNEL=="ttyACM*", GROUP="video""#,
      #"SUBSYSTEM=="tty", KERNEL=="ttyACM*", GROUP="video""#
    ),
    (
      ReachSample.serial,
      #"KERNEL=="tty*", SUBSYSTEMS=="pci", ATTRS{idVendor}=="2341", MODE="0666""#,
      #"KERNEL=="tty*", SUBSYSTEM=="tty", ATTRS{idVendor}=="2341", MODE="0666""#
    ),
    (
      ReachSample.serial, #"SUBSYSTEM=="tty", ATTR{idVendor}!="1d6b", MODE="0666""#,
      #"SUBSYSTEM=="tty", ATTRS{idVendor}!="1d6b", MODE="0666""#
    ),
    (
      ReachSample.serial, #"SUBSYSTEM=="tty", DRIVER=="driver", MODE="0666""#,
      #"SUBSYSTEM=="tty", DRIVERS=="driver", MODE="0666""#
    ),
    (
      ReachSample.serial, #"SUBSYSTEM=="tty", ATTRS{bInterfaceClass}==" 03", MODE="0666""#,
      #"SUBSYSTEM=="tty", ATTRS{bInterfaceClass}=="03", MODE="0666""#
    ),
    (
      ReachSample.receiver, #"SUBSYSTEM=="hidrw", MODE="0666""#,
      #"SUBSYSTEM=="hidraw", MODE="0666""#
    ),
  ])
  func `because it keeps to the subsystem and the name of this one`(
    chain: [UdevRuleDevice], line: String, fixed: String
  ) throws {
    let fix = try #require(ReachSample.verdicts(chain, line).first?.finding?.fix)
    #expect(fix.line == fixed)
  }

  @Test(arguments: [
    (ReachSample.serial, #"SUBSYSTEM=="hidraw", MODE="0666""#),
    (ReachSample.serial, #"SUBSYSTEM=="usb", MODE="0666""#),
    (ReachSample.serial, #"SUBSYSTEM=="hidraw", ATTRS{bInterfaceClass}=="03", MODE="0666""#),
    (ReachSample.serial, #"SUBSYSTEM=="usb", ATTRS{idVendor}=="046d", MODE="0666""#),
    (ReachSample.serial, #"SUBSYSTEM=="hidraw", KERNEL=="*", MODE="0666""#),
    (ReachSample.serial, #"KERNEL=="hidraw*", MODE="0666""#),
    (ReachSample.receiver, #"SUBSYSTEMS=="tty", GROUP="video""#),
  ])
  func `and a rule for other devices is called one`(
    chain: [UdevRuleDevice], line: String
  ) throws {
    let finding = try #require(ReachSample.verdicts(chain, line).first?.finding)
    #expect(finding.code == .mismatch)
    #expect(finding.summary.contains("it is a rule for other devices"))
    #expect(finding.fix == nil)
  }

  @Test(arguments: [
    #"SUBSYSTEM=="tty", DRIVERS=="none", MODE="0666""#,
    #"SUBSYSTEM=="tty", ENV{ID_BUS}=="pci", MODE="0666""#,
    #"TEST=="/missing", MODE="0666""#,
    #"SUBSYSTEM=="hidraw", DRIVERS=="driver", MODE="0666""#,
    #"SUBSYSTEM=="tty", ATTR{missing}=="1", MODE="0666""#,
    #"DRIVER=="driver", MODE="0666""#,
    #"SUBSYSTEM=="tty", ATTRS{bInterfaceClass}=="0e", MODE="0666""#,
    #"ATTR{bInterfaceClass}=="03", MODE="0666""#,
  ])
  func `and there is none where that would be a whole kind of devices`(line: String) throws {
    let finding = try #require(ReachSample.verdicts(ReachSample.serial, line).first?.finding)
    #expect(finding.fix == nil)
  }

  @Test func `and a device that a match excludes gets a rule of its own`() throws {
    var facts = ReachSample.facts(
      ReachSample.serial,
      RuleSample.file("99-z.rules", #"SUBSYSTEM=="tty", ENV{ID_BUS}!="usb", MODE="0666""#))
    facts.device?.properties["ID_BUS"] = "usb"
    let answer = RuleAnswer(facts, node: nil, rule: RuleReference(file: "99-z.rules"))
    let fix = try #require(answer.verdicts.first?.finding?.fix)
    #expect(fix.line == #"SUBSYSTEM=="tty", KERNEL=="ttyACM0", MODE="0666""#)
    #expect(fix.commands.first?.hasSuffix(" > /etc/udev/rules.d/99-z-own.rules") == true)
  }
}
