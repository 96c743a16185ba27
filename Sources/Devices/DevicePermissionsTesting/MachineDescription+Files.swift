public import AccessModel

extension MachineDescription {
  /// Adds a directory and its missing parents.
  public mutating func addDirectory(
    _ path: String, mode: UInt16 = 0o755, owner: String = "root", group: String? = nil
  ) {
    add(.directory, at: path, mode: mode, owner: owner, group: group)
  }

  /// Adds a regular file.
  public mutating func addFile(
    _ path: String, mode: UInt16 = 0o644, owner: String = "root", group: String? = nil
  ) {
    add(.regular, at: path, mode: mode, owner: owner, group: group)
  }

  /// Adds a symbolic link.
  public mutating func addLink(_ path: String, to target: String, owner: String = "root") {
    add(.symbolicLink, at: path, mode: 0o777, owner: owner, group: nil)
    nodes[path]?.target = target
  }

  /// Removes an object and everything below it.
  public mutating func remove(_ path: String) {
    nodes = nodes.filter { $0.key != path && !$0.key.hasPrefix(path + "/") }
  }

  /// Changes the permission bits, as chmod(1) does.
  ///
  /// If the object has an access control list, the group bits set its mask.
  public mutating func setMode(_ mode: UInt16, of path: String) {
    change(path) { node in
      node.mode = mode
      guard let acl = node.acl else { return }
      node.acl = acl.map { entry in
        let shift: UInt16? =
          switch (entry.tag, entry.id) {
          case (.user, nil): 6
          case (.mask, _): 3
          case (.other, _): 0
          default: nil
          }
        guard let shift else { return entry }
        return ACLEntry(
          entry.tag, entry.id, Permissions(rawValue: UInt8(truncatingIfNeeded: mode >> shift & 7)))
      }
    }
  }

  /// Changes the owner and the group, as chown(1) does.
  public mutating func setOwner(_ owner: String, group: String, of path: String) {
    let (uid, gid) = (userID(of: owner), groupID(of: group))
    change(path) { node in
      node.uid = uid
      node.gid = gid
    }
  }

  /// Gives a user permissions with a named entry, as `setfacl -m u:NAME:…` does.
  ///
  /// The mask is extended to include them.
  public mutating func setACL(_ path: String, user: String, _ permissions: Permissions) {
    let id = userID(of: user)
    change(path) { $0.setEntry(.user, id, permissions) }
  }

  /// Gives a group permissions with a named entry, as `setfacl -m g:NAME:…` does.
  ///
  /// The mask is extended to include them.
  public mutating func setACL(_ path: String, group: String, _ permissions: Permissions) {
    let id = groupID(of: group)
    change(path) { $0.setEntry(.group, id, permissions) }
  }

  /// Sets the mask of an access control list, as `setfacl -m m::…` does.
  public mutating func setACLMask(_ path: String, _ permissions: Permissions) {
    change(path) { $0.setMask(permissions) }
  }

  /// Mounts a filesystem on a directory.
  ///
  /// Everything below the directory remains, as if it were on the new filesystem.
  public mutating func mount(
    at path: String, fstype: String = "tmpfs", readOnly: Bool = false, nodev: Bool = false
  ) {
    var mount = Mount(at: path, fstype: fstype)
    mount.readOnly = readOnly
    mount.nodev = nodev
    mounts.removeAll { $0.at == path }
    mounts.append(mount)
  }

  /// Makes the kernel refuse what the model allows, as a device program or a security module would.
  ///
  /// - Parameters:
  ///   - path: The canonical path of the object.
  ///   - permissions: The permissions to refuse. A request for any of them is refused.
  ///   - errno: The error: `notPermitted` for a device program, `permissionDenied` for a security
  ///     module.
  public mutating func refuseBehindTheModel(
    _ path: String, _ permissions: Permissions = [.read, .write], errno: Errno = .notPermitted
  ) {
    requireNode(at: path)
    hiddenRefusals.insert(HiddenRefusal(path: path, permissions: permissions, errno: errno))
  }

  /// Makes opening a device fail although it is permitted, as a driver would.
  ///
  /// - Parameters:
  ///   - path: The canonical path of the device node.
  ///   - errno: The error, such as `busy` or `noSuchDevice`; `success` to make opening work again.
  public mutating func failOpening(_ path: String, errno: Errno) {
    requireNode(at: path)
    openFailures[path] = errno
  }

