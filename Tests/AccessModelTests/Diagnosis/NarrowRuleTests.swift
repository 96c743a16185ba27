import AccessModel
import Testing

/// udev rules that give a user access to one device and to no other node.
struct NarrowRuleTests {
  /// The ports of one serial adapter; a service asks for the first one.
  private static func ports(
    serial: String, interfaces: [String], _ change: (inout Fixtures) -> Void = { _ in }
  ) -> Fixtures {
    Fixtures.camera.with { fixtures in
      fixtures.askDevice("/dev/ttyUSB0", subsystem: "tty", gid: 20)
      let first = fixtures.facts.devices[0]
      fixtures.facts.devices = interfaces.enumerated().map { number, interface in
        let name = "ttyUSB\(number)"
        var device = DeviceFacts(
          node: "/dev/\(name)",
          sysfsPath: "/sys/devices/pci/usb3/3-7/3-7:1.\(Int(interface) ?? 0)/\(name)/tty/\(name)",
          subsystem: "tty", kernelName: name)
        device.bus = "usb"
        device.number = number == 0 ? first.number : DeviceNumber(major: 188, minor: UInt32(number))
        device.tags = first.tags
        device.currentTags = first.tags
        device.properties = [
          "ID_VENDOR_ID": "0403", "ID_MODEL_ID": "6011", "ID_SERIAL_SHORT": serial,
          "ID_USB_INTERFACE_NUM": interface,
        ]
        return device
      }
      fixtures.serve("logger.service")
      change(&fixtures)
    }
  }

  private func entry(_ fixtures: Fixtures) throws -> Remedy {
    let remedies = fixtures.explain().remedies
    return try #require(
      remedies.first { $0.commands.first?.contains("99-devaccess-entry.rules") == true })
  }

  private func line(_ fixtures: Fixtures) throws -> String {
    try #require(try entry(fixtures).commands.first)
  }

  @Test func `a port of an adapter is told from its other ports by its interface`() throws {
    let remedy = try entry(Self.ports(serial: "FT4ABCDE", interfaces: ["00", "01", "02", "03"]))
    let line = try #require(remedy.commands.first)
    #expect(line.contains(#"ATTRS{serial}=="FT4ABCDE", ENV{ID_USB_INTERFACE_NUM}=="00""#))
    #expect(line.contains(#"KERNEL=="ttyUSB*""#))
    #expect(remedy.excess == nil && remedy.lasts == nil)
  }

  @Test func `a rule that matches several ports of an interface says so`() throws {
    let remedy = try entry(Self.ports(serial: "FT4ABCDE", interfaces: ["00", "00"]))
    #expect(remedy.excess == "access to other ttyUSB* nodes of the same device")
  }

  @Test func `a rule says what else it matches where nothing tells the nodes of a device apart`()
    throws
  {
    let remedy = try entry(
      Self.ports(serial: "FT4ABCDE", interfaces: ["00"]) {
        $0.facts.devices[0].properties["ID_USB_INTERFACE_NUM"] = nil
      })
    #expect(remedy.excess == "access to other ttyUSB* nodes of the same device")
  }

  @Test(arguments: [nil, "0001"])
  func `two equal devices are matched by their model, which the fix says`(serial: String?) throws {
    let remedy = try entry(
      Self.ports(serial: "", interfaces: ["00", "00"]) {
        $0.facts.devices[0].properties["ID_SERIAL_SHORT"] = serial
        $0.facts.devices[1].properties["ID_SERIAL_SHORT"] = serial
        $0.facts.devices[1].sysfsPath = "/sys/devices/pci/usb3/3-8/3-8:1.0/ttyUSB1/tty/ttyUSB1"
      })
    let line = try #require(remedy.commands.first)
    #expect(line.contains(#"ATTRS{idProduct}=="6011", ENV{"#))
    #expect(!line.contains("serial") && !line.contains("KERNELS"))
    #expect(remedy.excess == "access to other devices of the same model")
    #expect(remedy.lasts == nil)
  }

  @Test func `a serial number in which udev replaced something is compared with the property`()
    throws
  {
    let line = try line(Self.ports(serial: "AB_CD", interfaces: ["00"]))
    #expect(line.contains(#"ENV{ID_SERIAL_SHORT}=="AB_CD""#))
    #expect(!line.contains("ATTRS{serial}"))
  }

  /// udev treats both sides of a match as patterns, and reads an attribute up to a quotation mark.
  @Test(arguments: ["FT4*ABCD", "FT4?ABCD", "[A-Z]ABCD", "A|BABCD", "A\"BABCD", "A BABCDE"])
  func `a serial number that udev reads otherwise is not compared`(serial: String) throws {
    let line = try line(Self.ports(serial: serial, interfaces: ["00"]))
    #expect(!line.contains("serial") && !line.contains("SERIAL"))
    #expect(line.contains(#"ATTRS{idProduct}=="6011""#) && !line.contains("KERNELS"))
  }

  @Test(arguments: ["0*", "0|1", "0\""])
  func `an interface that udev reads otherwise is not compared`(interface: String) throws {
    let line = try line(Self.ports(serial: "FT4ABCDE", interfaces: [interface]))
    #expect(!line.contains("ID_USB_INTERFACE_NUM"))
  }

  /// When the service ends, another service can get its user ID.
  @Test func `a user who is there for as long as a service has no rule for good`() {
    let ports = Self.ports(serial: "FT4ABCDE", interfaces: ["00"])
    let isRule = { (remedy: Remedy) in
      remedy.commands.contains { $0.contains("99-devaccess-entry.rules") }
    }
    #expect(ports.explain().remedies.contains(where: isRule))
    let dynamic = ports.with { $0.facts.access.subject.unobserved.insert(.dynamicIDs) }
    #expect(!dynamic.explain().remedies.contains(where: isRule))
    let number: UInt32 = 61_184
    let numbered = ports.with {
      $0.facts.access.subject = Subject(uid: number, gid: number)
      $0.facts.account.userNames[number] = "logger"
    }
    #expect(!numbered.explain().remedies.contains(where: isRule))
  }
}
