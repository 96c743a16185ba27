import AccessModel
import Testing

/// The paths at which a subject finds devices whose nodes were renamed.
@Suite struct `Places of devices` {
  private let devices = Fixtures.camera.with { $0.addCamera(1) }.facts.devices

  /// Returns the devices, given paths and the minor numbers of the nodes there.
  private func placed(_ minors: [String: UInt32]) -> [DeviceFacts] {
    var ends: [String: Node] = [:]
    for (path, minor) in minors {
      var node = Node(path: path, type: .characterDevice, mode: 0o666, uid: 0, gid: 0)
      node.rdev = DeviceNumber(major: 81, minor: minor)
      ends[path] = node
    }
    return devices.placed(at: ends)
  }

  @Test(
    arguments: [
      // Nodes as udev created them, or missing.
      (["/dev/video0": 0, "/dev/video1": 1], ["/dev/video0", "/dev/video1"]),
      (["/dev/video0": 0], ["/dev/video0", "/dev/video1"]),
      ([:], ["/dev/video0", "/dev/video1"]),
      // Swapped names, a name taken by another device, two names for one device, and a new name.
      (["/dev/video0": 1, "/dev/video1": 0], ["/dev/video1", "/dev/video0"]),
      (["/dev/video0": 1], [nil, "/dev/video0"]),
      (["/dev/video0": 1, "/dev/video1": 1], [nil, "/dev/video1"]),
      (["/dev/cam": 1], ["/dev/video0", "/dev/cam"]),
      // A node left over from before a replug.
      (["/dev/video0": 7, "/dev/video1": 1], ["/dev/video0", "/dev/video1"]),
    ] as [([String: UInt32], [String?])])
  func `a device is where its number is`(minors: [String: UInt32], expected: [String?]) {
    let placed = placed(minors)
    #expect(placed.map(\.node) == expected)
    for (device, before) in zip(placed, devices) {
      #expect(device.systemNode == (device.node == before.node ? nil : before.node))
      #expect(device.number == before.number)
    }
  }

  @Test func `a block device of the same number is another device`() {
    var node = Node(path: "/dev/video0", type: .blockDevice, mode: 0o666, uid: 0, gid: 0)
    node.rdev = DeviceNumber(major: 81, minor: 0)
    #expect(devices.placed(at: ["/dev/video0": node]).map(\.node) == devices.map(\.node))
  }

  @Test(arguments: ["devtmpfs", "tmpfs"])
  func `a command outside a sandbox is not about another device`(fstype: String) {
    let explanation = Fixtures.camera.with {
      $0.node {
        $0.rdev = DeviceNumber(major: 81, minor: 1)
        $0.mode = 0o600
      }
      $0.facts.access.mounts.append(Mount(at: "/dev/video0", fstype: fstype))
      $0.facts.devices = placed(["/dev/video0": 1])
      $0.contain("bubblewrap")
    }.explain()
    #expect(explanation.answer == .refused)
    let commands = explanation.remedies.flatMap(\.commands)
    #expect(!commands.contains { $0.contains("/dev/video0") })
    #expect(commands.contains { $0.contains("/dev/video1") } == (fstype == "devtmpfs"))
  }

  @Test func `a device has its own users, whatever its name`() {
    var facts = UseFacts()
    facts.devices = ["/dev/video0", "/dev/video1"].map { DeviceUse(node: $0) }
    let placed = placed(["/dev/video0": 1])
    #expect(facts.use(of: placed[1])?.node == "/dev/video1")
    let explanation = Fixtures.camera.with {
      $0.node { $0.rdev = DeviceNumber(major: 81, minor: 1) }
      $0.facts.devices = placed
      $0.facts.use = facts
      $0.facts.origin = SubjectOrigin(.process, name: "tool", pid: 7)
    }
    #expect(explanation.explain().use?.node == "/dev/video1")
    #expect(explanation.facts.targetsOfUse == [.kind(.camera)])
    let asked = explanation.with { $0.facts.kind = nil }
    #expect(asked.facts.targetsOfUse == [.path("/dev/video1")])
  }
}
