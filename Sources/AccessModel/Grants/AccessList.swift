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
  package func effectivePermissions(ofUser id: UInt32) -> Permissions {
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
  /// - Parameters:
  ///   - permissions: What the user's entry holds; with none the list stays as it is.
  ///   - id: The user, who is not the owner: the owner's own entry comes first.
  /// - Returns: The list.
  public func granting(_ permissions: Permissions, toUser id: UInt32) -> AccessList {
    granting([id: permissions])
  }

  /// The list in which some users have some permissions, and everybody else has what they had.
  ///
  /// Where the mask has to grow, what it cut off the other entries is cut off the entries
  /// themselves. The kernel skips a list whose mask is empty, so that the users and groups in it
  /// had what the mode says: they are left out.
  ///
  /// - Parameter permissions: What the entries of the users hold; a user with none is left out.
  /// - Returns: The list.
  func granting(_ permissions: [UInt32: Permissions]) -> AccessList {
    let given = permissions.filter { !$0.value.isEmpty }
    guard !given.isEmpty else { return self }
    var list = entries
    let bound = mask ?? list.first { $0.tag == .group && $0.id == nil }?.permissions ?? []
    let wider = given.values.reduce(bound) { $0.union($1) }
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
    return AccessList(valid: list).setting(given)
  }

  /// Sets the entries that count for named users, or adds them in the order of setfacl(1).
  private func setting(_ permissions: [UInt32: Permissions]) -> AccessList {
    var missing = permissions
    var list = entries
    for index in list.indices {
      guard list[index].tag == .user, let id = list[index].id,
        let own = missing.removeValue(forKey: id)
      else { continue }
      list[index].permissions = own
    }
    var new = missing.keys.sorted()[...]
    guard !new.isEmpty else { return AccessList(valid: list) }
    var merged: [ACLEntry] = []
    merged.reserveCapacity(list.count + new.count)
    for entry in list {
      while let id = new.first, entry.place > 1 || (entry.place == 1 && entry.id ?? 0 > id) {
        merged.append(ACLEntry(.user, id, missing[id] ?? []))
        new.removeFirst()
      }
      merged.append(entry)
    }
    return AccessList(valid: merged)
  }

  // MARK: - Taking back

  /// The list without what was written for some users, where something else changed it since.
  ///
  /// An entry that is not as it was written belongs to another program, and stays. The mask stays, so
  /// that nobody else gains or loses anything.
  ///
  /// - Parameters:
  ///   - written: What the entries of the users hold if they are as they were written.
  ///   - before: The list as it was before.
  /// - Returns: The list.
  func withoutGrants(_ written: [UInt32: Set<Permissions>], before: AccessList) -> AccessList {
    // A list that was skipped gave its users nothing, and one that counts must not.
    let bound = before.mask ?? []
    let old = bound.isEmpty ? [:] : before.permissionsOfUsers
    // The first entry of a user counts; a second one alike would have the same effect.
    var own: [UInt32: Permissions] = [:]
    for (id, permissions) in permissionsOfUsers where written[id]?.contains(permissions) == true {
      own[id] = permissions
    }
    var restored = Set<UInt32>()
    let list = AccessList(
      valid: entries.compactMap { entry in
        guard entry.tag == .user, let id = entry.id, own[id] == entry.permissions else {
          return entry
        }
        guard let before = old[id] else { return nil }
        guard restored.insert(id).inserted else { return entry }
        return ACLEntry(.user, id, before.intersection(bound))
      })
    return before.isExtended || list == self ? list : list.collapsed
  }

  /// The list as one that the kernel skips, if it was one before a grant and nothing else needs it to count.
  ///
  /// A grant leaves the users and groups of such a list out, because they had nothing by it. They come back
  /// if another program has emptied the mask again, or has left the mask and the owning group as the grant
  /// wrote them and named nobody. Nobody gains or loses anything: the mask is empty.
  ///
  /// - Parameters:
  ///   - before: The list as it was before.
  ///   - written: The list that the grant wrote.
  /// - Returns: The list.
  func skipped(as before: AccessList, insteadOf written: AccessList) -> AccessList {
    guard before.mask == [], before.isExtended, let mask else { return self }
    let group = { (list: AccessList) in list.entries.first { $0.tag == .group && $0.id == nil } }
    let isGroupWritten = group(self) == group(written)
    let named = entries.filter { $0.id != nil }
    guard mask.isEmpty || (named.isEmpty && mask == written.mask && isGroupWritten) else {
      return self
    }
    let missing = before.entries.filter { entry in
      entry.id != nil && !named.contains { $0.tag == entry.tag && $0.id == entry.id }
    }
    var list = (entries.filter { $0.tag != .mask } + missing).map { entry in
      guard entry.tag == .group, entry.id == nil, isGroupWritten else { return entry }
      return group(before) ?? entry
    }
    list.append(ACLEntry(.mask, nil, []))
    list.sort { ($0.place, $0.id ?? 0) < ($1.place, $1.id ?? 0) }
    return AccessList(valid: list)
  }

  /// What the entry that counts for each named user holds.
  var permissionsOfUsers: [UInt32: Permissions] {
    Dictionary(
      entries.compactMap { entry in
        entry.tag == .user ? entry.id.map { ($0, entry.permissions) } : nil
      }, uniquingKeysWith: { first, _ in first })
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
