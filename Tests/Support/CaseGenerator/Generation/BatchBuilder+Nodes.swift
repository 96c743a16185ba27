internal import AccessModel

extension BatchBuilder {
  static let names = ["a", "b", "c", "d", "video0", "x y", "é", "...", "sub2"]

  mutating func makeNodes(protectedSymlinks: Bool) {
    nodes = [makeDirectory(at: "/")]
    for mount in mounts.dropFirst() {
      for path in Self.parents(of: mount.at) + [mount.at] { addDirectory(path) }
    }
    for _ in 0..<random.number(1...7) {
      let parent = pickDirectory(deepest: 5)
      addDirectory(Self.join(parent, random.pick(Self.names)))
    }
    for _ in 0..<random.number(4...12) {
      let path = Self.join(pickDirectory(deepest: 6), random.pick(Self.names))
      if !exists(path) { nodes.append(makeObject(at: path)) }
    }
    if random.chance(30) { addSharedDirectory() }
    for _ in 0..<random.number(1...6) {
      let path = Self.join(pickLinkDirectory(protectedSymlinks), "l\(random.below(6))")
      if !exists(path) { addLink(path, target: makeTarget(from: path)) }
    }
    if random.chance(10) { addChain(protectedSymlinks) }
  }

  // Paths

  static func join(_ directory: String, _ name: String) -> String {
    directory == "/" ? "/" + name : directory + "/" + name
  }

  static func directory(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/"), slash != path.startIndex else { return "/" }
    return String(path[..<slash])
  }

  static func parents(of path: String) -> [String] {
    var result: [String] = []
    var parent = directory(of: path)
    while parent != "/" {
      result.insert(parent, at: 0)
      parent = directory(of: parent)
    }
    return result
  }

  func exists(_ path: String) -> Bool { nodes.contains { $0.path == path } }

  private mutating func pickDirectory(deepest: Int) -> String {
    let candidates = nodes.filter {
      $0.type == .directory && ($0.path == "/" ? 0 : $0.path.split(separator: "/").count) < deepest
    }
    // Prefer directories below the second mount half of the time, because its flags apply only
    // there.
    let below = candidates.filter { mountIndex(of: $0.path) > 0 }
    return random.pick(!below.isEmpty && random.chance(50) ? below : candidates).path
  }

  /// Picks a directory for a link, preferably a sticky one, where links are restricted.
  private mutating func pickLinkDirectory(_ protectedSymlinks: Bool) -> String {
    let sticky = nodes.filter { $0.type == .directory && $0.mode & 0o1002 == 0o1002 }
    if protectedSymlinks, !sticky.isEmpty, random.chance(60) { return random.pick(sticky).path }
    return pickDirectory(deepest: 6)
  }

  // Objects

  private mutating func addDirectory(_ path: String) {
    if !exists(path) { nodes.append(makeDirectory(at: path)) }
  }

  /// Adds a directory like /tmp with files and FIFOs that any user can open.
  ///
  /// The kernel restricts opening such files with O_CREAT.
  private mutating func addSharedDirectory() {
    let path = Self.join(pickDirectory(deepest: 4), "shared")
    guard !exists(path) else { return }
    nodes.append(makeNode(path, .directory, mode: random.pick([0o1777, 0o1777, 0o1775, 0o1733])))
    for (name, type) in [("p", FileType.fifo), ("q", .fifo), ("f", .regular)] {
      let mode: UInt16 = random.pick([0o666, 0o666, 0o606, 0o662])
      nodes.append(makeNode(Self.join(path, name), type, mode: mode))
    }
  }

  private mutating func makeDirectory(at path: String) -> Node {
    // Every path goes through the root directory, so most users can usually search it.
    let isOpen = path == "/" && random.chance(80)
    var node = makeNode(path, .directory, mode: isOpen ? 0o755 : makeDirectoryMode())
    if random.chance(path == "/" ? 5 : 15) { giveList(to: &node) }
    giveFlags(to: &node)
    return node
  }

