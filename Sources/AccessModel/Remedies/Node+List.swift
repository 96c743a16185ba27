/// What setfacl(1), chmod(1) and logind do to the mode and the list of a node.
extension Node {
  /// The list, or the one that the mode stands for.
  var listOrMode: [ACLEntry] {
    acl ?? [
      ACLEntry(.user, nil, bits(6)), ACLEntry(.group, nil, bits(3)), ACLEntry(.other, nil, bits(0)),
    ]
  }

  /// Whether setfacl(1) takes the list: it refuses two entries for one user or group.
  var hasWellFormedList: Bool {
    let entries = listOrMode
    return Set(entries.map { Key($0) }).count == entries.count && !unobserved.contains(.acl)
  }

  /// Whether the kernel skips the list, because the group bits of the mode are empty.
  var skipsList: Bool { mode & 0o070 == 0 }

  /// The users that the list names.
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

  /// `setfacl -m`: the mask becomes the union of what it bounds, unless it is given.
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

  /// `setfacl --set`.
  mutating func replaceList(_ entries: [ACLEntry]) -> Bool {
    guard !unobserved.contains(.acl) else { return false }
    take(entries, maskIsGiven: entries.contains { $0.tag == .mask })
    return true
  }

  /// chmod(2): with a list the group bits are the mask, or the entry of the owning group where
  /// there is none.
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

  /// What logind does on a tagged node: the entries of users before go, the active user gets
  /// read and write, and the mask is computed anew.
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

  /// Stores a list: sorted as libacl does, as mode bits alone where it says no more than they.
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
  /// The place of its tag in the order of the kernel.
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
