import AccessModel
import LinuxTestSupport
import Testing

@testable import LinuxDevices

/// The facts that decide whether ModemManager opens a port, in files that imitate sysfs and procfs.
final class PortTests {
  private let directory: TemporaryDirectory
  private let roots: MachineRoots

  init() throws {
    directory = try TemporaryDirectory()
    roots = MachineRoots(below: directory)
  }

  private func start(_ arguments: [String] = []) throws {
    try directory.file("sys/fs/cgroup/system.slice/ModemManager.service/cgroup.procs", "412\n")
    let words = ["/usr/sbin/ModemManager"] + arguments
    try directory.file("proc/412/cmdline", Array(words.joined(separator: "\0").utf8) + [0])
  }

  private func ports(candidate: Bool = true) throws -> [HardwareFacts.Port] {
    let place = "sys/devices/usb1/1-4/1-4:1.0"
    try directory.file("\(place)/bInterfaceClass", "02\n")
    try directory.file("\(place)/bInterfaceSubClass", "02\n")
    try directory.file("\(place)/bInterfaceProtocol", "01\n")
    var device = DeviceFacts(
      node: "/dev/ttyACM0", sysfsPath: "\(directory.path)/\(place)/tty/ttyACM0", subsystem: "tty",
      kernelName: "ttyACM0")
    device.properties = ["ID_SERIAL": "x", "ID_VENDOR_ID": "2341"]
    if candidate { device.properties["ID_MM_CANDIDATE"] = "1" }
    try directory.directory("\(place)/tty/ttyACM0")
    var reader = HardwareReader()
    return PortObserver(roots: roots).ports([device], &reader)
  }

  @Test(
    arguments: [
      ([], "strict"), (["--debug"], "strict"), (["--filter-policy=legacy"], "legacy"),
      (["--filter-policy=strict", "--filter-policy=whitelist-only"], "whitelist-only"),
    ] as [([String], String)])
  func `the policy is what ModemManager was started with`(
    arguments: [String], policy: String
  ) throws {
    try start(arguments)
    #expect(
      try ports() == [
        HardwareFacts.Port(
          node: "/dev/ttyACM0", interface: [2, 2, 1], properties: ["ID_MM_CANDIDATE": "1"],
          policy: policy, isAlone: true, vendor: "2341")
      ])
  }

  @Test(arguments: [
    ("1-4:1.2/tty/ttyACM1", false), ("1-4:1.2/ttyUSB0/tty/ttyUSB0", false),
    ("1-4:1.2/net/wwan0", false), ("1-4:1.2/usbmisc/cdc-wdm0", false),
    ("1-4:1.2/sound/card1", true), ("1-4.1/1-4.1:1.0/tty/ttyACM1", true),
  ])
  func `the other ports of the device are counted`(other: String, isAlone: Bool) throws {
    try start()
    try directory.directory("sys/devices/usb1/1-4/1-4:1.0/tty/ttyACM0")
    try directory.directory("sys/devices/usb1/1-4/\(other)")
    #expect(try ports().map(\.isAlone) == [isAlone])
  }

  @Test func `a command line that cannot be read tells no policy`() throws {
    try directory.file("sys/fs/cgroup/system.slice/ModemManager.service/cgroup.procs", "412\n")
    #expect(try ports().map(\.policy) == [nil])
  }

  @Test func `no port is in question where ModemManager does not run, or does not look`() throws {
    #expect(try ports().isEmpty)
    try start()
    #expect(try ports(candidate: false).isEmpty)
  }
}
