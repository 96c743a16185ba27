import AccessModel
import LinuxTestSupport
import Testing

@testable import LinuxDevices

/// USB cameras without a node, read from files such as those of sysfs.
final class USBTests {
  private let directory: TemporaryDirectory
  private let roots: MachineRoots

  init() throws {
    directory = try TemporaryDirectory()
    var roots = MachineRoots()
    roots.sysfs = "\(directory.path)/sys"
    roots.proc = "\(directory.path)/proc"
    self.roots = roots
  }

  private func observe() -> HardwareFacts {
    var facts = HardwareFacts()
    var reader = HardwareReader()
    USBObserver(roots: roots).observe(&facts, &reader)
    return facts
  }

  private var device: String { "\(roots.sysfs)/bus/usb/devices/1-5" }

  /// The descriptors of a device: its own, one configuration of a value, one interface of a class.
  private static func descriptors(configuration: UInt8, interfaceClass: UInt8) -> [UInt8] {
    [18, 1] + [UInt8](repeating: 0, count: 16)
      + [9, 2, 18, 0, 1, configuration, 0, 0x80, 50]
      + [9, 4, 0, 0, 0, interfaceClass, 1, 0, 0]
  }

  private func plug(
    authorized: String = "1", configuration: String = "1", interfaceClass: UInt8 = 0x0E
  ) throws {
    try directory.file("sys/bus/usb/devices/1-5/authorized", authorized + "\n")
    try directory.file("sys/bus/usb/devices/1-5/bConfigurationValue", configuration)
    try directory.file("sys/bus/usb/devices/1-5/product", "Webcam\n")
    try directory.file(
      "sys/bus/usb/devices/1-5/descriptors",
      Self.descriptors(configuration: 3, interfaceClass: interfaceClass))
  }

  @Test func `a camera that is not authorized is told by its descriptors`() throws {
    try plug(authorized: "0", configuration: "")
    try directory.file("sys/module/usbcore/parameters/authorized_default", "0\n")
    #expect(
      observe().usb == [
        HardwareFacts.USBObstacle(
          sysfsPath: device, reason: .deviceNotAuthorized, configuration: 3)
      ])
    #expect(observe().authorizedDefault == 0)
  }

  @Test(arguments: ["", "\n", "0\n"])
  func `a camera without a configuration is told with the value that it needs`(
    value: String
  ) throws {
    try plug(configuration: value)
    #expect(
      observe().usb == [
        HardwareFacts.USBObstacle(
          sysfsPath: device, name: "Webcam", reason: .notConfigured, configuration: 3)
      ])
  }

  @Test(arguments: ["0", "1"])
  func `what is not a camera is nobody's concern`(authorized: String) throws {
    try plug(authorized: authorized, configuration: "", interfaceClass: 3)
    #expect(observe().usb.isEmpty)
  }

  @Test func `interfaces that are not authorized come before a missing driver`() throws {
    try plug()
    for number in 0...1 {
      try directory.file("sys/bus/usb/devices/1-5:1.\(number)/bInterfaceClass", "0e\n")
      try directory.file("sys/bus/usb/devices/1-5:1.\(number)/authorized", "0\n")
    }
    #expect(
      observe().usb == [
        HardwareFacts.USBObstacle(
          sysfsPath: device, name: "Webcam", reason: .interfaceNotAuthorized,
          interfaces: ["1-5:1.0", "1-5:1.1"])
      ])
    #expect(observe().unbound.isEmpty)
  }

  @Test func `a camera without a driver is told by its first interface`() throws {
    try plug()
    for number in 0...1 {
      try directory.file("sys/bus/usb/devices/1-5:1.\(number)/bInterfaceClass", "0e\n")
      try directory.file("sys/bus/usb/devices/1-5:1.\(number)/authorized", "1\n")
    }
    #expect(observe().unbound.map(\.sysfsPath) == ["\(device):1.0"])
    #expect(observe().usb.isEmpty)
  }

  @Test(
    arguments: [
      [], [9], [0, 4], [1, 2, 3], [9, 2, 9], [200, 4, 0, 0, 0, 0x0E], [6, 4, 0, 0, 0, 0x0E],
    ] as [[UInt8]])
  func `malformed descriptors tell no configuration`(bytes: [UInt8]) {
    #expect(USBObserver.videoConfiguration(in: bytes) == nil)
  }

  @Test func `a driver that cannot be seen is not said to be missing`() throws {
    try directory.file("sys/bus/usb/devices/1-5:1.0/bInterfaceClass", "0e\n")
    try directory.file("sys/bus/usb/devices/1-5/product", "Camera\n")
    #expect(observe().unbound.count == 1)
    // Too long a link for its target to be read.
    try directory.link(
      "sys/bus/usb/devices/1-5:1.0/driver", to: String(repeating: "x/", count: 2047) + "x")
    #expect(observe().unbound.isEmpty)
  }
}
