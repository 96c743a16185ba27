/// The effects of commands on the nodes and mounts of a case.
extension AccessCase {
  /// Returns whether root could change the mode, owner or ACL of a node.
  func canChange(_ node: Node) -> Bool {
    guard let mount = mount(of: node.path), node.type != .symbolicLink else { return false }
    return node.flags.isEmpty && !node.unobserved.contains(.status)
      && !mount.readOnly && !mount.superblockReadOnly && !mount.unobserved.contains(.flags)
      && mount.userSeen(node.uid) != nil && mount.groupSeen(node.gid) != nil
  }

  /// Changes a node.
  ///
  /// - Returns: `true` on success; `false` if the kernel would refuse the change even for root.
  mutating func changeNode(at path: String, _ change: (inout Node) -> Bool) -> Bool {
    guard let index = nodes.firstIndex(where: { $0.path.isSame(as: path) }), canChange(nodes[index])
    else {
      return false
    }
    return change(&nodes[index])
  }

  /// Returns whether every ID in the ACL of a node is mapped by the node's mount.
  ///
  /// `setfacl` writes the whole list again. The kernel refuses an ID that appeared as -1.
  func showsIDsOfList(at path: String) -> Bool {
    guard let mount = mount(of: path),
      let list = nodes.first(where: { $0.path.isSame(as: path) })?.acl
    else { return true }
    return list.allSatisfy { entry in
      guard let id = entry.id else { return true }
      return (entry.tag == .user ? mount.userSeen(id) : mount.groupSeen(id)) != nil
    }
  }

  /// Changes the flags of a file or directory.
  ///
  /// Other nodes cannot have flags, because `chattr` opens its target, and device drivers do not
  /// support the request.
  ///
  /// - Returns: `true` on success; `false` if the flags cannot be changed.
  mutating func changeFlags(at path: String, _ change: (inout Set<Node.Flag>) -> Void) -> Bool {
    guard let index = nodes.firstIndex(where: { $0.path.isSame(as: path) }),
      let mount = mount(of: path), !mount.readOnly, !mount.superblockReadOnly,
      [.regular, .directory].contains(nodes[index].type)
    else { return false }
    change(&nodes[index].flags)
    return true
  }

  /// Remounts the filesystem at a mount point.
  ///
  /// - Returns: `true` on success; `false` if the remount would change nothing.
  mutating func remount(_ place: String, _ option: FactsChange.MountOption) -> Bool {
    guard let index = mounts.lastIndex(where: { $0.at.isSame(as: place) }),
      !mounts[index].unobserved.contains(.flags)
    else { return false }
    let before = mounts[index]
    switch option {
    case .readWrite, .filesystemReadWrite:
      mounts[index].readOnly = false
      if option == .filesystemReadWrite { mounts[index].superblockReadOnly = false }
    case .readOnly, .filesystemReadOnly:
      mounts[index].readOnly = true
      if option == .filesystemReadOnly { mounts[index].superblockReadOnly = true }
    case .devices: mounts[index].nodev = false
    case .programs: mounts[index].noexec = false
    case .symbolicLinks: mounts[index].nosymfollow = false
    }
    return mounts[index] != before
  }

  /// Creates a directory and its missing parents as the subject.
  ///
  /// - Returns: `true` on success; `false` if the directory exists or the subject cannot create it.
  mutating func makeDirectory(_ path: String) -> Bool {
    guard CaseLimits.problem(ofCanonical: path) == nil else { return false }
    var missing: [String] = []
    var place = path
    while place != "/", !nodes.contains(where: { $0.path.isSame(as: place) }) {
      missing.insert(place, at: 0)
      place =
        place.utf8.lastIndex(of: UInt8(ascii: "/")).map {
          $0 == place.startIndex ? "/" : String(place[..<$0])
        }
        ?? "/"
    }
    guard !missing.isEmpty else { return false }
    for directory in missing {
      let parent =
        directory.utf8.lastIndex(of: UInt8(ascii: "/")).map {
          $0 == directory.startIndex ? "/" : String(directory[..<$0])
        } ?? "/"
      var attempt = self
      attempt.request = .access(
        path: parent, mode: [.write, .search], effective: true, noFollow: false)
      guard attempt.verdict().isGranted, let mount = mount(of: directory),
        let user = mount.userStored(subject.fsuid), let group = mount.groupStored(subject.fsgid)
      else { return false }
      nodes.append(Node(path: directory, type: .directory, mode: 0o755, uid: user, gid: group))
    }
    return true
  }
}

extension AccessFacts {
  /// Excludes a path from the read-only settings of the service.
  ///
  /// - Returns: `true` on success; `false` if the settings do not make the path read-only, or if
  ///   they name the path itself, which then stays read-only.
  mutating func spare(_ path: String) -> Bool {
    let protected = (confinement.service?.knownProtections ?? [])
      .filter { !$0.isReadOnlyOutside }.map(\.at)
    guard !protected.contains(path), var own = access.mount(of: path), protected.contains(own.at)
    else { return false }
    own.at = path
    own.readOnly = false
    for index in access.mounts.indices
    where access.mounts[index].at.isBelow(path)
      && protected.contains(access.mounts[index].at)
    {
      access.mounts[index].readOnly = false
    }
    access.mounts.append(own)
    return true
  }
}

