import AccessModel
import Testing

extension Fixtures {
  fileprivate static let raw = "/dev/bus/usb/001/004"
  fileprivate static let place = "/sys/devices/pci0000:00/usb1/1-4"

  /// Asks for a USB device that alice may open through its raw node.
  fileprivate mutating func askRaw(mode: UInt16 = 0o666) {
    ask(Self.raw, mode: mode)
    var device = DeviceFacts(
      node: Self.raw, sysfsPath: Self.place, subsystem: "usb", kernelName: "1-4")
    device.number = facts.access.nodes.last?.rdev
    device.properties = ["DEVTYPE": "usb_device"]
    facts.devices = [device]
    facts.hardware = HardwareFacts()
  }

  /// Binds an interface of the device to a driver.
  fileprivate mutating func bind(
    _ number: Int, _ driver: String?, class interfaceClass: Int? = 0xFF, below place: String = place
  ) {
    let name = place.split(separator: "/").last ?? ""
    facts.hardware?.interfaces.append(
      HardwareFacts.USBInterface(
        sysfsPath: "\(place)/\(name):1.\(number)", driver: driver, interfaceClass: interfaceClass))
  }
}

extension Fixtures {
  fileprivate static let adapter = HardwareFacts.Held(
    sysfsPath: "/sys/bus/usb/devices/1-5:1.0", name: "USB Serial", driver: "usbfs", module: "ch341",
    identifiers: "1a86:7523", node: "/dev/bus/usb/001/005")

  /// Asks for a serial port that has no node because another driver or program holds its interface.
  fileprivate mutating func lackPort(
    _ path: String = "/dev/ttyUSB0", _ held: HardwareFacts.Held..., services: [String] = []
  ) {
    removeDevices()
    facts.kind = nil
    facts.access.request = Question(.path(path)).request(for: path, type: nil)
    var hardware = HardwareFacts()
    hardware.held = held
    hardware.services = services
    facts.hardware = hardware
  }
}

extension CauseTests {
  /// USB devices that the user may open, but whose interfaces cannot be claimed.
  static let usbCases: [CauseCase] = [
    CauseCase(
      "a driver has the interface", nil, .authorized, .allowed,
      command: "echo 1-4:1.0 > /sys/bus/usb/drivers/cdc_acm/unbind"
    ) {
      $0.askRaw()
      $0.bind(0, "cdc_acm")
    },
    CauseCase("the raw node is closed as well", .uaccessNotTagged, .denied) {
      $0.askRaw(mode: 0o600)
      $0.bind(0, "cdc_acm")
    },
    CauseCase(
      "a program has claimed the adapter", .usbDriverBound, nil, .absent,
      command: "echo 1-5:1.0 > /sys/bus/usb/drivers_probe"
    ) {
      $0.lackPort("/dev/ttyUSB0", Fixtures.adapter)
    },
    CauseCase(
      "brltty has claimed the adapter", .usbDriverBound, nil, .absent,
      command: "systemctl mask --now brltty-udev.service brltty.service"
    ) {
      $0.lackPort(
        "/dev/ttyUSB0", Fixtures.adapter, services: ["brltty-udev.service", "brltty.service"])
    },
    CauseCase(
      "another driver has the camera", .usbDriverBound, nil, .absent,
      command: "echo 'blacklist usbtest' > /etc/modprobe.d/devaccess-usbtest.conf"
    ) {
      $0.removeDevices()
      var hardware = HardwareFacts()
      hardware.held = [
        .init(sysfsPath: "/sys/bus/usb/devices/1-5:1.0", driver: "usbtest", module: "uvcvideo")
      ]
      $0.facts.hardware = hardware
    },
  ]

  // MARK: - Authorization

  /// Explains an unauthorized device whose raw node exists.
  private static func closed(
    mode: UInt16 = 0o666, _ change: (inout HardwareFacts) -> Void = { _ in }
  ) throws -> Explanation {
    try raw(mode: mode) {
      var hardware = HardwareFacts()
      hardware.usb = [
        HardwareFacts.USBObstacle(
          sysfsPath: Fixtures.place, reason: .deviceNotAuthorized, identifiers: "1a86:7523")
      ]
      change(&hardware)
      $0.facts.hardware = hardware
    }
  }