  /// Returns the error of a layer that the model does not know; `nil` if no such layer refuses the
  /// request.
  func hiddenRefusal(_ path: String, _ permissions: Permissions) -> Errno? {
    hiddenRefusals.first {
      $0.path == path && !$0.permissions.isDisjoint(with: permissions)
    }?.errno
  }

  /// Returns the names of the objects directly in a directory, without hidden ones.
  func names(in directory: String) -> [String] {
    let prefix = directory == "/" ? directory : directory + "/"
    return nodes.keys.filter { $0.hasPrefix(prefix) }.map { String($0.dropFirst(prefix.count)) }
      .filter { !$0.isEmpty && !$0.contains("/") && !$0.hasPrefix(".") }
  }

  private func requireNode(at path: String) {
    precondition(nodes[path] != nil, "the described machine has nothing at \(path)")
  }

  mutating func add(
    _ type: FileType, at path: String, mode: UInt16, owner: String, group: String?
  ) {
    precondition(path.hasPrefix("/"), "\(path) is not absolute")
    if path != "/" {
      let parent = parentPath(of: path)
      if nodes[parent] == nil { addDirectory(parent) }
    }
    let user = user(named: owner)
    nodes[path] = Node(
      path: path, type: type, mode: mode, uid: user.id,
      gid: group.map(groupID(of:)) ?? user.primaryGroup)
  }

  private func parentPath(of path: String) -> String {
    let parts = path.split(separator: "/").dropLast()
    return "/" + parts.joined(separator: "/")
  }

  private mutating func change(_ path: String, _ body: (inout Node) -> Void) {
    guard var node = nodes[path] else {
      preconditionFailure("the described machine has nothing at \(path)")
    }
    body(&node)
    nodes[path] = node
  }
}

extension Node {
  /// Sets a named entry as setfacl(1) does.
  ///
  /// If the node has no list, one is created. The mask is extended to include the permissions of
  /// the entry.
  mutating func setEntry(_ tag: ACLEntry.Tag, _ id: UInt32, _ permissions: Permissions) {
    var entries = acl ?? minimalACL
    entries.removeAll { $0.tag == tag && $0.id == id }
    let place = entries.lastIndex { $0.tag == tag }.map { $0 + 1 } ?? entries.count
    entries.insert(ACLEntry(tag, id, permissions), at: place)
    acl = entries
    setMask(
      entries.filter { $0.tag == .group || $0.tag == .user && $0.id != nil }
        .reduce(into: Permissions()) { $0.formUnion($1.permissions) })
  }

  /// Removes a named entry and keeps the rest of the list and its mask, as logind does.
  mutating func removeEntry(_ tag: ACLEntry.Tag, _ id: UInt32) {
    acl?.removeAll { $0.tag == tag && $0.id == id }
  }

  /// Sets the mask, which stat(2) returns as the group bits of the mode.
  mutating func setMask(_ permissions: Permissions) {
    var entries = acl ?? minimalACL
    if let index = entries.firstIndex(where: { $0.tag == .mask }) {
      entries[index].permissions = permissions
    } else {
      let place = entries.firstIndex { $0.tag == .other } ?? entries.count
      entries.insert(ACLEntry(.mask, nil, permissions), at: place)
    }
    acl = entries
    mode = mode & ~0o070 | UInt16(permissions.rawValue) << 3
  }

  /// Sets the whole list, which the kernel stores only in the mode if the mode can represent it.
  mutating func setList(_ list: AccessList) {
    acl = list.isExtended ? list.entries : nil
    let shifts: [(ACLEntry.Tag, UInt16)] = [
      (.user, 6), (list.mask == nil ? .group : .mask, 3), (.other, 0),
    ]
    for (tag, shift) in shifts {
      let entry = list.entries.first { $0.tag == tag && $0.id == nil }
      mode = mode & ~(0o7 << shift) | UInt16(entry?.permissions.rawValue ?? 0) << shift
    }
  }

  private var minimalACL: [ACLEntry] {
    [(ACLEntry.Tag.user, 6), (.group, 3), (.other, 0)].map { tag, shift in
      ACLEntry(tag, nil, Permissions(rawValue: UInt8(truncatingIfNeeded: mode >> shift & 7)))
    }
  }
}
