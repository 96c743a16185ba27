import Testing

@testable import AccessModel

@Suite struct `What became different on the way` {
  private static func node(_ path: String, _ type: FileType, _ target: String? = nil) -> Node {
    var node = Node(path: path, type: type, mode: 0o755, uid: 0, gid: 0)
    node.target = target
    return node
  }

  /// Returns facts about a path, with the given nodes on the way to it and to the lock directory.
  private static func facts(
    _ path: String, _ nodes: [Node], device: String? = nil, mounts: [String] = []
  ) -> AccessFacts {
    var facts = AccessFacts(
      kind: nil,
      access: AccessCase(
        protectedSymlinks: true, mounts: (["/"] + mounts).map { Mount(at: $0, fstype: "ext4") },
        nodes: [node("/", .directory)] + nodes, subject: Subject(uid: 0, gid: 0),
        request: .open(path: path, flags: [])))
    if let device {
      facts.devices = [
        DeviceFacts(
          node: device, sysfsPath: "/sys/devices/x", subsystem: "tty", kernelName: "ttyUSB0",
          isInitialized: true)
      ]
    }
    return facts
  }

  private static let locks = [
    node("/var", .directory), node("/var/lock", .symbolicLink, "/run/lock"),
    node("/run", .directory), node("/run/lock", .directory),
  ]

  @Test func `is the port that is unplugged, and not the directory of locks`() {
    let folder = Self.node("/dev", .directory)
    let port = Self.node("/dev/ttyUSB0", .characterDevice)
    let before = Self.facts("/dev/ttyUSB0", [folder, port] + Self.locks, device: port.path)
    let after = Self.facts("/dev/ttyUSB0", [folder])
    #expect(
      after.differences(from: before).map(\.text) == [
        "/dev/ttyUSB0 was removed"
      ])
    #expect(before.differences(from: after).map(\.text) == ["/dev/ttyUSB0 was added"])
  }

  @Test func `is what became of the port in question, and then of other devices`() {
    let way = [Self.node("/dev", .directory), Self.node("/dev/ttyUSB0", .characterDevice)]
    let link = Self.node("/link", .symbolicLink, "/dev/ttyUSB0")
    for path in ["/dev/ttyUSB0", "/link"] {
      var before = Self.facts(path, way + [link], device: "/dev/ttyUSB0")
      var after = before
      after.devices[0].currentTags = ["uaccess"]
      for number in 1...2 {
        let other = DeviceFacts(
          node: "/dev/ttyUSB\(number)", sysfsPath: "/sys/devices/\(number)", subsystem: "tty",
          kernelName: "ttyUSB\(number)", isInitialized: true)
        after.devices.append(other)
      }
      before.devices.append(after.devices[1])
      after.devices[1].currentTags = ["seat"]
      after.devices.swapAt(0, 1)
      #expect(
        after.differences(from: before).map(\.text) == [
          "what udev knows of /dev/ttyUSB0 has changed", "/dev/ttyUSB2 was added",
          "what udev knows of /dev/ttyUSB1 has changed",
        ])
    }
  }

  @Test func `is a link that goes, and not what it led to`() {
    let link = Self.node("/link", .symbolicLink, "/srv/file")
    let way = [Self.node("/srv", .directory), Self.node("/srv/file", .regular)]
    let before = Self.facts("/link", [link] + way, mounts: ["/srv"])
    let after = Self.facts("/link", [])
    #expect(after.differences(from: before).map(\.text) == ["/link is gone"])
    #expect(before.differences(from: after).map(\.text) == ["/link appeared"])
    let elsewhere = Self.facts("/link", [Self.node("/link", .symbolicLink, "/etc/file")])
    #expect(elsewhere.differences(from: before).map(\.text) == ["/link leads elsewhere"])
  }

  @Test func `is a mount where its place was on the way before`() {
    let way = [Self.node("/srv", .directory), Self.node("/srv/file", .regular)]
    let before = Self.facts("/srv/file", way)
    let after = Self.facts("/srv/file", way, mounts: ["/srv"])
    #expect(after.differences(from: before).map(\.text) == ["ext4 was mounted at /srv"])
    #expect(before.differences(from: after).map(\.text) == ["/srv is not mounted any more"])
  }
}