  @Test func `a raw node of a device that is not authorized may be opened, and says so`() throws {
    let explanation = try Self.closed { $0.usb[0].hubDefault = 0 }
    #expect(explanation.answer == .allowed && explanation.availability == .present)
    let cause = try #require(explanation.furtherCauses.first)
    #expect(cause.code == .usbNotAuthorized && cause.isProven)
    #expect(cause.summary.contains("authorized_default of the root hub"))
    #expect(
      explanation.remedies.first?.commands == ["echo 1 > \(Fixtures.place)/authorized"])
    let bus = try #require(explanation.remedies.last)
    #expect(bus.commands.first == "echo 1 > /sys/bus/usb/devices/usb1/authorized_default")
    #expect(bus.lasts == "until the next boot")
  }

  @Test func `a device is let in through USBGuard where it runs`() throws {
    let explanation = try Self.closed { $0.services = ["usbguard.service"] }
    #expect(explanation.furtherCauses.first?.summary.contains("USBGuard is running") == true)
    #expect(
      explanation.remedies.flatMap(\.commands) == [
        #"usbguard allow-device -p 'id 1a86:7523 via-port "1-4"'"#,
        #"usbguard allow-device 'id 1a86:7523 via-port "1-4"'"#,
      ])
    #expect(explanation.remedies.map(\.end) == [.never, .replug])
    // The first fix takes effect immediately.
    #expect(explanation.remedies.map(\.isInterim) == [false, false])
  }

  /// Observed with USBGuard 1.1.3: the rule that it adds contains the serial number but no port, so
  /// without a serial number it also allows an identical device.
  @Test(arguments: [(true, "in every port of the hub"), (false, "every device of the model")])
  func `the rule that USBGuard adds is as wide as the device is nameless`(
    hasSerial: Bool, scope: String
  ) throws {
    let explanation = try Self.closed {
      $0.services = ["usbguard.service"]
      $0.usb[0].hasSerial = hasSerial
    }
    #expect(explanation.remedies.first?.scope?.contains(scope) == true)
    #expect(explanation.remedies.first?.assumes?.contains("still blocks the device") == true)
  }

  @Test func `a raw node that may not be opened says that more is in the way`() throws {
    let explanation = try Self.closed(mode: 0o664) { $0.services = ["usbguard.service"] }
    #expect(explanation.answer == .refused)
    let cause = try #require(explanation.furtherCauses.first { $0.code == .usbNotAuthorized })
    #expect(cause.summary.contains("may not be opened, and the device is not authorized"))
    let fix = explanation.remedies.first { $0.commands.first?.hasPrefix("usbguard") == true }
    #expect(fix?.assumes?.contains("alice (1000) has permission to use its node") == true)
  }

  @Test(arguments: [nil, "x", "1a86:7523 via-port \"2-1\" allow", "1a86"])
  func `numbers that a snapshot invents are in no rule of USBGuard`(numbers: String?) throws {
    let explanation = try Self.closed {
      $0.services = ["usbguard.service"]
      $0.usb[0].identifiers = numbers
    }
    #expect(
      explanation.remedies.map(\.commands) == [
        [#"usbguard allow-device -p 'via-port "1-4"'"#],
        [#"usbguard allow-device 'via-port "1-4"'"#],
      ])
  }

  @Test func `interfaces that are not authorized are told beside a raw node`() throws {
    let explanation = try Self.closed {
      $0.usb[0].reason = .interfaceNotAuthorized
      $0.usb[0].interfaces = ["1-4:1.0"]
    }
    #expect(explanation.answer == .allowed)
    #expect(explanation.furtherCauses.map(\.code) == [.usbNotAuthorized])
    #expect(
      explanation.remedies.first?.commands == [
        "echo 1 > /sys/bus/usb/devices/1-4:1.0/authorized",
        "echo 1-4:1.0 > /sys/bus/usb/drivers_probe",
      ])
  }

  @Test func `another device that is not authorized is no matter of this one`() throws {
    #expect(try Self.closed { $0.usb[0].sysfsPath += "1" }.furtherCauses.isEmpty)
  }

  private static func port(_ change: (inout Fixtures) -> Void) throws -> Explanation {
    let facts = Fixtures.camera.with(change).facts
    return try JSON.decode(AccessFacts.self, JSON.encode(facts)).explain()
  }

  @Test func `brltty is named where it runs and the adapter is one of its own`() throws {
    let services = ["brltty.service"]
    let named = try Self.port { $0.lackPort("/dev/ttyUSB0", Fixtures.adapter, services: services) }
    let cause = try #require(named.cause)
    #expect(cause.code == .usbDriverBound && cause.isProven)
    #expect(cause.summary.contains("1-5:1.0") && cause.summary.contains("usbfs"))
    #expect(cause.summary.contains("brltty.service is running; it uses such adapters (1a86:7523)"))
    let fix = try #require(named.remedies.first)
    #expect(named.remedies.map(\.commands) == Self.brailleFixes)
    #expect(fix.excess == nil && fix.caution?.contains("Braille") == true)
    #expect(fix.assumes?.contains("braille-device") == true)
    #expect(named.lookups.map(\.commands).contains(["devaccess users /dev/bus/usb/001/005"]))
    // An adapter that brltty does not use, and then an adapter on a machine without brltty.
    let other = try Self.port {
      var adapter = Fixtures.adapter
      adapter.identifiers = "067b:2303"
      $0.lackPort("/dev/ttyUSB0", adapter, services: services)
    }
    #expect(other.cause?.summary.contains("brltty") == false)
    #expect(other.remedies.flatMap(\.commands) == ["echo 1-5:1.0 > /sys/bus/usb/drivers_probe"])
    let none = try Self.port { $0.lackPort("/dev/ttyUSB0", Fixtures.adapter) }
    #expect(none.cause?.summary.contains("brltty") == false)
  }

  /// The first fix kept brltty 6.7 away from adapters, but not from a Braille display.
  private static let brailleFixes = [
    [
      "printf '%s\\n' 'braille-device usb:genericDevices=no,bluetooth:' >> /etc/brltty.conf",
      "systemctl restart brltty.service", "echo 1-5:1.0 > /sys/bus/usb/drivers_probe",
    ],
    ["systemctl mask --now brltty.service", "echo 1-5:1.0 > /sys/bus/usb/drivers_probe"],
  ]

  /// Observed with brltty 6.7: it claims each adapter for a few seconds, releases it without a
  /// driver, and claims it again.
  @Test(arguments: [["brltty.service"], ["brltty-udev.service"], []])
  func `an adapter that brltty has just let go is not bound again, as long as it runs`(
    services: [String]
  ) throws {
    let explanation = try Self.port {
      $0.lackPort("/dev/ttyUSB0", services: services)
      $0.facts.hardware?.unbound = [
        .init(
          sysfsPath: "/sys/bus/usb/devices/1-5:1.0", name: "USB Serial", module: "ch341",
          identifiers: "1a86:7523")
      ]
      $0.facts.hardware?.modules = [.init(name: "ch341", isLoaded: true, isInstalled: true)]
    }
    let cause = try #require(explanation.cause)
    switch services.first {
    case nil:
      #expect(cause.code == .nodeAbsentNoDriver)
      #expect(explanation.remedies.first?.commands.first?.hasSuffix("ch341/bind") == true)
    case let service?:
      #expect(cause.code == .usbDriverBound && !cause.isProven)
      #expect(cause.summary.contains("\(service) is running; it looks for Braille displays"))
      #expect(
        explanation.remedies.map(\.commands)
          == (service == "brltty.service"
            ? Self.brailleFixes
            : [
              [
                "systemctl mask --now brltty-udev.service",
                "echo 1-5:1.0 > /sys/bus/usb/drivers_probe",
              ]
            ]))
      #expect(explanation.remedies.allSatisfy { $0.assumes != nil && $0.caution != nil })
    }
  }

  @Test func `an interface makes nodes of one name`() throws {
    var modem = Fixtures.adapter
    modem.module = "cdc_acm"
    #expect(
      try Self.port { $0.lackPort("/dev/ttyACM0", Fixtures.adapter) }.cause?.code == .nodeAbsent)
    #expect(try Self.port { $0.lackPort("/dev/ttyUSB0", modem) }.cause?.code == .nodeAbsent)
    #expect(try Self.port { $0.lackPort("/dev/ttyACM0", modem) }.cause?.code == .usbDriverBound)
  }

  @Test(arguments: [("ttyUSB0", false), ("ttyS0", true)])
  func `where another port of the name is there, a claimed interface is only likely`(
    name: String, isProven: Bool
  ) throws {
    let explanation = try Self.port {
      $0.lackPort("/dev/ttyUSB1", Fixtures.adapter)
      $0.facts.devices = [
        DeviceFacts(
          node: "/dev/\(name)", sysfsPath: "/sys/devices/x/tty/\(name)", subsystem: "tty",
          kernelName: name)
      ]
    }
    #expect(explanation.answer == .absent && explanation.cause?.code == .usbDriverBound)
    #expect(explanation.cause?.isProven == isProven)
  }

  @Test func `an interface that a snapshot invents is in no command`() throws {
    let explanation = try Self.port {
      var adapter = Fixtures.adapter
      adapter.sysfsPath = "/sys/bus/usb/devices/$(reboot)"
      $0.lackPort("/dev/ttyUSB0", adapter, services: ["brltty.service"])
    }
    #expect(explanation.cause?.code == .usbDriverBound)
    #expect(explanation.remedies.flatMap(\.commands).isEmpty)
  }

  private static func raw(
    mode: UInt16 = 0o666, _ change: (inout Fixtures) -> Void
  ) throws -> Explanation {
    let facts = Fixtures.camera.with {
      $0.askRaw(mode: mode)
      change(&$0)
    }.facts
    // The facts are encoded and decoded first, which must not change the answer.
    return try JSON.decode(AccessFacts.self, JSON.encode(facts)).explain()
  }

  @Test func `a driver that has an interface is told beside a raw node that may be opened`() throws
  {
    let explanation = try Self.raw {
      $0.bind(0, "cdc_acm")
      $0.bind(1, "cdc_acm")
      $0.bind(2, nil)
    }
    #expect(explanation.answer == .allowed && explanation.status == .authorized)
    let cause = try #require(explanation.furtherCauses.first)
    #expect(cause.code == .usbClaimed && !cause.isProven)
    #expect(
      cause.summary.contains(
        "cdc_acm kernel driver is bound to interfaces 1-4:1.0 and 1-4:1.1, so a program"))
    // The first command unbinds both interfaces.
    #expect(
      explanation.remedies.flatMap(\.commands) == [
        "echo 1-4:1.0 > /sys/bus/usb/drivers/cdc_acm/unbind"
      ])
    let own = try #require(explanation.remedies.first { $0.actor == .program })
    #expect(own.title.contains("libusb_set_auto_detach_kernel_driver"))
    #expect(explanation.remedies.allSatisfy { $0.assumes != nil })
  }

  @Test func `each interface is detached by itself where its driver takes them one by one`() throws
  {
    let explanation = try Self.raw {
      $0.bind(0, "usbhid", class: 3)
      $0.bind(1, "usbhid", class: 3)
    }
    #expect(
      explanation.remedies.flatMap(\.commands) == [
        "echo 1-4:1.0 > /sys/bus/usb/drivers/usbhid/unbind",
        "echo 1-4:1.1 > /sys/bus/usb/drivers/usbhid/unbind",
      ])
  }

  @Test func `a program that has an interface is not detached, and is looked for`() throws {
    let explanation = try Self.raw { $0.bind(0, "usbfs") }
    let cause = try #require(explanation.furtherCauses.first)
    #expect(cause.code == .usbClaimed)
    #expect(cause.summary.contains("another program has claimed interface 1-4:1.0"))
    #expect(explanation.remedies.allSatisfy { $0.commands.isEmpty && $0.actor == .user })
    #expect(
      explanation.lookups.flatMap(\.commands) == ["devaccess users /dev/bus/usb/001/004"])
  }

  @Test func `free interfaces, hubs, and the devices behind a hub are no cause`() throws {
    #expect(try Self.raw { _ in }.furtherCauses.isEmpty)
    #expect(try Self.raw { $0.bind(0, nil) }.furtherCauses.isEmpty)
    #expect(try Self.raw { $0.bind(0, "hub", class: 9) }.furtherCauses.isEmpty)
    #expect(
      try Self.raw { $0.bind(0, "usbhid", below: "\(Fixtures.place)/1-4.2") }.furtherCauses.isEmpty)
  }

  @Test(arguments: ["../../../x", "..", ".", "a/b"])
  func `a driver that a snapshot invents is in no command`(driver: String) throws {
    let explanation = try Self.raw { $0.bind(0, driver) }
    #expect(explanation.furtherCauses.map(\.code) == [.usbClaimed])
    #expect(explanation.remedies.flatMap(\.commands).isEmpty)
  }

  @Test func `a driver and an interface with unusual names are quoted or left out`() throws {
    let quoted = try Self.raw { $0.bind(0, "x; rm -rf ~") }
    #expect(
      quoted.remedies.flatMap(\.commands) == [
        "echo 1-4:1.0 > '/sys/bus/usb/drivers/x; rm -rf ~/unbind'"
      ])
    let odd = try Self.raw {
      $0.facts.hardware?.interfaces = [
        .init(sysfsPath: "\(Fixtures.place)/$(reboot)", driver: "usbhid")
      ]
    }
    #expect(odd.furtherCauses.map(\.code) == [.usbClaimed])
    #expect(odd.remedies.flatMap(\.commands).isEmpty)
  }
}
