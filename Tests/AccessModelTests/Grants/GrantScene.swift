import AccessModel

/// A device node with a random access control list, and the users who request access.
struct GrantScene {
  static let path = "/d"
  static let users: [UInt32] = [1000, 1001, 1002, 1003]
  private static let groups: [UInt32] = [5, 6, 7]

  var generator: SeededGenerator
  private(set) var node: Node
  private var memberships: [UInt32: [UInt32]] = [:]

  init(seed: UInt64) {
    generator = SeededGenerator(seed: seed)
    node = Node(path: Self.path, type: .characterDevice, mode: 0, uid: 0, gid: 5)
    node.rdev = DeviceNumber(major: 81, minor: 0)
    node.uid = generator.pick([0, 0, 1000])
    take(randomList())
    for user in Self.users {
      memberships[user] = Self.groups.filter { _ in generator.isOneIn(3) }
    }
  }

  var list: AccessList { AccessList(of: node)! }

  /// Sets the list of the node, as the kernel does.
  mutating func take(_ list: AccessList) {
    let bits = { (tag: ACLEntry.Tag) in
      UInt16(list.entries.first { $0.tag == tag && $0.id == nil }?.permissions.rawValue ?? 0)
    }
    let group = list.mask.map { UInt16($0.rawValue) } ?? bits(.group)
    node.mode = bits(.user) << 6 | group << 3 | bits(.other)
    node.acl = list.isExtended ? list.entries : nil
  }

  /// Returns the result of each access for each user, and for an unnamed user with the groups of
  /// the first user.
  func answers(besides users: [UInt32] = []) -> [String] {
    (Self.users + [4000]).filter { !users.contains($0) }.flatMap { user in
      [Permissions.read, .write, [.read, .write]].map { wanted in
        "\(user) \(wanted) \(grants(wanted, to: user))"
      }
    }
  }

  func grants(_ wanted: Permissions, to user: UInt32) -> Bool {
    let groups = memberships[user] ?? memberships[1000] ?? []
    var root = Node(path: "/", type: .directory, mode: 0o755, uid: 0, gid: 0)
    root.acl = nil
    return AccessCase(
      protectedSymlinks: true, mounts: [Mount(at: "/", fstype: "tmpfs")], nodes: [root, node],
      subject: Subject(uid: user, gid: 4000, groups: groups),
      request: .open(path: Self.path, flags: wanted.openFlags)
    ).verdict().isGranted
  }

  /// Returns the bits that a list grants to a user without the grant.
  func kept(by user: UInt32, of list: AccessList) -> Permissions {
    var other = self
    other.take(list)
    return [Permissions.read, .write].reduce(into: []) { kept, bit in
      if other.grants(bit, to: user) { kept.formUnion(bit) }
    }
  }

  mutating func grant(_ number: Int, to user: UInt32, over state: InodeGrants) -> AccessGrant {
    AccessGrant(
      id: String(number), user: user, userName: nil,
      permissions: generator.pick([.read, .write, [.read, .write]]),
      kept: kept(by: user, of: state.list(withoutUser: user)), giver: 0, start: 0, end: nil,
      deadline: nil, boot: "")
  }

  private mutating func permissions() -> Permissions {
    Permissions(rawValue: UInt8.random(in: 0...7, using: &generator))
  }

  mutating func randomList() -> AccessList {
    var entries = [ACLEntry(.user, nil, permissions())]
    let isExtended = !generator.isOneIn(4)
    if isExtended {
      for _ in 0..<Int.random(in: 0...3, using: &generator) {
        entries.append(ACLEntry(.user, generator.pick(Self.users), permissions()))
      }
    }
    entries.append(ACLEntry(.group, nil, permissions()))
    if isExtended {
      for _ in 0..<Int.random(in: 0...2, using: &generator) {
        entries.append(ACLEntry(.group, generator.pick(Self.groups), permissions()))
      }
      entries.append(ACLEntry(.mask, nil, permissions()))
    }
    entries.append(ACLEntry(.other, nil, permissions()))
    return AccessList(entries)!
  }
}

extension GrantedObject {
  /// Adds a grant to a list.
  mutating func give(_ grant: AccessGrant, on list: AccessList) {
    let state = InodeGrants(list, records: [self])
    add(grant)
    prepare(state.list(adding: grant), from: state)
    confirm()
  }

  /// Removes grants from a list.
  mutating func end(_ ids: Set<String>, on list: AccessList) {
    let state = InodeGrants(list, records: [self])
    prepare(state.list(without: ids), from: state)
    remove(ids)
    confirm()
  }

  /// Adds all grants again to a list that a udev event has reset.
  mutating func renew(on list: AccessList) {
    let state = InodeGrants(list, records: [self], isFresh: true)
    prepare(state.list(renewing: Set(grants.map(\.id))), from: state)
    confirm()
  }
}
