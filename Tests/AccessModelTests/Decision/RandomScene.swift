import AccessModel

/// A small generator that produces the same numbers for the same seed on every platform
/// (SplitMix64).
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) {
    state = seed
  }

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var value = state
    value = (value ^ (value >> 30)) &* 0xbf58_476d_1ce4_e5b9
    value = (value ^ (value >> 27)) &* 0x94d0_49bb_1331_11eb
    return value ^ (value >> 31)
  }

  mutating func isOneIn(_ count: Int) -> Bool {
    Int.random(in: 0..<count, using: &self) == 0
  }

  mutating func pick<Element>(_ list: [Element]) -> Element {
    list[Int.random(in: 0..<list.count, using: &self)]
  }
}

/// Random cases for edge cases: few IDs, few names and many near misses.
struct RandomScene {
  var generator: SeededGenerator
  static let ids: [UInt32] = [0, 1000, 1000, 5, 6, 7]
  private static let directories = ["/", "/a", "/a/b", "/t"]

  init(seed: UInt64) {
    generator = SeededGenerator(seed: seed)
  }

  mutating func next() -> AccessCase {
    var subject = Subject(
      uid: generator.pick(Self.ids), gid: generator.pick(Self.ids),
      groups: (0..<Int.random(in: 0...3, using: &generator)).map { _ in
        generator.pick(Self.ids)
      })
    subject.ruid = generator.pick(Self.ids)
    subject.rgid = generator.pick(Self.ids)
    for capability in [Capability.overrideFileAccess, .readAndSearch, .actAsFileOwner] {
      if generator.isOneIn(4) { subject.permitted.formUnion([capability]) }
      if generator.isOneIn(6) { subject.effective.formUnion([capability]) }
    }
    if generator.isOneIn(4) { subject.securebits = 4 }
    if generator.isOneIn(4) {
      subject.userNamespace = IDMapping(users: map(), groups: map())
    }
    if generator.isOneIn(6) {
      subject.deviceCgroup = DeviceCgroup(
        defaultBehavior: generator.pick([.allow, .deny]),
        exceptions: [
          DeviceCgroup.Exception(
            isBlock: false, major: generator.pick([nil, 81, 1]), minor: nil,
            read: generator.isOneIn(2), write: generator.isOneIn(2), makeNode: false)
        ])
    }
    var nodes = Self.directories.map { path in
      Node(
        path: path, type: .directory,
        mode: generator.pick([0o755, 0o755, 0o711, 0o750, 0o700, 0o1777, 0o644, 0o607]),
        uid: generator.pick(Self.ids), gid: generator.pick(Self.ids))
    }
    for path in ["/a/f", "/a/b/c", "/t/d", "/f"] where !generator.isOneIn(6) {
      nodes.append(object(path))
    }
    for path in ["/t/l", "/a/l", "/l"] where !generator.isOneIn(4) {
      var link = Node(
        path: path, type: .symbolicLink, mode: 0o777, uid: generator.pick(Self.ids), gid: 0)
      link.target = generator.pick(["f", "/a/f", "../a/b/c", "/t/l", "/a", "b/", "d", "."])
      nodes.append(link)
    }
    for index in nodes.indices where generator.isOneIn(3) { nodes[index].acl = list() }
    var value = AccessCase(
      protectedSymlinks: !generator.isOneIn(3), mounts: [mount("/")], nodes: nodes,
      subject: subject, request: request())
    if generator.isOneIn(2) { value.mounts.append(mount(generator.pick(["/a", "/t", "/a/f"]))) }
    return value
  }

  private mutating func map() -> IDMap {
    IDMap(
      [0, 5, 1000].filter { _ in !generator.isOneIn(3) }.map {
        IDMap.Range(inside: $0, outside: $0, length: generator.pick([1, 2, 3]))
      })
  }

  private mutating func mount(_ at: String) -> Mount {
    var mount = Mount(at: at, fstype: "tmpfs")
    mount.superblockReadOnly = generator.isOneIn(10)
    mount.superblockNodev = generator.isOneIn(10)
    mount.readOnly = generator.isOneIn(8)
    mount.nodev = generator.isOneIn(8)
    mount.noexec = generator.isOneIn(8)
    mount.nosymfollow = generator.isOneIn(10)
    if generator.isOneIn(6) { mount.idmap = IDMapping(users: map(), groups: map()) }
    return mount
  }

  private mutating func object(_ path: String) -> Node {
    var node = Node(
      path: path,
      type: generator.pick([.regular, .regular, .characterDevice, .characterDevice, .fifo]),
      mode: UInt16.random(in: 0...0o777, using: &generator), uid: generator.pick(Self.ids),
      gid: generator.pick(Self.ids))
    if node.type.isDevice { node.rdev = DeviceNumber(major: 81, minor: 0) }
    if generator.isOneIn(10) { node.flags.insert(.immutable) }
    if generator.isOneIn(10) { node.flags.insert(.append) }
    return node
  }

  private mutating func permissions() -> Permissions {
    Permissions(rawValue: generator.pick([7, 6, 5, 4, 2, 0, 7]))
  }

  private mutating func list() -> [ACLEntry] {
    var list = [ACLEntry(.user, nil, permissions())]
    for _ in 0..<Int.random(in: 0...2, using: &generator) {
      list.append(ACLEntry(.user, generator.pick(Self.ids), permissions()))
    }
    list.append(ACLEntry(.group, nil, permissions()))
    for _ in 0..<Int.random(in: 0...2, using: &generator) {
      list.append(ACLEntry(.group, generator.pick(Self.ids), permissions()))
    }
    list.append(ACLEntry(.mask, nil, permissions()))
    list.append(ACLEntry(.other, nil, permissions()))
    return list
  }

  private mutating func request() -> Request {
    let path = generator.pick([
      "/a/f", "/a/f", "/a/b/c", "/t/d", "/f", "/t/l", "/a/l", "/l", "/l/", "/a/b/../f", "/a/l/f",
      "/a/", "/a/b/.", "/a/f/x", "/gone/x",
    ])
    if generator.isOneIn(3) {
      return .access(
        path: path, mode: permissions(), effective: generator.isOneIn(2),
        noFollow: generator.isOneIn(4))
    }
    var flags: Set<OpenFlag> = [
      generator.pick([
        .readOnly, .readOnly, .writeOnly, .readWrite, .readWrite, .accessMode3, .path,
      ])
    ]
    for flag in [OpenFlag.truncate, .append, .directory, .noFollow, .noAccessTime]
    where generator.isOneIn(6) {
      flags.insert(flag)
    }
    return .open(path: path, flags: flags)
  }
}

extension AccessCase {
  /// The case with every mode consistent with its list, as in the kernel: the group bits are the
  /// mask.
  var withConsistentModes: AccessCase {
    var result = self
    for index in nodes.indices {
      guard let acl = nodes[index].acl,
        let mask = acl.first(where: { $0.tag == .mask }),
        let other = acl.first(where: { $0.tag == .other }),
        let owner = acl.first(where: { $0.tag == .user && $0.id == nil })
      else { continue }
      result.nodes[index].mode =
        nodes[index].mode & 0o7000 | UInt16(owner.permissions.rawValue) << 6
        | UInt16(mask.permissions.rawValue) << 3 | UInt16(other.permissions.rawValue)
    }
    return result
  }
}
