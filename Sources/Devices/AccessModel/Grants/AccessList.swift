/// The access control list of an inode, which may be equivalent to a mode.
///
/// The owner, the owning group and others always have an entry. If a list has no other entries, the
/// kernel stores it as the mode. A list therefore contains everything that is needed to restore it.
public struct AccessList: Hashable, Sendable {
  /// The entries in stored order.
  public let entries: [ACLEntry]

  /// Creates a list; `nil` if the kernel would not accept the entries (`posix_acl_valid`).
  ///
  /// Entries with an unmapped ID are also rejected, because they would apply to another user after
  /// being written back.
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

  /// Creates the list of a node, or the equivalent of its mode; `nil` if it was not observed.
  public init?(of node: Node) {
    guard node.unobserved.isDisjoint(with: [.acl, .status]) else { return nil }
    self.init(node.listOrMode)
  }

  private init(valid entries: [ACLEntry]) { self.entries = entries }

  /// The mask, which limits every entry except those for the owner and others; `nil` if there is
  /// none.
  public var mask: Permissions? { entries.first { $0.tag == .mask }?.permissions }

  /// Returns the entry that applies to a named user, which is the user's first one.
  public func entry(ofUser id: UInt32) -> ACLEntry? {
    entries.first { $0.tag == .user && $0.id == id }
  }

  /// Returns the permissions of a named user's entry within the mask; empty if there is no entry.
  package func effectivePermissions(ofUser id: UInt32) -> Permissions {
    entry(ofUser: id)?.permissions.intersection(mask ?? []) ?? []
  }

  /// Returns whether a named user's entry includes the permissions within the mask.
  public func gives(_ permissions: Permissions, toUser id: UInt32) -> Bool {
    entry(ofUser: id) != nil && effectivePermissions(ofUser: id).isSuperset(of: permissions)
  }

  /// A Boolean value that indicates whether the list names users or groups, or has a mask.
  public var isExtended: Bool { entries.count > 3 }

  /// The list in the syntax of setfacl(1), such as `u::rw-,u:1000:rw-,g::---,m::rw-,o::---`.
  public var text: String {
    entries.map { entry in
      "\(entry.tag.rawValue):\(entry.id.map { String($0) } ?? ""):\(entry.permissions)"
    }
    .joined(separator: ",")
  }

  // MARK: - Granting

  /// Returns a list that gives permissions to one user and keeps the access of all others.
  ///
  /// - Parameters:
  ///   - permissions: The permissions of the user's entry; if empty, the list does not change.
  ///   - id: The user, who must not be the owner, because the kernel applies the owner's entry
  ///     first.
  /// - Returns: The list.
  public func granting(_ permissions: Permissions, toUser id: UInt32) -> AccessList {
    granting([id: permissions])
  }

  /// Returns a list that gives permissions to several users and keeps the access of all others.
  ///
  /// If the mask has to be extended, the other entries lose the permissions that the previous mask
  /// removed. If the mask is empty, the kernel ignores the list and applies the mode, so the
  /// entries for users and groups are removed.
  ///
  /// - Parameter permissions: The permissions of each user's entry; users without permissions are
  ///   omitted.
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

  /// Sets the entries that apply to named users, or inserts them in the order of setfacl(1).
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

  // MARK: - Removing grants

  /// Returns the list without the entries written for some users, after another program changed it.
  ///
  /// An entry that differs from the written one belongs to another program and remains. The mask
  /// also remains, because removing it could change the access of other users.
  ///
  /// - Parameters:
  ///   - written: The permissions that the users' entries have if they are unchanged.
  ///   - before: The list before the entries were written.
  /// - Returns: The list.
  func withoutGrants(_ written: [UInt32: Set<Permissions>], before: AccessList) -> AccessList {
    // A list that the kernel ignored gave its users nothing, and must not give them anything now.
    let bound = before.mask ?? []
    let old = bound.isEmpty ? [:] : before.permissionsOfUsers
    // Only a user's first entry applies; an identical second one would have the same effect.
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

  /// Returns the list in a form that the kernel ignores, if it had that form before a grant.
  ///
  /// A grant removes the users and groups of such a list, because the list gave them nothing. This
  /// method restores them if another program has emptied the mask again. It also restores them if
  /// the list names no users or groups, and the mask and the owning group are as the grant wrote
  /// them. Access does not change, because the mask is empty.
  ///
  /// - Parameters:
  ///   - before: The list before the grant.
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

  /// The permissions of the entry that applies to each named user.
  var permissionsOfUsers: [UInt32: Permissions] {
    Dictionary(
      entries.compactMap { entry in
        entry.tag == .user ? entry.id.map { ($0, entry.permissions) } : nil
      }, uniquingKeysWith: { first, _ in first })
  }

  /// Returns the list without the entry of a named user.
  func withoutEntry(ofUser id: UInt32) -> AccessList {
    AccessList(valid: entries.filter { $0.tag != .user || $0.id != id }).collapsed
  }

  /// The list reduced to the mode if it names no users or groups; otherwise, the list itself.
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
  /// A Boolean value that indicates whether the mask limits the entry.
  fileprivate var isMasked: Bool { tag == .group || (tag == .user && id != nil) }
}
