internal import AccessModel

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
