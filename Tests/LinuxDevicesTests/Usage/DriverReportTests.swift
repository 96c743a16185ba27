import AccessModel
import Glibc
import LinuxTestSupport
import Testing

@testable import LinuxDevices

/// The reports of camera drivers about their use, in a sysfs that consists of files.
@Suite final class `Drivers of cameras` {
  private let directory: TemporaryDirectory
  private let observer: DriverObserver

  init() throws {
    directory = try TemporaryDirectory()
    var roots = MachineRoots()
    roots.sysfs = directory.path
    observer = DriverObserver(roots: roots)
  }

  private func camera(
    _ driver: String? = "uvcvideo", at place: String = "usb1/1-5/1-5:1.0"
  ) -> DeviceFacts {
    var device = DeviceFacts(
      node: "/dev/video0", sysfsPath: "\(directory.path)/devices/\(place)/video4linux/video0",
      subsystem: "video4linux", kernelName: "video0")
    device.driver = driver
    return device
  }

  @Test(arguments: [
    ("0\n", true), ("1\n", false), ("-1\n", true), ("-2\n", false), ("", false), ("00\n", false),
  ])
  func `say that none is open by the count of their module`(count: String, isUnused: Bool) throws {
    #expect(!observer.isUnused(camera()))
    try directory.file("module/uvcvideo/refcnt", count)
    #expect(observer.isUnused(camera()) == isUnused)
    // Some modules share the operations of another module, so their own count means nothing.
    try directory.file("module/gspca_ov519/refcnt", "0\n")
    #expect(!observer.isUnused(camera("gspca_ov519")))
    #expect(!observer.isUnused(camera(nil)) && !observer.isUnused(nil))
  }

  @Test(arguments: [("suspended\n", true), ("active\n", false), ("suspending\n", false)])
  func `sleep where nothing streams`(status: String, isAsleep: Bool) throws {
    let device = camera()
    #expect(!observer.isAsleep(device))
    try directory.file("devices/usb1/1-5/power/runtime_status", status)
    try directory.file("devices/usb1/1-5/1-5:1.0/x", "")
    try directory.file("devices/usb1/1-5/1-5:1.0/video4linux/video0/x", "")
    try makeLink("\(device.sysfsPath)/device", to: Array("../../../1-5:1.0".utf8))
    #expect(observer.isAsleep(device) == isAsleep)
    #expect(!observer.isAsleep(camera("vivid")))
  }

  @Test func `make nobody busy while they sleep`() {
    var use = DeviceUse(
      node: "/dev/video0", device: camera(),
      holders: [
        DeviceHolder(HoldingProcess(id: 1, name: "x"), DeviceHold()),
        DeviceHolder(HoldingProcess(id: 2, name: "y"), DeviceHold(activity: .streaming)),
      ])
    DriverReport(isAsleep: true).add(to: &use)
    #expect(use.holders.map(\.hold.activity) == [.idle, .streaming])
    #expect(!use.isToldByDriver)
    DriverReport(isUnused: true).add(to: &use)
    #expect(use.isToldByDriver)
  }

  /// A duplicated descriptor leads to the same file, which the driver counts once.
  @Test func `count nobody but those who were seen, or somebody else`() throws {
    let files = (0..<2).map { _ in unsafe open("/dev/null", O_RDONLY) }
    let copy = dup(files[0])
    defer { for file in files + [copy] { close(file) } }
    let number = NodeNumber(isBlock: false, number: DeviceNumber(major: 81, minor: 0))
    let seen = (files + [copy]).map {
      SeenDescriptor(owner: getpid(), number: UInt32($0), device: number)
    }
    let target = UseTarget(
      node: "/dev/video0", device: camera(), number: number,
      identity: FileIdentity(filesystem: DeviceNumber(major: 0, minor: 5), inode: 1))
    #expect(SeenDescriptor.fileCount(seen) == 2)
    #expect(SeenDescriptor.fileCount(Array(repeating: seen[0], count: 65)) == nil)
    for (count, isComplete) in [("1\n", false), ("2\n", true), ("3\n", false)] {
      try directory.file("module/uvcvideo/refcnt", count)
      let drivers = observer.driversWithoutOthers([target], seen)
      #expect(drivers == (isComplete ? ["uvcvideo"] : []))
    }
  }

  @Test func `are asked before anybody is looked for`() throws {
    try directory.file("module/uvcvideo/refcnt", "0\n")
    var roots = MachineRoots()
    roots.sysfs = directory.path
    // Without a /proc, no process could be searched.
    roots.proc = "\(directory.path)/nowhere"
    var other = camera()
    other.driver = "vivid"
    let number = NodeNumber(isBlock: false, number: DeviceNumber(major: 81, minor: 0))
    let targets = [camera(), other].map {
      UseTarget(
        node: "/dev/video0", device: $0, number: number,
        identity: FileIdentity(filesystem: DeviceNumber(major: 0, minor: 5), inode: 1))
    }
    let facts = try UseObserver(roots: roots).use(of: [targets[0]])
    #expect(facts.devices.map(facts.state) == [.free])
    #expect(facts.devices.map { facts.occupation(of: $0) } == [.free])
    #expect(throws: DeviceError.self) { try UseObserver(roots: roots).use(of: targets) }
  }
}
