import AccessModel
import LinuxTestSupport
import Testing

@testable import LinuxDevices

/// Devices of a recorded sysfs and udev database, read without libudev.
@Suite struct RecordedDevicesTests {
  /// Returns a machine with a camera, its database file, and a USB interface with a driver.
  func machine(in directory: borrowing TemporaryDirectory, database: String?) throws -> LinuxMachine
  {
    let usb = "sys/devices/pci0/usb1/1-1:1.0"
    try directory.file(
      "\(usb)/video4linux/video0/uevent", "MAJOR=81\nMINOR=0\nDEVNAME=video0\nbroken\n")
    try directory.file("\(usb)/video4linux/video0/index", "0\n")
    try directory.file("\(usb)/video4linux/video0/name", "UVC\u{1B}[0m Camera\n")
    try directory.link("\(usb)/driver", to: "../../../../bus/usb/drivers/uvcvideo")
    try directory.link("\(usb)/subsystem", to: "../../../../bus/usb")
    try directory.directory("sys/class/video4linux")
    try directory.link(
      "sys/class/video4linux/video0",
      to: "../../devices/pci0/usb1/1-1:1.0/video4linux/video0")
    try directory.link("sys/class/video4linux/gone", to: "../../devices/gone/video4linux/gone")
    if let database { try directory.file("run/udev/data/c81:0", database) }
    var roots = MachineRoots()
    roots.sysfs = "\(directory.path)/sys"
    roots.run = "\(directory.path)/run"
    return LinuxMachine(roots: roots)
  }

  @Test func `a device is read with its database and its parents`() throws {
    let directory = try TemporaryDirectory()
    let machine = try machine(
      in: directory,
      database: """
        S:v4l/by-id/claimed
        I:12345
        E:ID_BUS=usb
        E:ID_V4L_CAPABILITIES=:capture:
        E:ID_SEAT=seat-2
        G:uaccess
        G:seat
        Q:seat
        V:1
        """)
    let device = try #require(try machine.devices(of: .camera).first { $0.kernelName == "video0" })
    #expect(device.node == "/dev/video0")
    #expect(device.number == DeviceNumber(major: 81, minor: 0))
    #expect(device.driver == "uvcvideo")
    #expect(device.bus == "usb")
    #expect(device.name == "UVC\u{FFFD}[0m Camera")
    #expect(device.seat == "seat-2")
    #expect(device.tags == ["uaccess", "seat"])
    #expect(device.currentTags == ["seat"])
    #expect(device.isInitialized)
    #expect(device.role == .capture)
    // The database claims the link, but it does not exist.
    #expect(device.links.isEmpty)
  }

  @Test(arguments: [("G:uaccess\nV:1", []), ("G:uaccess", nil)] as [(String, [String]?)])
  func `no current tag is told apart from a database that does not tell`(
    database: String, current: [String]?
  ) throws {
    let directory = try TemporaryDirectory()
    let machine = try machine(in: directory, database: database)
    let device = try #require(try machine.devices(of: .camera).first { $0.kernelName == "video0" })
    #expect(device.tags == ["uaccess"])
    #expect(device.currentTags == current)
  }

  @Test func `a device that udev has not seen is not initialised`() throws {
    let directory = try TemporaryDirectory()
    let machine = try machine(in: directory, database: nil)
    let device = try #require(try machine.devices(of: .camera).first { $0.kernelName == "video0" })
    #expect(!device.isInitialized)
    #expect(device.currentTags == nil)
    #expect(device.bus == "usb")
  }

  @Test func `a hostile database is bounded`() throws {
    let directory = try TemporaryDirectory()
    let properties = (0..<5000).map { "E:K\($0)=\(String(repeating: "x", count: 50))" }
    let machine = try machine(
      in: directory,
      database: (properties + ["G", "G:", ":", "E:=", "E:x"]).joined(separator: "\n"))
    let device = try #require(try machine.devices(of: .camera).first { $0.kernelName == "video0" })
    #expect(device.properties.count <= UdevDevice.countLimit + 1)
  }

  @Test func `a subsystem that is not there has no devices`() throws {
    let directory = try TemporaryDirectory()
    var machine = try machine(in: directory, database: nil)
    machine.roots.proc = "\(directory.path)/proc"
    // Neither sysfs nor procfs shows which devices exist.
    #expect(throws: DeviceError.self) { try machine.devices(of: .hidraw) }
    try directory.file("proc/devices", "Character devices:\n\nBlock devices:\n")
    #expect(try machine.devices(of: .hidraw).isEmpty)
    #expect(try machine.devices(of: .album).isEmpty)
    let odd = DeviceKind(name: "x", subsystem: "../..", namePrefixes: [], roles: [], needs: .read)
    #expect(try machine.devices(of: odd).isEmpty)
  }

  @Test func `devices of a bus are found as well`() throws {
    let directory = try TemporaryDirectory()
    try directory.file(
      "sys/devices/pci0/usb1/uevent", "DEVNAME=bus/usb/001/001\nMAJOR=189\nMINOR=0\n")
    try directory.directory("sys/bus/usb/devices")
    try directory.link("sys/bus/usb/devices/usb1", to: "../../../devices/pci0/usb1")
    var roots = MachineRoots()
    roots.sysfs = "\(directory.path)/sys"
    let devices = try LinuxMachine(roots: roots).devices(of: .usb)
    #expect(devices.map(\.node) == ["/dev/bus/usb/001/001"])
  }

  // MARK: A hidden database

  private func facts(
    _ directory: borrowing TemporaryDirectory
  ) throws -> AccessFacts {
    try machine(in: directory, database: nil).facts(for: Question(.kind(.camera)))
  }

  @Test func `a database that is not there does not tell that no daemon runs`() throws {
    let directory = try TemporaryDirectory()
    let facts = try facts(directory)
    #expect(facts.hardware?.hasUdevControl == nil)
    #expect(facts.unobserved.contains { $0.layer == Unobserved.udevDatabaseLayer })
  }

  @Test(arguments: [true, false])
  func `without systemd and without any folder of udev, no daemon runs`(hasSystemd: Bool) throws {
    let directory = try TemporaryDirectory()
    try directory.directory(hasSystemd ? "run/systemd/system" : "run")
    let facts = try facts(directory)
    #expect(facts.hardware?.hasUdevControl == (hasSystemd ? nil : false))
  }

  @Test func `a database without a control socket tells that no daemon runs`() throws {
    let directory = try TemporaryDirectory()
    try directory.directory("run/udev/data")
    let facts = try facts(directory)
    #expect(facts.hardware?.hasUdevControl == false)
    #expect(!facts.unobserved.contains { $0.layer == Unobserved.udevDatabaseLayer })
  }

  @Test func `a file of the database that cannot be read is not a missing one`() throws {
    let directory = try TemporaryDirectory()
    try directory.directory("run/udev/data/c81:0")
    try directory.file("run/udev/control")
    let facts = try facts(directory)
    #expect(facts.hardware?.hasUdevControl == true)
    #expect(
      facts.unobserved.filter { $0.layer == Unobserved.udevDatabaseLayer }.map(\.reason)
        == [Errno.badDescriptor.reason])
  }
}
