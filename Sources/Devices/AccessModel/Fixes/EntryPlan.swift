/// The ACL entries that give one user the wanted permissions and change nothing for other users.
///
/// A user's entry takes precedence over groups and others, so the new entry includes the
/// permissions that the user had through them. The new entry can widen the mask, so permissions
/// that the mask denied are removed from the other entries.
struct EntryPlan {
  private(set) var entries: [ACLEntry] = []
  /// A Boolean value that indicates whether the entries replace the whole ACL.
  private(set) var replaces = false
  /// The permissions of the user's own entry.
  let permissions: Permissions

  /// Plans the entries; `nil` if no ACL can express them.
  ///
  /// An ACL cannot express them if the mount does not map an ID, or if the current ACL is unknown.
  init?(
    _ node: Node, _ mount: Mount, _ subject: Subject, _ wanted: Permissions,
    _ account: AccountFacts
  ) {
    guard let id = mount.userStored(subject.fsuid), !node.unobserved.contains(.acl),
      Self.isSeen(node, through: mount)
    else { return nil }
    let groups = Set(subject.groups).union([subject.fsgid])
    // A list of names is of no use without the files.
    let wanted = node.type == .directory && wanted.contains(.read) ? wanted.union(.search) : wanted
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
      // The kernel skips an ACL with an empty mask, so named users and groups had the permissions
      // of others.
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
    // setfacl(1) refuses two entries for the same user or group. For a user, only the first entry
    // counts. For a group, each entry counts separately, so merging two of them can give its
    // members a combination that neither entry gave. The fix reports this as a gain.
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

  /// Returns whether setfacl(1) can read and write all entries through the mount.
  private static func isSeen(_ node: Node, through mount: Mount) -> Bool {
    (node.acl ?? []).allSatisfy { entry in
      guard let id = entry.id else { return true }
      return (entry.tag == .user ? mount.userSeen(id) : mount.groupSeen(id)) != nil
    }
  }
}

extension Node {
  /// Returns the permission bits that a user has, each checked separately.
  ///
  /// The sum can exceed what one request is granted, because the kernel does not combine group
  /// entries.
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
