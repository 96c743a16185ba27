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

  /// The running kernel also refuses the mappings that a rule excludes.
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

  /// A page of a file that is mapped into this process while the value exists.
  private struct Page: ~Copyable {
    private let start: UInt
    let file: OpenFile

    init(of path: String, _ flags: Int32) throws {
      let descriptor = unsafe open(path, O_RDWR | O_CLOEXEC)
      defer { close(descriptor) }
      start = UInt(bitPattern: unsafe mmap(nil, 4096, PROT_READ, flags, descriptor, 0))
      file = try OpenFile(following: path, in: AT_FDCWD)
    }

    /// The name of the mapping in `map_files`.
    var range: String {
      "\(String(start, radix: 16))-\(String(start + 4096, radix: 16))"
    }

    deinit { unsafe munmap(UnsafeMutableRawPointer(bitPattern: start), 4096) }
  }

  /// Returns the devices of a target that this process maps.
  private func find(
    _ target: UseTarget, follows: Bool = true, asks: Bool
  ) throws -> Set<NodeNumber> {
    var files = MappedFiles(targets: [target], followsMapFiles: follows, asksForMappings: asks)
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    let folder = try OpenDirectory("/proc/self")
    return try #require(try files.devices(in: folder.descriptor, &buffer))
  }

  /// This process maps the zero device, with both kinds of mapping.
  @Test(arguments: [MAP_PRIVATE, MAP_SHARED], [true, false])
  func `are found in the running kernel's table, asked or read`(
    flags: Int32, asks: Bool
  ) throws {
    let page = try Page(of: "/dev/zero", flags)
    let number = try #require(page.file.device)
    func find(_ device: DeviceFacts?, identity: FileIdentity) throws -> Set<NodeNumber> {
      try self.find(
        UseTarget(node: "/dev/zero", device: device, number: number, identity: identity),
        asks: asks)
    }
    let found: Set<NodeNumber> = flags == MAP_SHARED ? [] : [number]
    // Shared memory of the zero device is on another filesystem and cannot be recognized.
    #expect(try find(nil, identity: page.file.identity).isSuperset(of: found))
    var camera = DeviceFacts(
      node: "/dev/video0", sysfsPath: "/sys/x", subsystem: "tty", kernelName: "tty9")
    #expect(try find(camera, identity: page.file.identity) == [])
    camera.subsystem = "video4linux"
    camera.driver = "uvcvideo"
    #expect(try find(camera, identity: page.file.identity) == [])
  }

  /// Uses a file as a camera's node, because the table identifies both by filesystem and inode.
  @Test(arguments: [true, false], [MAP_PRIVATE, MAP_SHARED])
  func `that are not shared do not count where the driver refuses them`(
    asks: Bool, flags: Int32
  ) throws {
    let directory = try TemporaryDirectory(in: "/tmp")
    let page = try Page(of: directory.file("video0"), flags)
    let number = NodeNumber(isBlock: false, number: DeviceNumber(major: 81, minor: 0))
    for driver in ["uvcvideo", "other"] {
      var camera = DeviceFacts(
        node: "/dev/video0", sysfsPath: "/sys/x", subsystem: "video4linux", kernelName: "video0")
      camera.driver = driver
      let target = UseTarget(
        node: "/dev/video0", device: camera, number: number, identity: page.file.identity)
      let isFound = flags == MAP_SHARED || driver == "other"
      #expect(try find(target, asks: asks) == (isFound ? [number] : []))
    }
  }

  /// If mappings cannot be followed, the path identifies the node, unless it leads elsewhere by
  /// now.
  ///
  /// This runs in a separate process, because other tests map the device, too.
  @Test(.requiresRoot, arguments: [true, false], [true, false])
  func `are told by their node, by what may be followed, and by their path`(
    follows: Bool, asks: Bool
  ) async {
    await #expect(processExitsWith: .success) { [follows, asks] in
      let directory = try TemporaryDirectory(in: "/tmp")
      let path = "\(directory.path)/zero"
      try SystemError.check(unsafe mknod(path, S_IFCHR | 0o600, 0x105), "mknod")
      let page = try Page(of: path, MAP_PRIVATE)
      let number = try #require(page.file.device)
      let own = try OpenFile(following: "/dev/zero", in: AT_FDCWD).identity
      let target = UseTarget(node: "/dev/zero", device: nil, number: number, identity: own)
      let folder = try OpenDirectory("/proc/self")
      let isFollowed =
        (try? OpenFile(following: "map_files/\(page.range)", in: folder.descriptor)) != nil
      func scan() throws -> (found: Set<NodeNumber>, hasMissed: Bool) {
        var files = MappedFiles(targets: [target], followsMapFiles: follows, asksForMappings: asks)
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        return (
          try #require(try files.devices(in: folder.descriptor, &buffer)), files.hasMissed
        )
      }
      #expect(try scan().found == [number])
      try SystemError.check(unsafe unlink(path), "unlink")
      let last = try scan()
      #expect(last.found == (follows && isFollowed ? [number] : []))
      // In that case, the device is not reported as unused.
      #expect(!last.found.isEmpty || last.hasMissed)
    }
  }
}
