/// The effects of commands on the nodes and mounts of a case.
extension AccessCase {
  /// Returns the index of the mount that contains a canonical path.
  ///
  /// This is the mount with the longest mount point at or above the path, or the last one if
  /// several mounts have the same mount point.
  package func mountIndex(of path: String) -> Int? {
    var best: Int?
    for (index, mount) in mounts.enumerated() {
      guard mount.at == "/" || path.isAtOrBelow(mount.at) else { continue }
      if best.map({ mount.at.utf8.count >= mounts[$0].at.utf8.count }) ?? true { best = index }
    }
    return best
  }

  func mount(of path: String) -> Mount? { mountIndex(of: path).map { mounts[$0] } }

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
  /// - Returns: `true` on success; `false` if the directory exists or the subject may not create
  ///   it.
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
