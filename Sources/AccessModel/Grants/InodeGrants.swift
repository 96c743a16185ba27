/// The grants on one inode, in whichever records they are, and its access list.
///
/// Root has a record, the owner of the inode has one, and each rule of udev is one. What is written to the
/// inode follows from all of them, so that grants and their ends come in any order. It is a value.
public struct InodeGrants: Hashable, Sendable {
  /// The list as it is now.
  public let current: AccessList
  /// The list without any grant, as other programs have made it.
  public let base: AccessList
  /// The grants that have not ended, each once.
  public let grants: [AccessGrant]
  /// The last write of the list that a record knows.
  let revision: UInt64

  /// Works out what the grants and what other programs have put into a list.
  ///
  /// - Parameters:
  ///   - current: The list as it is now.
  ///   - records: The records of this very inode.
  ///   - rules: The grants that rules of udev give on it, whether they have by now or not.
  ///   - isFresh: Whether an event of udev has set the list anew: it leaves the mask of the entries that it
  ///     removes, which goes if the list had none before.
  public init(
    _ current: AccessList, records: [GrantedObject], rules: [AccessGrant] = [],
    isFresh: Bool = false
  ) {
    self.current = current
    var ids = Set<String>()
    grants = (records.flatMap(\.grants) + rules).filter { ids.insert($0.id).inserted }
    revision = records.map(\.revision).max() ?? 0
    let newest = revision
    let last = records.filter { $0.revision == newest }
    base = Self.base(current, last, grants, rules, isFresh: isFresh)
  }

  private static func base(
    _ current: AccessList, _ last: [GrantedObject], _ grants: [AccessGrant],
    _ rules: [AccessGrant], isFresh: Bool
  ) -> AccessList {
    // Without a grant every entry is another program's, whatever a record says of former ones.
    guard !grants.isEmpty else { return current }
    let known = last.first { $0.written == current || $0.replaced == current }
    if let known { return known.before }
    if let unchanged = last.first(where: { $0.before == current }) { return unchanged.before }
    var written: [UInt32: Set<Permissions>] = [:]
    // A rule sets exactly what it gives, and the last rule's entry stays.
    for rule in rules { written[rule.user, default: []].insert(rule.permissions.union(rule.kept)) }
    let users = Set(grants.map(\.user))
    for record in last {
      for list in [record.written, record.replaced].compactMap(\.self) {
        for (user, permissions) in list.permissionsOfUsers where users.contains(user) {
          // What was there before is not a grant's, where the write never came.
          guard
            list == record.written || record.before.entry(ofUser: user)?.permissions != permissions
          else { continue }
          written[user, default: []].insert(permissions)
        }
      }
    }
    let bare =
      last.first?.before
      ?? AccessList(current.entries.filter { $0.id == nil && $0.tag != .mask }) ?? current
    let base = last.reduce(current.withoutGrants(written, before: bare)) { base, record in
      base.skipped(as: bare, insteadOf: record.written)
    }
    return isFresh && !bare.isExtended ? base.collapsed : base
  }

  // MARK: - What to write

  /// The list without some grants, and otherwise as it is.
  ///
  /// What another program took from the other grants stays taken.
  ///
  /// - Parameter ids: The grants that end.
  /// - Returns: The list.
  public func list(without ids: Set<String>) -> AccessList {
    list(grants.filter { !ids.contains($0.id) }, giving: [])
  }

  /// The list with a grant that is given now.
  public func list(adding grant: AccessGrant) -> AccessList {
    list(grants + [grant], giving: [grant.id])
  }

  /// The list with some of the grants given again.
  public func list(renewing ids: Set<String>) -> AccessList { list(grants, giving: ids) }

  /// The list without the grants to one user: what a further grant to that user starts from.
  public func list(withoutUser user: UInt32) -> AccessList {
    list(grants.filter { $0.user != user }, giving: [])
  }

  /// The base with the entries of some grants.
  ///
  /// - Parameters:
  ///   - grants: The grants.
  ///   - given: Those that are given now; of the others only what the list still gives.
  /// - Returns: The list.
  private func list(_ grants: [AccessGrant], giving given: Set<String>) -> AccessList {
    let present = current.effectivePermissionsOfUsers
    let former = base.effectivePermissionsOfUsers
    var wanted: [UInt32: Permissions] = [:]
    for grant in grants {
      let all = grant.permissions.union(grant.kept)
      let part = given.contains(grant.id) ? all : all.intersection(present[grant.user] ?? [])
      wanted[grant.user, default: []].formUnion(part)
    }
    for (user, permissions) in wanted where !permissions.isEmpty {
      // An entry that the user has got since, such as that of an active session, is not narrowed.
      let own = (former[user] ?? []).intersection([.read, .write])
      wanted[user] = permissions.union(own)
    }
    return base.granting(wanted)
  }
}

extension AccessList {
  /// What the entry of each named user gives, within the mask.
  fileprivate var effectivePermissionsOfUsers: [UInt32: Permissions] {
    let bound = mask ?? []
    return permissionsOfUsers.mapValues { $0.intersection(bound) }
  }
}
