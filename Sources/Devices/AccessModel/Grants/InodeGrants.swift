/// The grants on an inode from all records, and its access list.
///
/// Root, the owner of the inode and each udev rule have their own record. The list to write depends
/// on all of them, so grants can start and end in any order.
public struct InodeGrants: Hashable, Sendable {
  /// The current access list.
  public let current: AccessList
  /// The access list without any grants, as other programs have set it.
  public let base: AccessList
  /// The grants that have not ended, without duplicates.
  public let grants: [AccessGrant]
  /// The revision of the last recorded write.
  let revision: UInt64

  /// Determines which entries come from grants and which come from other programs.
  ///
  /// - Parameters:
  ///   - current: The current access list.
  ///   - records: The records of this inode.
  ///   - rules: The grants of udev rules, whether or not udev has applied them.
  ///   - isFresh: Whether a udev event has just set the list again. Such an event removes entries
  ///     but leaves their mask. The mask is then removed if the list did not have one before.
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
    // Without grants, every entry belongs to another program, regardless of the records.
    guard !grants.isEmpty else { return current }
    let known = last.first { $0.written == current || $0.replaced == current }
    if let known { return known.before }
    if let unchanged = last.first(where: { $0.before == current }) { return unchanged.before }
    var written: [UInt32: Set<Permissions>] = [:]
    // A rule sets exactly the permissions that it gives, and the entry of the last rule remains.
    for rule in rules { written[rule.user, default: []].insert(rule.permissions.union(rule.kept)) }
    let users = Set(grants.map(\.user))
    for record in last {
      for list in [record.written, record.replaced].compactMap(\.self) {
        for (user, permissions) in list.permissionsOfUsers where users.contains(user) {
          // If the write never happened, an entry that already existed does not belong to a grant.
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

  // MARK: - The list to write

  /// Returns the list without some grants.
  ///
  /// If another program has removed access that the other grants gave, that access is not restored.
  ///
  /// - Parameter ids: The IDs of the grants that end.
  /// - Returns: The list.
  public func list(without ids: Set<String>) -> AccessList {
    list(grants.filter { !ids.contains($0.id) }, giving: [])
  }

  /// Returns the list with a new grant.
  public func list(adding grant: AccessGrant) -> AccessList {
    list(grants + [grant], giving: [grant.id])
  }

  /// Returns the list with some of the grants applied again.
  public func list(renewing ids: Set<String>) -> AccessList { list(grants, giving: ids) }

  /// Returns the list without the grants to one user, as the base of a further grant to that user.
  public func list(withoutUser user: UInt32) -> AccessList {
    list(grants.filter { $0.user != user }, giving: [])
  }

  /// Returns the base with the entries of some grants.
  ///
  /// - Parameters:
  ///   - grants: The grants.
  ///   - given: The IDs of the grants to apply now. The other grants keep only what the list still
  ///     gives.
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
      // Do not narrow an entry that the user has received since then, for example in an active
      // session.
      let own = (former[user] ?? []).intersection([.read, .write])
      wanted[user] = permissions.union(own)
    }
    return base.granting(wanted)
  }
}

extension AccessList {
  /// The permissions of each named user's entry within the mask.
  fileprivate var effectivePermissionsOfUsers: [UInt32: Permissions] {
    let bound = mask ?? []
    return permissionsOfUsers.mapValues { $0.intersection(bound) }
  }
}
