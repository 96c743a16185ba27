import AccessModel
import FoundationEssentials
import Glibc
import LinuxTestSupport
import Testing

@testable import LinuxDevices

/// Processes that hold a device, which is treated as a virtual camera here.
@Suite struct `Holders of a virtual camera` {
  private static let node = "/dev/full"

  private static func use(mostOpenFiles: Int? = nil) throws -> DeviceUse {
    let number = NodeNumber(isBlock: false, number: DeviceNumber(major: 1, minor: 7))
    var device = DeviceFacts(
      node: node, sysfsPath: "/sys/devices/virtual/video4linux/none", subsystem: "video4linux",
      kernelName: "video9")
    (device.isFed, device.loopbackVersion) = (true, .oneViewer)
    (device.driver, device.mostOpenFiles) = ("v4l2loopback", mostOpenFiles)
    let target = UseTarget(
      node: node, device: device, number: number,
      identity: FileIdentity(filesystem: DeviceNumber(major: 0, minor: 0), inode: 0))
    let facts = try UseObserver(roots: MachineRoots()).use(of: [target], besides: [])
    return try #require(facts.devices.first)
  }

  /// Returns the holds of a process and of one that it starts, once both have the device open.
  private static func holds(
    of command: String, where isReady: ([DeviceHold]) -> Bool
  ) async throws -> [DeviceHold] {
    let child = try await ChildProcess(command)
    defer { child.reap() }
    var holds: [DeviceHold] = []
    for _ in 0..<400 {
      holds = try use().holders.filter {
        $0.process.id == child.number || parent(of: $0.process.id) == child.number
      }.map(\.hold)
      if isReady(holds) { break }
      try await Task.sleep(for: .milliseconds(25))
    }
    return holds
  }

  private static func parent(of process: Int32) -> Int32? {
    let status = try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
    let line = status?.split(separator: "\n").first { $0.hasPrefix("PPid:") }
    return line?.split(separator: "\t").last.flatMap { Int32($0) }
  }

  @Test func `share a file that one of them has from the other`() async throws {
    let shared = try await Self.holds(of: "exec 4<&0 3<>\(Self.node); cat <&4 & exec cat") {
      $0.count == 2 && $0.allSatisfy { $0.sharesWith != nil }
    }
    #expect(shared.count == 2)
    #expect(Set(shared.map(\.sharesWith)).count == 1)
    let own = try await Self.holds(
      of: "exec 4<&0; (exec 3<>\(Self.node); exec cat <&4) & exec 3<>\(Self.node); exec cat"
    ) { $0.count == 2 }
    #expect(own.map(\.sharesWith) == [nil, nil])
  }

  @Test func `have written as much as some pictures, or next to nothing`() async throws {
    let silent = try await Self.holds(of: "exec 3<>\(Self.node); exec cat") { !$0.isEmpty }
    #expect(silent.map(\.hasWritten) == [false])
    let busy = try await Self.holds(
      of: "exec 3<>\(Self.node); printf %02000000d 0 >/dev/null; exec cat"
    ) { $0.first?.hasWritten == true }
    #expect(busy.map(\.hasWritten) == [true])
    // A process that only reads does not feed the camera.
    let reading = try await Self.holds(of: "exec 3<\(Self.node); exec cat") { !$0.isEmpty }
    #expect(reading.map(\.hasWritten) == [nil])
  }

  @Test func `leave no room where the driver opens it for so many`() async throws {
    let child = try await HoldingChild("both", Self.node)
    defer { child.end() }
    _ = try await child.holder(of: Self.node)
    #expect(try Self.use(mostOpenFiles: 1).freeStreams == 0)
    let use = try Self.use(mostOpenFiles: 1000)
    #expect(use.freeStreams == nil)
    #expect(UseFacts().occupation(of: try Self.use(mostOpenFiles: 1)) == .busy)
  }

  /// Two files are two groups until a third process has both.
  @Test func `are one group for each file that goes round`() throws {
    let files = (0..<2).map { _ in unsafe open("/dev/null", O_RDONLY) }
    defer { for file in files { close(file) } }
    let number = NodeNumber(isBlock: false, number: DeviceNumber(major: 81, minor: 0))
    func seen(_ process: Int32, _ file: Int) -> (process: Int32, descriptor: SeenDescriptor) {
      (process, SeenDescriptor(owner: getpid(), number: UInt32(files[file]), device: number))
    }
    #expect(SeenDescriptor.sharing([seen(1, 0), seen(2, 1)]) == [:])
    #expect(SeenDescriptor.sharing([seen(1, 0), seen(1, 0)]) == [:])
    #expect(SeenDescriptor.sharing([seen(4, 0), seen(3, 0), seen(2, 1)]) == [3: 3, 4: 3])
    #expect(
      SeenDescriptor.sharing([
        seen(1, 0), seen(2, 1), seen(3, 0), seen(4, 1), seen(5, 0), seen(5, 1),
      ])
        == [1: 1, 2: 1, 3: 1, 4: 1, 5: 1])
    #expect(SeenDescriptor.sharing(Array(repeating: seen(1, 0), count: 65)) == [:])
  }
}
