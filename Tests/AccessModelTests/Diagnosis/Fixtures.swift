import AccessModel

/// Builds facts concisely: a Debian machine with one USB camera, which alice may not use.
///
/// By default, the camera is `/dev/video0`, 0660 root:video, tagged `uaccess`. alice (1000) is only
/// in her own group, and bob (1001) is active on seat0.
struct Fixtures {
  static let alice: UInt32 = 1000
  static let bob: UInt32 = 1001
  static let video: UInt32 = 44

  var facts: AccessFacts

  /// The machine described above.
  static var camera: Fixtures { Fixtures() }

  private init() {
    let access = AccessCase(
      protectedSymlinks: true,
      mounts: [Mount(at: "/", fstype: "ext4"), Mount(at: "/dev", fstype: "devtmpfs")],
      nodes: [
        Node(path: "/", type: .directory, mode: 0o755, uid: 0, gid: 0),
        Node(path: "/dev", type: .directory, mode: 0o755, uid: 0, gid: 0),
      ],
      subject: Subject(uid: Self.alice, gid: Self.alice, groups: [Self.alice]),
      request: .open(path: "/dev/video0", flags: [.readWrite, .nonBlocking]))
    facts = AccessFacts(kind: "camera", access: access)
    facts.account = AccountFacts(
      user: "alice", home: "/home/alice", loginGroups: [Self.alice])
    facts.account.userNames = [0: "root", Self.alice: "alice", Self.bob: "bob"]
    facts.account.groupNames = [
      0: "root", Self.alice: "alice", Self.video: "video", 29: "audio", 20: "dialout",
    ]
    var session = SessionFacts(isLogindRunning: true)
    session.activeUsers = ["seat0": Self.bob]
    facts.session = session
    facts.confinement.securityModules = ["capability", "yama"]
    facts.confinement.seccompMode = 0
    addCamera(0)
  }

  // MARK: - Devices

  func with(_ change: (inout Fixtures) -> Void) -> Fixtures {
    var copy = self
    change(&copy)
    return copy
  }

  mutating func addCamera(_ number: Int, name: String = "Webcam") {
    let path = "/dev/video\(number)"
    var node = Node(path: path, type: .characterDevice, mode: 0o660, uid: 0, gid: Self.video)
    node.rdev = DeviceNumber(major: 81, minor: UInt32(number))
    facts.access.nodes.append(node)
    var device = DeviceFacts(
      node: path, sysfsPath: "/sys/devices/pci/usb1/1-5/video4linux/video\(number)",
      subsystem: "video4linux", kernelName: "video\(number)")
    device.name = name
    device.driver = "uvcvideo"
    device.bus = "usb"
    device.index = 0
    device.number = node.rdev
    device.properties = [
      "ID_V4L_CAPABILITIES": ":capture:", "ID_VENDOR_ID": "046d", "ID_MODEL_ID": "0825",
    ]
    device.tags = ["seat", "uaccess"]
    device.currentTags = ["seat", "uaccess"]
    device.classify()
    facts.devices.append(device)
  }

  mutating func node(_ path: String = "/dev/video0", _ change: (inout Node) -> Void) {
    for index in facts.access.nodes.indices where facts.access.nodes[index].path == path {
      change(&facts.access.nodes[index])
    }
  }

  mutating func device(_ number: Int = 0, _ change: (inout DeviceFacts) -> Void) {
    for index in facts.devices.indices where facts.devices[index].kernelName == "video\(number)" {
      change(&facts.devices[index])
      facts.devices[index].classify()
    }
  }

  mutating func untag() {
    device {
      $0.currentTags = ["seat"]
      $0.tags = ["seat"]
    }
  }

  mutating func removeDevices() {
    facts.devices = []
    facts.access.nodes.removeAll { $0.type.isDevice }
  }