  private mutating func makeObject(at path: String) -> Node {
    let type: FileType = random.pick([
      (45, .characterDevice), (10, .blockDevice), (28, .regular), (10, .fifo), (7, .socket),
    ])
    var node = makeNode(path, type, mode: makeMode())
    if type == .characterDevice {
      // Devices with a driver: null, zero, full and urandom. Without a driver: an unused minor
      // number of the memory devices, and 0:0, which device cgroups do not check.
      node.rdev = random.pick([
        (30, DeviceNumber(major: 1, minor: 3)), (20, DeviceNumber(major: 1, minor: 5)),
        (15, DeviceNumber(major: 1, minor: 7)), (10, DeviceNumber(major: 1, minor: 9)),
        (20, DeviceNumber(major: 1, minor: 200)), (5, DeviceNumber(major: 0, minor: 0)),
      ])
    } else if type == .blockDevice {
      node.rdev = DeviceNumber(major: 259, minor: UInt32(random.pick([1_048_570, 1_048_571])))
    }
    if random.chance(40) { giveList(to: &node) }
    giveFlags(to: &node)
    return node
  }

  private mutating func makeNode(_ path: String, _ type: FileType, mode: UInt16) -> Node {
    let (users, groups) = owners(on: mounts[mountIndex(of: path)])
    return Node(
      path: path, type: type, mode: mode, uid: random.pick(users), gid: random.pick(groups))
  }

  private mutating func makeDirectoryMode() -> UInt16 {
    switch random.below(20) {
    case 0..<12: 0o755
    case 12..<14: random.pick([0o1777, 0o1777, 0o1757, 0o1775, 0o1773, 0o3777, 0o1775, 0o1770])
    case 14: 0o777
    case 15: random.pick([0o711, 0o701, 0o510, 0o500, 0o050, 0o005, 0o001, 0o010, 0o100])
    case 16: random.pick([0o644, 0o600, 0o666, 0o000])
    default: UInt16(random.below(0o1000)) | (random.chance(15) ? 0o1000 : 0)
    }
  }

  private mutating func makeMode() -> UInt16 {
    let special: UInt16 = random.chance(12) ? UInt16(random.below(8)) << 9 : 0
    if random.chance(45) { return special | UInt16(random.below(0o1000)) }
    return special
      | random.pick([
        0o000, 0o600, 0o640, 0o644, 0o660, 0o664, 0o666, 0o620, 0o400, 0o200, 0o040, 0o020, 0o004,
        0o002, 0o060, 0o006, 0o066, 0o606, 0o777, 0o111, 0o100, 0o010, 0o001, 0o070, 0o707,
      ])
  }

  /// Sets inode flags, which tmpfs supports only for files and directories.
  private mutating func giveFlags(to node: inout Node) {
    guard options.inodeFlags, node.type == .regular || node.type == .directory else { return }
    if random.chance(5) { node.flags.insert(.immutable) }
    if random.chance(node.type == .regular ? 12 : 4) { node.flags.insert(.append) }
  }

  // Lists

  /// Sets an ACL that the kernel accepts and cannot represent as a mode, and updates the mode from
  /// it.
  private mutating func giveList(to node: inout Node) {
    let (users, groups) = owners(on: mounts[mountIndex(of: node.path)])
    let isDirectory = node.type == .directory
    let most = random.chance(4) ? 40 : 4
    var list = [ACLEntry(.user, nil, makePermissions(isDirectory))]
    for _ in 0..<random.number(0...most) {
      list.append(ACLEntry(.user, random.pick(users), makePermissions(isDirectory)))
    }
    list.append(ACLEntry(.group, nil, makePermissions(isDirectory)))
    for _ in 0..<random.number(0...most) {
      list.append(ACLEntry(.group, random.pick(groups), makePermissions(isDirectory)))
    }
    let mask = random.chance(20) ? [] : random.chance(50) ? .all : makePermissions(false)
    list.append(ACLEntry(.mask, nil, mask))
    list.append(ACLEntry(.other, nil, makePermissions(isDirectory)))
    node.acl = list
    let owner = UInt16(list[0].permissions.rawValue)
    let other = UInt16(list[list.count - 1].permissions.rawValue)
    node.mode = node.mode & 0o7000 | owner << 6 | UInt16(mask.rawValue) << 3 | other
  }

  private mutating func makePermissions(_ isDirectory: Bool) -> Permissions {
    if isDirectory && random.chance(50) { return [.read, .search] }
    return Permissions(rawValue: UInt8(random.below(8)))
  }
}

extension Permissions {
  /// Read, write and execute permission.
  static let all: Permissions = [.read, .write, .execute]
}