/// The effects of setfacl(1), chmod(1) and logind on the mode and the ACL of a node.
extension Node {
  /// The ACL, or the equivalent of the mode if there is no ACL.
  var listOrMode: [ACLEntry] {
    acl ?? [
      ACLEntry(.user, nil, bits(6)), ACLEntry(.group, nil, bits(3)), ACLEntry(.other, nil, bits(0)),
    ]
  }

  /// A Boolean value that indicates whether setfacl(1) accepts the ACL.
  ///
  /// setfacl(1) refuses two entries for the same user or group.
  var hasWellFormedList: Bool {
    let entries = listOrMode
    return Set(entries.map { Key($0) }).count == entries.count && !unobserved.contains(.acl)
  }

  /// A Boolean value that indicates whether the kernel skips the ACL because the group bits are
  /// empty.
  var skipsList: Bool { mode & 0o070 == 0 }

  /// The users that the ACL names.
  var namedUsers: [UInt32] {
    acl?.compactMap { $0.tag == .user ? $0.id : nil } ?? []
  }

  private func bits(_ shift: UInt16) -> Permissions {
    Permissions(rawValue: UInt8(truncatingIfNeeded: (mode >> shift) & 7))
  }

  private struct Key: Hashable {
    var tag: ACLEntry.Tag
    var id: UInt32?

    init(_ entry: ACLEntry) {
      tag = entry.tag
      id = entry.id
    }
  }

  /// Sets entries as `setfacl -m` does.
  ///
  /// Unless a mask is given, the new mask is the union of all entries that it limits.
  ///
  /// - Returns: `true` on success; `false` if setfacl(1) would refuse the current ACL.
  mutating func setEntries(_ entries: [ACLEntry]) -> Bool {
    guard hasWellFormedList else { return false }
    var list = listOrMode
    for entry in entries {
      if let index = list.firstIndex(where: { $0.tag == entry.tag && $0.id == entry.id }) {
        list[index].permissions = entry.permissions
      } else {
        list.append(entry)
      }
    }
    take(list, maskIsGiven: entries.contains { $0.tag == .mask })
    return true
  }

  /// Replaces the ACL as `setfacl --set` does.
  ///
  /// - Returns: `true` on success; `false` if the current ACL is unknown.
  mutating func replaceList(_ entries: [ACLEntry]) -> Bool {
    guard !unobserved.contains(.acl) else { return false }
    take(entries, maskIsGiven: entries.contains { $0.tag == .mask })
    return true
  }

  /// Sets the mode as chmod(2) does.
  ///
  /// If the node has an ACL, the group bits replace its mask or, without a mask, the entry of the
  /// owning group.
  ///
  /// - Returns: `true` on success; `false` if it is unknown whether the node has an ACL.
  mutating func setMode(_ mode: UInt16) -> Bool {
    self.mode = mode & 0o7777
    guard var entries = acl else { return !unobserved.contains(.acl) }
    let hasMask = entries.contains { $0.tag == .mask }
    for index in entries.indices {
      switch (entries[index].tag, entries[index].id) {
      case (.user, nil): entries[index].permissions = bits(6)
      case (.mask, _): entries[index].permissions = bits(3)
      case (.group, nil) where !hasMask: entries[index].permissions = bits(3)
      case (.other, _): entries[index].permissions = bits(0)
      default: break
      }
    }
    acl = entries
    return true
  }

  /// Sets the ACL of a tagged node as logind does.
  ///
  /// The entries of the other users are removed, the active user gets read and write permission,
  /// and the mask is recalculated.
  ///
  /// - Returns: `true` on success; `false` if the current ACL cannot be changed.
  mutating func giveSeatEntry(to user: UInt32?, insteadOf others: [UInt32]) -> Bool {
    guard hasWellFormedList else { return false }
    var list = listOrMode.filter { entry in
      guard entry.tag == .user, let id = entry.id else { return true }
      return !others.contains(id) && id != user
    }
    if let user { list.append(ACLEntry(.user, user, [.read, .write])) }
    take(list, maskIsGiven: false)
    return true
  }

  /// Stores the ACL in the order of libacl, or only as mode bits if they are sufficient.
  private mutating func take(_ entries: [ACLEntry], maskIsGiven: Bool) {
    var list = entries
    let isExtended = list.contains { $0.id != nil }
    if !maskIsGiven {
      if isExtended || list.contains(where: { $0.tag == .mask }) {
        let bounded = list.filter { $0.tag == .group || ($0.tag == .user && $0.id != nil) }
        let union = bounded.reduce(into: Permissions()) { $0.formUnion($1.permissions) }
        list.removeAll { $0.tag == .mask }
        list.append(ACLEntry(.mask, nil, union))
      }
    }
    list.sort { ($0.place, $0.id ?? 0) < ($1.place, $1.id ?? 0) }
    let find = { (tag: ACLEntry.Tag) in
      list.first { $0.tag == tag && $0.id == nil }?.permissions ?? []
    }
    let hasMask = list.contains { $0.tag == .mask }
    let group = hasMask ? find(.mask) : find(.group)
    mode =
      mode & 0o7000 | UInt16(find(.user).rawValue) << 6 | UInt16(group.rawValue) << 3
      | UInt16(find(.other).rawValue)
    acl = hasMask || isExtended ? list : nil
  }
}

extension ACLEntry {
  /// The position of the entry in the order that the kernel requires.
  var place: Int {
    switch (tag, id) {
    case (.user, nil): 0
    case (.user, _): 1
    case (.group, nil): 2
    case (.group, _): 3
    case (.mask, _): 4
    case (.other, _): 5
    }
  }
}
