import AccessModel
import Testing
import UdevRules

@Suite struct `A rule for one very device` {
  private static func camera(_ properties: [String: String], index: Int? = 0) -> DeviceFacts {
    var device = DeviceFacts(
      node: "/dev/video0", sysfsPath: "/sys/devices/platform/vivid.0/video4linux/video0",
      subsystem: "video4linux", kernelName: "video0")
    device.properties = properties
    device.index = index
    return device
  }

  private static let usb = [
    "ID_VENDOR_ID": "046d", "ID_MODEL_ID": "0825", "ID_USB_INTERFACE_NUM": "00",
    "ID_PATH": "pci-0000:00:14.0-usb-0:4:1.0",
  ]

  @Test func `goes by vendor, product and serial number`() throws {
    let properties = Self.usb.merging(["ID_SERIAL_SHORT": "A1B2"]) { $1 }
    let rule = try #require(DeviceRule(only: Self.camera(properties)))
    #expect(
      rule.conditions
        == #"SUBSYSTEM=="video4linux", KERNEL=="video*", ENV{ID_VENDOR_ID}=="046d", "#
        + #"ENV{ID_MODEL_ID}=="0825", ENV{ID_USB_INTERFACE_NUM}=="00", ATTR{index}=="0", "#
        + #"ENV{ID_SERIAL_SHORT}=="A1B2""#)
    #expect(rule.basis == "its serial number")
    #expect(rule.scope == nil)
  }

  @Test func `goes by the place of a device without a serial number, and says so`() throws {
    let rule = try #require(DeviceRule(only: Self.camera(Self.usb)))
    #expect(rule.conditions.hasSuffix(#", ENV{ID_PATH}=="pci-0000:00:14.0-usb-0:4:1.0""#))
    #expect(rule.basis.contains("no serial number"))
    let bare = try #require(DeviceRule(only: Self.camera([:])))
    #expect(
      bare.conditions
        == #"SUBSYSTEM=="video4linux", KERNEL=="video*", ATTR{index}=="0", "#
        + #"DEVPATH=="/devices/platform/vivid.0/video4linux/video*""#)
  }

  @Test func `says what else it matches`() throws {
    let rule = try #require(DeviceRule(only: Self.camera([:], index: nil)))
    #expect(rule.scope == "access to other nodes of the same device that are called video*")
  }

  @Test func `goes by a name that no other device has, and by that of a stream`() throws {
    let kvm = DeviceFacts(
      node: "/dev/kvm", sysfsPath: "/sys/devices/virtual/misc/kvm", subsystem: "misc",
      kernelName: "kvm")
    #expect(DeviceRule(only: kvm)?.conditions == #"SUBSYSTEM=="misc", KERNEL=="kvm""#)
    let stream = DeviceFacts(
      node: "/dev/snd/pcmC1D0c", sysfsPath: "/sys/devices/x/sound/card1/pcmC1D0c",
      subsystem: "sound", kernelName: "pcmC1D0c")
    let conditions = try #require(DeviceRule(only: stream)?.conditions)
    #expect(conditions.contains(#"KERNEL=="pcmC*D0c""#))
  }

  @Test(arguments: ["a\"b", "a,b", "*", "a b", "$env{X}", "", "a\nb", "%k", "\\"])
  func `takes nothing from a device that a rule would read as more than a word`(text: String) {
    let properties = [
      "ID_VENDOR_ID": text, "ID_MODEL_ID": text, "ID_SERIAL_SHORT": text, "ID_PATH": text,
      "ID_USB_INTERFACE_NUM": text,
    ]
    var device = Self.camera(properties)
    let rule = DeviceRule(only: device)
    #expect(
      rule?.conditions
        == #"SUBSYSTEM=="video4linux", KERNEL=="video*", ATTR{index}=="0", "#
        + #"DEVPATH=="/devices/platform/vivid.0/video4linux/video*""#)
    device.kernelName = text
    #expect(DeviceRule(only: device) == nil)
    device.kernelName = "video0"
    device.subsystem = text
    #expect(DeviceRule(only: device) == nil)
  }

  @Test func `runs a program only by an absolute path, and gives one user an entry`() throws {
    let rule = try #require(DeviceRule(only: Self.camera(Self.usb)))
    #expect(
      rule.granting([.read, .write], toUser: 1000)
        == rule.conditions + #", ACTION!="remove", RUN+="/usr/bin/setfacl -m u:1000:rw $devnode""#)
    #expect(
      DeviceRule.running(["/usr/bin/devaccess", "grant", "--again=00"], if: "A==\"b\"")
        == #"A=="b", ACTION!="remove", RUN+="/usr/bin/devaccess grant --again=00 $devnode""#)
    for line in [
      rule.granting(.read, toUser: 1000),
      try #require(DeviceRule.running(["/a/b", "grant", "--again=00"], if: rule.conditions)),
    ] {
      for version in [UdevRuleVersion(247), 252, 257] {
        let file = UdevRuleFile(
          path: "/f", bytes: Array("# devaccess {}\n\(line)\n".utf8), version: version)
        #expect(file.lines.count == 1)
        #expect(file.problems == [])
      }
    }
    #expect(DeviceRule.running(["devaccess"], if: "") == nil)
    #expect(DeviceRule.running(["/home/a b/devaccess"], if: "") == nil)
    #expect(DeviceRule.running(["/home/\"/devaccess"], if: "") == nil)
  }
}
