/// The access control list of an inode, also where it is the mode alone.
///
/// Owner, owning group and others always have an entry. The kernel stores a list that says no more
/// than the mode as the mode, so that a list tells all that there is to restore.
public struct AccessList: Hashable, Sendable {
  /// The entries in stored order.
  public let entries: [ACLEntry]

  /// A list in the form that the kernel takes; `nil` for any other (`posix_acl_valid`).
  ///
  /// An entry whose identifier is not mapped here has no place in one: written back, it would be
  /// another's.
  public init?(_ entries: [ACLEntry]) {
    let places = entries.map(\.place)
    guard places == places.sorted(), places.first == 0, places.last == 5,
      places.filter({ $0 == 0 }).count == 1, places.filter({ $0 == 2 }).count == 1,
      places.filter({ $0 == 5 }).count == 1, places.filter({ $0 == 4 }).count <= 1,
      places.contains(4) || !(places.contains(1) || places.contains(3)),
      !entries.contains(where: { $0.id == .max })
    else { return nil }
    self.entries = entries
  }

  /// The list of a node, or the one that its mode stands for; `nil` where it was not observed.
  public init?(of node: Node) {
    guard node.unobserved.isDisjoint(with: [.acl, .status]) else { return nil }
    self.init(node.listOrMode)
  }

  private init(valid entries: [ACLEntry]) { self.entries = entries }

  /// The upper bound of every entry but those of the owner and of others; `nil` without one.
  public var mask: Permissions? { entries.first { $0.tag == .mask }?.permissions }

  /// The entry of a named user that counts: the first.
  public func entry(ofUser id: UInt32) -> ACLEntry? {
    entries.first { $0.tag == .user && $0.id == id }
  }

  /// What the entry of a named user gives, within the mask; nothing without one.
  func effectivePermissions(ofUser id: UInt32) -> Permissions {
    entry(ofUser: id)?.permissions.intersection(mask ?? []) ?? []
  }

  /// Whether the entry of a named user gives some permissions, within the mask.
  public func gives(_ permissions: Permissions, toUser id: UInt32) -> Bool {
    entry(ofUser: id) != nil && effectivePermissions(ofUser: id).isSuperset(of: permissions)
  }

  /// Whether the list names users or groups, or has a mask.
  public var isExtended: Bool { entries.count > 3 }

  /// The list as setfacl(1) takes it, such as `u::rw-,u:1000:rw-,g::---,m::rw-,o::---`.
  public var text: String {
    entries.map { entry in
      "\(entry.tag.rawValue):\(entry.id.map { String($0) } ?? ""):\(entry.permissions)"
    }
    .joined(separator: ",")
  }

  // MARK: - Granting

  /// The list in which one user has some permissions, and everybody else has what they had.
  ///
  /// Where the mask has to grow, what it cut off the other entries is cut off the entries
  /// themselves. The kernel skips a list whose mask is empty, so that the users and groups in it
  /// had what the mode says: they are left out.
  ///
  /// - Parameters:
  ///   - permissions: What the user's entry holds; with none the list stays as it is.
  ///   - id: The user, who is not the owner: the owner's own entry comes first.
  /// - Returns: The list.
  public func granting(_ permissions: Permissions, toUser id: UInt32) -> AccessList {
    guard !permissions.isEmpty else { return self }
    var list = entries
    let bound = mask ?? list.first { $0.tag == .group && $0.id == nil }?.permissions ?? []
    let wider = bound.union(permissions)
    if let mask, mask.isEmpty {
      list.removeAll { $0.id != nil }
    }
    if let mask, mask != wider {
      for index in list.indices where list[index].isMasked {
        list[index].permissions.formIntersection(mask)
      }
    }
    if let index = list.firstIndex(where: { $0.tag == .mask }) {
      list[index].permissions = wider
    } else {
      list.insert(ACLEntry(.mask, nil, wider), at: list.count - 1)
    }
    return AccessList(valid: list).setting(ACLEntry(.user, id, permissions))
  }

  /// Sets the entry that counts for a named user, or adds it in the order of setfacl(1).
  private func setting(_ own: ACLEntry) -> AccessList {
    var list = entries
    if let index = list.firstIndex(where: { $0.tag == .user && $0.id == own.id }) {
      list[index] = own
    } else {
      let next = list.firstIndex { $0.place > 1 || ($0.place == 1 && ($0.id ?? 0) > (own.id ?? 0)) }
      list.insert(own, at: next ?? 1)
    }
    return AccessList(valid: list)
  }

  // MARK: - Taking back

  /// The list without what was written for some users, where something else changed it since.
  ///
  /// An entry that is no longer as it was written belongs to whoever changed it, and stays. The mask
  /// stays, so that nobody else gains or loses anything.
  ///
  /// - Parameters:
  ///   - users: The users.
  ///   - written: The list as it was written.
  ///   - before: The list as it was before.
  /// - Returns: The list.
  func withoutGrants(
    to users: [UInt32], written: AccessList, before: AccessList
  ) -> AccessList {
    var list = self
    for user in users {
      guard let own = list.entry(ofUser: user), own == written.entry(ofUser: user) else { continue }
      // A list that was skipped gave its users nothing, and one that counts must not.
      let bound = before.mask ?? []
      if let old = before.entry(ofUser: user), !bound.isEmpty {
        list = list.setting(
          ACLEntry(.user, user, old.permissions.intersection(bound)))
      } else {
        list = AccessList(valid: list.entries.filter { $0 != own })
      }
    }
    return before.isExtended || list == self ? list : list.collapsed
  }

  /// The list that is left when a named user's entry goes.
  func withoutEntry(ofUser id: UInt32) -> AccessList {
    AccessList(valid: entries.filter { $0.tag != .user || $0.id != id }).collapsed
  }

  /// The list as a mode where it names nobody.
  var collapsed: AccessList {
    guard let mask, !entries.contains(where: { $0.id != nil }) else { return self }
    return AccessList(
      valid: entries.filter { $0.tag != .mask }.map { entry in
        var entry = entry
        if entry.isMasked { entry.permissions.formIntersection(mask) }
        return entry
      })
  }
}

extension AccessList: Codable {
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    guard let list = AccessList(try container.decode([ACLEntry].self)) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "not a list that the kernel takes")
    }
    self = list
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(entries)
  }
}

extension ACLEntry {
  /// Whether the mask bounds it.
  fileprivate var isMasked: Bool { tag == .group || (tag == .user && id != nil) }
}
