import AccessModel
import LinuxTestSupport
import Testing

@testable import LinuxDevices

@Suite struct `A list of devices` {
  private static func devices(_ root: borrowing TemporaryDirectory) throws -> [DeviceFacts] {
    var roots = MachineRoots()
    roots.sysfs = root.path
    return try LinuxMachine(roots: roots).devices(of: .camera)
  }

  @Test func `is empty where sysfs knows no such subsystem`() throws {
    let root = try TemporaryDirectory()
    try root.directory("class/net")
    #expect(try Self.devices(root).isEmpty)
  }

  @Test func `is an error where sysfs is hidden`() throws {
    let root = try TemporaryDirectory()
    do {
      _ = try Self.devices(root)
      Issue.record("an empty directory has no list")
    } catch let error as DeviceError {
      #expect(error.code == .unavailable && error.errno == .noSuchFile)
    }
  }

  @Test func `is an error where a device cannot be read`() throws {
    let root = try TemporaryDirectory()
    let device = "devices/usb1/video4linux/video0"
    try root.directory("class/video4linux")
    try root.link("class/video4linux/video0", to: "../../\(device)")
    // A directory in place of a file cannot be read, not even by root.
    try root.directory("\(device)/uevent")
    do {
      _ = try Self.devices(root)
      Issue.record("a device without a readable description has no facts")
    } catch let error as DeviceError {
      #expect(error.code == .unavailable && error.errno == .badDescriptor)
    }
  }

  @Test func `keeps a device whose description is gone`() throws {
    let root = try TemporaryDirectory()
    try root.directory("class/video4linux")
    try root.directory("devices/usb1/video4linux/video0")
    try root.link(
      "class/video4linux/video0", to: "../../devices/usb1/video4linux/video0")
    #expect(try Self.devices(root).map(\.kernelName) == ["video0"])
  }
}