  /// Asks for a node other than the camera by its path.
  mutating func ask(
    _ path: String, _ type: FileType = .characterDevice, mode: UInt16 = 0o660, uid: UInt32 = 0,
    gid: UInt32 = 0, wanted: Permissions = [.read, .write]
  ) {
    facts.kind = nil
    add(path, type, mode: mode, uid: uid, gid: gid)
    facts.access.request = Question(.path(path), wanted: wanted).request(for: path, type: type)
  }

  /// Adds a node and its parents.
  mutating func add(
    _ path: String, _ type: FileType, mode: UInt16 = 0o755, uid: UInt32 = 0, gid: UInt32 = 0
  ) {
    var parent = ""
    for name in path.split(separator: "/").dropLast() {
      parent += "/\(name)"
      if !facts.access.nodes.contains(where: { $0.path == parent }) {
        facts.access.nodes.append(
          Node(path: parent, type: .directory, mode: 0o755, uid: 0, gid: 0))
      }
    }
    facts.access.nodes.removeAll { $0.path == path }
    var node = Node(path: path, type: type, mode: mode, uid: uid, gid: gid)
    if type.isDevice { node.rdev = DeviceNumber(major: 250, minor: 0) }
    facts.access.nodes.append(node)
  }

  // MARK: - The subject and its environment

  mutating func join(_ group: UInt32) {
    facts.access.subject.groups.append(group)
    facts.account.loginGroups?.append(group)
  }

  /// Sets a list with the usual entries; the group bits of the mode become its mask.
  mutating func list(
    _ named: [ACLEntry], group: Permissions = [.read, .write],
    mask: Permissions = [.read, .write], path: String = "/dev/video0"
  ) {
    node(path) {
      $0.acl =
        [ACLEntry(.user, nil, [.read, .write])] + named.filter { $0.tag == .user }
        + [ACLEntry(.group, nil, group)] + named.filter { $0.tag == .group }
        + [ACLEntry(.mask, nil, mask), ACLEntry(.other, nil, [])]
      $0.mode = 0o600 | UInt16(mask.rawValue) << 3
    }
  }

  mutating func session(
    _ id: String?, seat: String? = "seat0", isActive: Bool = false, isRemote: Bool = false,
    active: UInt32? = Fixtures.bob
  ) {
    var session = SessionFacts(
      isLogindRunning: true, id: id, seat: seat, isActive: isActive, isRemote: isRemote)
    if let active { session.activeUsers = ["seat0": active] }
    if let seat { session.userSeats = [seat] }
    facts.session = session
  }

  mutating func check(_ mode: Permissions, _ errno: Errno, path: String? = nil) {
    facts.kernelChecks.append(
      KernelCheck(path: path ?? facts.access.request.path, mode: mode, errno: errno))
  }

  /// Adds the result of an attempt to use the object.
  mutating func `try`(_ operation: Attempt.Operation, _ errno: Errno) {
    facts.attempts.append(
      Attempt(path: facts.access.request.path, operation: operation, errno: errno))
  }

  /// Replaces the camera by one on the bus that has no node, and adds the module that drives it.
  mutating func lackDriver(_ module: HardwareFacts.Module) {
    removeDevices()
    var hardware = HardwareFacts()
    hardware.unbound = [
      HardwareFacts.Unbound(
        sysfsPath: "/sys/bus/usb/devices/1-5:1.0", name: "Webcam", module: "uvcvideo")
    ]
    hardware.modules = [module]
    facts.hardware = hardware
  }

  /// Returns alice's pictures directory, and the question for it.
  static func album(mode: UInt16 = 0o755, uid: UInt32 = alice, gid: UInt32 = alice) -> Fixtures {
    var fixture = camera
    fixture.removeDevices()
    fixture.facts.kind = "album"
    let path = "/home/alice/Pictures"
    fixture.facts.album = AlbumFacts(path: path, source: .default)
    fixture.add("/home/alice", .directory, mode: 0o755, uid: alice, gid: alice)
    fixture.add(path, .directory, mode: mode, uid: uid, gid: gid)
    fixture.facts.access.request = Question(.kind(.album)).request(for: path, type: .directory)
    return fixture
  }

  func explain() -> Explanation { facts.explain() }
}
