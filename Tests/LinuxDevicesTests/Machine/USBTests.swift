import AccessModel
import LinuxTestSupport
import Testing

@testable import LinuxDevices

/// USB cameras without a node, read from files that imitate sysfs.
final class USBTests {
  private let directory: TemporaryDirectory
  private let roots: MachineRoots

  init() throws {
    directory = try TemporaryDirectory()
    roots = MachineRoots(below: directory)
  }

  private func observe() -> HardwareFacts {
    var facts = HardwareFacts()
    var reader = HardwareReader()
    USBObserver(roots: roots).observe(&facts, &reader)
    return facts
  }

  private var device: String { "\(roots.sysfs)/bus/usb/devices/1-5" }

  /// Returns the descriptors of a device with a configuration value and an interface class.
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
          sysfsPath: device, name: "Webcam", reason: .deviceNotAuthorized, configuration: 3,
          hasSerial: false)
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
    #expect(USBObserver.configuration(in: bytes, with: { number, _ in number == 0x0E }) == nil)
  }

  @Test func `a driver that cannot be seen is not said to be missing`() throws {
    try directory.file("sys/bus/usb/devices/1-5:1.0/bInterfaceClass", "0e\n")
    try directory.file("sys/bus/usb/devices/1-5/product", "Camera\n")
    #expect(observe().unbound.count == 1)
    // The link is too long for its target to be read.
    try directory.link(
      "sys/bus/usb/devices/1-5:1.0/driver", to: String(repeating: "x/", count: 2047) + "x")
    #expect(observe().unbound.isEmpty)
  }

  // MARK: - Interfaces that something else has, and other kinds

  private func observe(_ kind: DeviceKind) -> HardwareFacts {
    var facts = HardwareFacts()
    var reader = HardwareReader()
    USBObserver(roots: roots, kind: kind).observe(&facts, &reader)
    return facts
  }

  /// Adds a serial adapter with one interface of the vendor-specific class.
  private func plugAdapter(driver: String?, product: String = "7523") throws {
    let path = "sys/bus/usb/devices/1-5"
    try directory.file("\(path)/product", "USB Serial\n")
    try directory.file("\(path)/idVendor", "1a86\n")
    try directory.file("\(path)/idProduct", product + "\n")
    try directory.file("\(path)/busnum", "1\n")
    try directory.file("\(path)/devnum", "12\n")
    try directory.file("\(path):1.0/bInterfaceClass", "ff\n")
    try directory.file("\(path):1.0/bInterfaceSubClass", "01\n")
    if let driver {
      try directory.link("\(path):1.0/driver", to: "../../../../bus/usb/drivers/\(driver)")
    }
  }

  @Test func `an adapter that a program has claimed is told with its raw node`() throws {
    try plugAdapter(driver: "usbfs")
    let facts = observe(.serial)
    #expect(
      facts.held == [
        HardwareFacts.Held(
          sysfsPath: "\(device):1.0", name: "USB Serial", driver: "usbfs", module: "ch341",
          identifiers: "1a86:7523", node: "/dev/bus/usb/001/012")
      ])
    #expect(facts.unbound.isEmpty && facts.usb.isEmpty)
    #expect(observe(.camera) == HardwareFacts())
  }

  @Test func `an adapter with its own driver, and one of an unknown make, are nobody's concern`()
    throws
  {
    try plugAdapter(driver: "ch341")
    #expect(observe(.serial) == HardwareFacts())
    try directory.file("sys/bus/usb/devices/1-5/idProduct", "ffff\n")
    #expect(observe(.serial) == HardwareFacts())
  }

  @Test func `an adapter without a driver is told with its module`() throws {
    try plugAdapter(driver: nil)
    #expect(
      observe(.serial).unbound == [
        .init(
          sysfsPath: "\(device):1.0", name: "USB Serial", module: "ch341",
          identifiers: "1a86:7523")
      ])
    #expect(observe(.serial).held.isEmpty)
  }

  @Test(
    arguments: [
      ("02", "02", .serial, "cdc_acm"), ("02", "06", .serial, nil),
      ("01", "01", .microphone, "snd_usb_audio"), ("0e", "01", .camera, "uvcvideo"),
      ("03", "01", .serial, nil),
    ] as [(String, String, DeviceKind, String?)])
  func `the class of an interface tells what makes its node`(
    number: String, subclass: String, kind: DeviceKind, module: String?
  ) throws {
    let path = "sys/bus/usb/devices/1-5:1.0"
    try directory.file("\(path)/bInterfaceClass", number + "\n")
    try directory.file("\(path)/bInterfaceSubClass", subclass + "\n")
    try directory.directory("sys/bus/usb/devices/1-5")
    #expect(observe(kind).unbound.map(\.module) == [module].compactMap(\.self))
    try directory.link("\(path)/driver", to: "../../drivers/usbtest")
    #expect(observe(kind).held.map(\.module) == [module].compactMap(\.self))
    #expect(observe(kind).unbound.isEmpty)
  }

  @Test func `a camera with its driver on one interface of two has its driver`() throws {
    for (number, driver) in [(0, "uvcvideo"), (1, "usbfs")] {
      let path = "sys/bus/usb/devices/1-5:1.\(number)"
      try directory.file("\(path)/bInterfaceClass", "0e\n")
      try directory.link("\(path)/driver", to: "../../drivers/\(driver)")
    }
    try directory.directory("sys/bus/usb/devices/1-5")
    #expect(observe(.camera) == HardwareFacts())
  }

  // MARK: - Authorization

  @Test func `an adapter that is not authorized is told with its numbers and its bus`() throws {
    try plugAdapter(driver: nil)
    try directory.file("sys/bus/usb/devices/1-5/authorized", "0\n")
    try directory.file("sys/bus/usb/devices/usb1/authorized_default", "0\n")
    try directory.file(
      "sys/bus/usb/devices/1-5/descriptors",
      Self.descriptors(configuration: 1, interfaceClass: 0xFF))
    try directory.file("sys/bus/usb/devices/1-5/serial", "A1\n")
    #expect(
      observe(.serial).usb == [
        HardwareFacts.USBObstacle(
          sysfsPath: device, name: "USB Serial", reason: .deviceNotAuthorized, configuration: 1,
          identifiers: "1a86:7523", hubDefault: 0, hasSerial: true)
      ])
    // Old kernels hide the product name of the device.
    try directory.file("sys/bus/usb/devices/1-5/product", "n/a (unauthorized)\n")
    #expect(observe(.serial).usb.map(\.name) == [nil])
    #expect(observe(.camera).usb.isEmpty)
  }

  @Test func `a raw device is told when it, or an interface of it, is not authorized`() throws {
    try plugAdapter(driver: nil)
    try directory.file("sys/bus/usb/devices/1-5/1-5:1.0/authorized", "1\n")
    var raw = DeviceFacts(
      node: "/dev/bus/usb/001/012", sysfsPath: device, subsystem: "usb", kernelName: "1-5")
    func observe() -> HardwareFacts? {
      var unobserved: [Unobserved] = []
      let facts = HardwareObserver(roots: roots).observe(raw: [raw], &unobserved)
      #expect(unobserved.isEmpty)
      return facts
    }
    #expect(observe()?.usb.isEmpty == true)
    #expect(observe()?.interfaces.map(\.driver) == [nil])
    try directory.file("sys/bus/usb/devices/1-5/1-5:1.0/authorized", "0\n")
    #expect(observe()?.usb.map(\.interfaces) == [["1-5:1.0"]])
    #expect(observe()?.usb.map(\.reason) == [.interfaceNotAuthorized])
    try directory.file("sys/bus/usb/devices/1-5/authorized", "0\n")
    try directory.file("sys/fs/cgroup/system.slice/usbguard.service/cgroup.procs", "7\n")
    #expect(observe()?.usb.map(\.reason) == [.deviceNotAuthorized])
    #expect(observe()?.usb.map(\.identifiers) == ["1a86:7523"])
    #expect(observe()?.services == ["usbguard.service"])
    raw.sysfsPath += "0"
    #expect(observe() == nil)
  }

  // MARK: - Services

  @Test(arguments: ["", "systemd/", "unified/"])
  func `services that take devices are found by their control groups`(hierarchy: String) throws {
    let slice = "sys/fs/cgroup/\(hierarchy)system.slice"
    try directory.file("\(slice)/brltty.service/cgroup.procs", "812\n")
    try directory.file("\(slice)/usbguard.service/cgroup.procs", "9\n")
    try directory.file("\(slice)/ModemManager.service/cgroup.procs", "")
    try directory.file("\(slice)/ssh.service/cgroup.procs", "10\n")
    try directory.file(
      "\(slice)/system-brltty.slice/brltty@usb.service/cgroup.procs", "813\n")
    #expect(
      ServiceObserver(roots: roots).running()
        == ["brltty.service", "brltty@usb.service", "usbguard.service"])
  }

  @Test func `no service is said to run where control groups are hidden`() {
    #expect(ServiceObserver(roots: roots).running().isEmpty)
  }
}
