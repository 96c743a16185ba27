/// The entries that give one user what is wanted, and leave everybody else what they had.
///
/// The user keeps what they had through groups and others, because an entry for a user beats
/// both. What the mask cut off the other entries is cut off the entries themselves, so that the
/// wider mask gives nothing back.
struct EntryPlan {
  private(set) var entries: [ACLEntry] = []
  /// Whether the entries are the whole list.
  private(set) var replaces = false
  /// What the user's own entry holds.
  let permissions: Permissions

  /// `nil` when no list can say it: an identifier that the filesystem or the mount cannot hold.
  init?(
    _ node: Node, _ mount: Mount, _ subject: Subject, _ wanted: Permissions,
    _ account: AccountFacts
  ) {
    guard let id = mount.userStored(subject.fsuid), !node.unobserved.contains(.acl),
      Self.isSeen(node, through: mount)
    else { return nil }
    let groups = Set(subject.groups).union([subject.fsgid])
    permissions =
      wanted
      .union(node.permissions(ofUser: subject.fsuid, groups: groups, mount))
      .union(
        account.loginGroups.map {
          node.permissions(ofUser: subject.fsuid, groups: Set($0), mount)
        } ?? [])
    let own = ACLEntry(.user, id, permissions)
    guard let list = node.acl else {
      entries = [own]
      return
    }
    if node.skipsList {
      // The kernel skips a list whose mask is empty: named users and groups got what others get.
      let mode = { (shift: UInt16) in Permissions(rawValue: UInt8((node.mode >> shift) & 7)) }
      replaces = true
      entries = [
        ACLEntry(.user, nil, mode(6)), own, ACLEntry(.group, nil, []),
        ACLEntry(.other, nil, mode(0)),
      ]
      return
    }
    let cut = list.compactMap { entry -> ACLEntry? in
      guard entry.tag == .group || (entry.tag == .user && entry.id != nil),
        entry.id != id
          || entry.tag == .group
      else { return nil }
      var entry = entry
      entry.permissions.formIntersection(node.aclMask)
      return entry
    }
    if node.hasWellFormedList {
      let changed = cut.filter { entry in
        !list.contains(entry)
      }
      entries = [own] + changed
      return
    }
    // setfacl(1) refuses a list with two entries for one user or group. Of a user's the first
    // counts; a group has each of its own, but not what two of them hold together: where none
    // holds both, its members gain that, which the fix says.
    var kept: [ACLEntry] = []
    for entry in cut {
      if let first = kept.firstIndex(where: { $0.tag == entry.tag && $0.id == entry.id }) {
        if entry.tag == .group { kept[first].permissions.formUnion(entry.permissions) }
      } else {
        kept.append(entry)
      }
    }
    replaces = true
    entries =
      list.filter { $0.tag == .user && $0.id == nil } + [own] + kept
      + list.filter { $0.tag == .other }
  }

  /// Whether setfacl(1) can read and write every entry through the mount.
  private static func isSeen(_ node: Node, through mount: Mount) -> Bool {
    (node.acl ?? []).allSatisfy { entry in
      guard let id = entry.id else { return true }
      return (entry.tag == .user ? mount.userSeen(id) : mount.groupSeen(id)) != nil
    }
  }
}

extension Node {
  /// Every bit that a user has alone, by the first rule that matches; several are added up.
  func permissions(
    ofUser user: UInt32, groups: Set<UInt32>, _ mount: Mount
  ) -> Permissions {
    [Permissions.read, .write, .execute].reduce(into: []) { result, bit in
      if grants(bit, toUser: user, groups: groups, mount) { result.formUnion(bit) }
    }
  }

  private func grants(
    _ bit: Permissions, toUser user: UInt32, groups: Set<UInt32>, _ mount: Mount
  ) -> Bool {
    let isIn = { (gid: UInt32) in mount.groupSeen(gid).map(groups.contains) ?? false }
    guard let acl, !skipsList else {
      return (isIn(gid) ? owningGroupPermissions : otherBits).isSuperset(of: bit)
    }
    let own = acl.first { $0.tag == .user && $0.id.flatMap(mount.userSeen) == user }
    if let own { return own.permissions.intersection(aclMask).isSuperset(of: bit) }
    let matching = acl.filter { $0.tag == .group && isIn($0.id ?? gid) }
    guard matching.isEmpty else {
      return matching.contains { $0.permissions.intersection(aclMask).isSuperset(of: bit) }
    }
    return otherBits.isSuperset(of: bit)
  }
}
