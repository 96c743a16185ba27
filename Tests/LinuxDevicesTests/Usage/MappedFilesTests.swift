import AccessModel
import Glibc
import LinuxTestSupport
import Testing

@testable import LinuxDevices

@Suite struct `Mappings of devices` {
  private func rule(_ subsystem: String, _ name: String, _ driver: String? = nil) -> MappingRule {
    var device = DeviceFacts(
      node: "/dev/x", sysfsPath: "/sys/x", subsystem: subsystem, kernelName: name)
    device.driver = driver
    return MappingRule(of: device)
  }

  @Test func `are looked for unless their driver makes none`() {
    #expect(MappingRule(of: nil) == .any)
    #expect(rule("tty", "ttyUSB0") == .none && rule("input", "event0") == .none)
    #expect(rule("hidraw", "hidraw0") == .none && rule("misc", "kvm") == .none)
    #expect(rule("misc", "fuse") == .any && rule("usb", "1-1") == .any)
    #expect(rule("mem", "full") == .none && rule("mem", "zero") == .any)
    #expect(rule("mem", "mem") == .any && rule("drm", "renderD128") == .any)
    #expect(rule("video4linux", "video0", "uvcvideo") == .shared)
    #expect(rule("video4linux", "video0", "v4l2 loopback") == .any)
    #expect(rule("sound", "pcmC0D0c") == .any)
    #expect([MappingRule.shared, .any, .none].max() == .any)
  }

  /// What a rule rules out, the running kernel refuses, too.
  @Test(arguments: ["/dev/null", "/dev/full", "/dev/random", "/dev/urandom"])
  func `are refused by what is said to make none`(path: String) throws {
    let file = unsafe open(path, O_RDONLY | O_CLOEXEC)
    defer { close(file) }
    for flags in [MAP_PRIVATE, MAP_SHARED] {
      let memory = unsafe mmap(nil, 4096, PROT_READ, flags, file, 0)
      let failure = errno
      #expect(unsafe memory == MAP_FAILED)
      #expect(failure == ENODEV)
    }
  }

  /// The own process maps the zero device, by both kinds of mapping.
  @Test(arguments: [MAP_PRIVATE, MAP_SHARED])
  func `are found in the running kernel's table, asked or read`(flags: Int32) throws {
    let file = unsafe open("/dev/zero", O_RDWR | O_CLOEXEC)
    let memory = unsafe mmap(nil, 4096, PROT_READ, flags, file, 0)
    close(file)
    defer { unsafe munmap(memory, 4096) }
    let zero = try OpenFile(following: "/dev/zero", in: AT_FDCWD)
    let number = try #require(zero.device)
    let folder = try OpenDirectory("/proc/self")
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    func find(_ device: DeviceFacts?, identity: FileIdentity) throws -> Set<NodeNumber> {
      let target = UseTarget(
        node: "/dev/zero", device: device, number: number, identity: identity)
      var files = MappedFiles(targets: [target])
      return try files.devices(in: folder.descriptor, &buffer)
    }
    let found: Set<NodeNumber> = flags == MAP_SHARED ? [] : [number]
    // Shared memory of the zero device is of another filesystem, and known to nobody as that.
    #expect(try find(nil, identity: zero.identity).isSuperset(of: found))
    var camera = DeviceFacts(
      node: "/dev/video0", sysfsPath: "/sys/x", subsystem: "tty", kernelName: "tty9")
    #expect(try find(camera, identity: zero.identity) == [])
    camera.subsystem = "video4linux"
    camera.driver = "uvcvideo"
    #expect(try find(camera, identity: zero.identity) == [])
  }

  /// A file in place of a camera's node: the table knows both by filesystem and inode.
  @Test(arguments: [true, false], [MAP_PRIVATE, MAP_SHARED])
  func `that are not shared do not count where the driver refuses them`(
    asks: Bool, flags: Int32
  ) throws {
    let directory = try TemporaryDirectory(in: "/tmp")
    let file = unsafe open(try directory.file("video0"), O_RDONLY | O_CLOEXEC)
    let memory = unsafe mmap(nil, 4096, PROT_READ, flags, file, 0)
    let node = try OpenFile(following: "\(directory.path)/video0", in: AT_FDCWD)
    close(file)
    defer { unsafe munmap(memory, 4096) }
    let number = NodeNumber(isBlock: false, number: DeviceNumber(major: 81, minor: 0))
    let folder = try OpenDirectory("/proc/self")
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    for driver in ["uvcvideo", "other"] {
      var camera = DeviceFacts(
        node: "/dev/video0", sysfsPath: "/sys/x", subsystem: "video4linux", kernelName: "video0")
      camera.driver = driver
      let target = UseTarget(
        node: "/dev/video0", device: camera, number: number, identity: node.identity)
      var files = MappedFiles(targets: [target], asksForMappings: asks)
      let isFound = flags == MAP_SHARED || driver == "other"
      #expect(try files.devices(in: folder.descriptor, &buffer) == (isFound ? [number] : []))
    }
  }

  /// A private mapping of another node of the device tells of it only where the mapping can be followed.
  @Test(arguments: [true, false], [true, false])
  func `are told by their node, and others by what may be followed`(
    follows: Bool, asks: Bool
  ) throws {
    let file = unsafe open("/dev/zero", O_RDONLY | O_CLOEXEC)
    let memory = unsafe mmap(nil, 4096, PROT_READ, MAP_PRIVATE, file, 0)
    close(file)
    defer { unsafe munmap(memory, 4096) }
    let zero = try OpenFile(following: "/dev/zero", in: AT_FDCWD)
    let number = try #require(zero.device)
    let folder = try OpenDirectory("/proc/self")
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    func find(_ identity: FileIdentity) throws -> Set<NodeNumber> {
      let target = UseTarget(node: "/dev/zero", device: nil, number: number, identity: identity)
      var files = MappedFiles(
        targets: [target], followsMapFiles: follows, asksForMappings: asks)
      return try files.devices(in: folder.descriptor, &buffer)
    }
    let start = UInt(bitPattern: memory)
    let range = "\(String(start, radix: 16))-\(String(start + 4096, radix: 16))"
    let isFollowed =
      (try? OpenFile(following: "map_files/\(range)", in: folder.descriptor)) != nil
    #expect(try find(zero.identity) == [number])
    let other = FileIdentity(filesystem: zero.identity.filesystem, inode: zero.identity.inode + 1)
    #expect(try find(other) == (follows && isFollowed ? [number] : []))
  }
}
