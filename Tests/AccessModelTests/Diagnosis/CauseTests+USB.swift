import AccessModel
import Testing

extension Fixtures {
  fileprivate static let raw = "/dev/bus/usb/001/004"
  fileprivate static let place = "/sys/devices/pci0000:00/usb1/1-4"

  /// A USB device that alice may open through its raw node.
  fileprivate mutating func askRaw(mode: UInt16 = 0o666) {
    ask(Self.raw, mode: mode)
    var device = DeviceFacts(
      node: Self.raw, sysfsPath: Self.place, subsystem: "usb", kernelName: "1-4")
    device.number = facts.access.nodes.last?.rdev
    device.properties = ["DEVTYPE": "usb_device"]
    facts.devices = [device]
    facts.hardware = HardwareFacts()
  }

  /// Gives an interface of it to a driver.
  fileprivate mutating func bind(
    _ number: Int, _ driver: String?, class interfaceClass: Int? = 0xFF, below place: String = place
  ) {
    let name = place.split(separator: "/").last ?? ""
    facts.hardware?.interfaces.append(
      HardwareFacts.USBInterface(
        sysfsPath: "\(place)/\(name):1.\(number)", driver: driver, interfaceClass: interfaceClass))
  }
}

extension CauseTests {
  /// USB devices that may be opened, and whose interfaces may not be claimed.
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
  ]

  private static func raw(_ change: (inout Fixtures) -> Void) throws -> Explanation {
    let facts = Fixtures.camera.with {
      $0.askRaw()
      change(&$0)
    }.facts
    // The facts give the same answer after a journey.
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
    #expect(cause.summary.contains("cdc_acm has interfaces 1-4:1.0, 1-4:1.1: a program"))
    // Both go with the first.
    #expect(
      explanation.remedies.flatMap(\.commands) == [
        "echo 1-4:1.0 > /sys/bus/usb/drivers/cdc_acm/unbind"
      ])
    let own = try #require(explanation.remedies.first { $0.actor == .program })
    #expect(own.title.contains("libusb_set_auto_detach_kernel_driver"))
    #expect(explanation.remedies.allSatisfy { $0.assumes != nil })
  }

  @Test func `each interface is detached by itself where its driver takes them one by one`() throws {
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
