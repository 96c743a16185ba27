/// The record of the grants on an inode, with its list before and after them.
///
/// The list to write depends only on such records, so grants can start and end in any order.
public struct GrantedObject: Hashable, Sendable, Codable {
  /// The identity of an inode.
  public struct Inode: Hashable, Sendable, Codable {
    /// `st_dev` of the filesystem.
    public let filesystem: UInt64
    /// `st_ino`.
    public let number: UInt64
    /// The device number of a device node; `nil` for a file or a directory.
    public let device: DeviceNumber?

    /// Creates an identity.
    public init(filesystem: UInt64, number: UInt64, device: DeviceNumber?) {
      self.filesystem = filesystem
      self.number = number
      self.device = device
    }
  }

  /// The path at which the inode was found, which is absolute and canonical.
  public private(set) var path: String
  /// The inode that the lists belong to.
  public private(set) var inode: Inode
  /// A handle that identifies the inode even after it is moved; `nil` if the filesystem has none.
  ///
  /// The handle is the result of name_to_handle_at(2): the type, a colon, and the bytes as
  /// hexadecimal digits.
  public private(set) var handle: String?
  /// The udev conditions that match exactly this device; `nil` if there are none.
  public let conditions: String?
  /// The name of the device's kind; `nil` for a part of the album.
  public let kind: String?
  /// The list without any grants, from this record or others.
  public private(set) var before: AccessList
  /// The list that was last written, or that is about to be.
  public private(set) var written: AccessList
  /// The list that ``written`` replaces; `nil` after the write.
  ///
  /// If the program ends after it saves the record and before it confirms the write, the inode has
  /// either of the two lists.
  public private(set) var replaced: AccessList?
  /// The number of writes of the list by all records of the inode.
  ///
  /// It identifies the records that know the last write. Records of older versions do not contain
  /// it.
  private var count: UInt64?
  /// The grants, from oldest to newest.
  ///
  /// A record without grants shows the other records of the inode how its last grant ended.
  public private(set) var grants: [AccessGrant] = []

  /// The number of the last write that this record knows.
  var revision: UInt64 { count ?? 0 }

  /// Creates the record of an inode that has no grants yet.
  public init(
    path: String, inode: Inode, handle: String? = nil, conditions: String?, kind: String?,
    current: AccessList
  ) {
    self.path = path
    self.inode = inode
    self.handle = handle
    self.conditions = conditions
    self.kind = kind
    before = current
    written = current
  }

  /// Adds a grant.
  public mutating func add(_ grant: AccessGrant) { grants.append(grant) }

  /// Removes grants.
  public mutating func remove(_ ids: Set<String>) { grants.removeAll { ids.contains($0.id) } }

  /// Records a list that is about to be written.
  ///
  /// - Parameters:
  ///   - list: The list.
  ///   - state: The state that the list was computed from.
  public mutating func prepare(_ list: AccessList, from state: InodeGrants) {
    before = state.base
    replaced = state.current
    written = list
    count = state.revision &+ 1
  }

  /// Records that the list has been written.
  public mutating func confirm() { replaced = nil }

  /// Records that the object has moved to another path or inode.
  public mutating func move(to path: String, _ inode: Inode, handle: String? = nil) {
    self.path = path
    self.inode = inode
    self.handle = handle
  }
}

/// A grant that gives a user access to one object, temporarily or permanently.
public struct AccessGrant: Hashable, Sendable, Codable {
  /// The ID of the grant: 16 hexadecimal digits.
  public let id: String
  /// The user who receives access, in the ID numbering of the process that created the grant.
  public let user: UInt32
  /// The name of the user; `nil` if the user database has none.
  public let userName: String?
  /// The requested access.
  public let permissions: Permissions
  /// The access that the user has without the grant, which the user's own entry must also include.
  public let kept: Permissions
  /// The user who gave access: the audit login user, or the real user of the process.
  public let giver: UInt32
  /// The start time, in seconds since 1970.
  public let start: Int64
  /// The end time, in seconds since 1970; `nil` if the grant is permanent.
  public let end: Int64?
  /// The end time in seconds on the clock that starts at boot and cannot be set; `nil` if
  /// permanent.
  public let deadline: Int64?
  /// The ID of the boot in which access was given (`/proc/sys/kernel/random/boot_id`).
  public let boot: String

  /// Creates the record of a grant.
  public init(
    id: String, user: UInt32, userName: String?, permissions: Permissions, kept: Permissions,
    giver: UInt32, start: Int64, end: Int64?, deadline: Int64?, boot: String
  ) {
    self.id = id
    self.user = user
    self.userName = userName
    self.permissions = permissions
    self.kept = kept
    self.giver = giver
    self.start = start
    self.end = end
    self.deadline = deadline
    self.boot = boot
  }

  /// Returns an ID that no grant has had.
  ///
  /// - Parameter others: The IDs that must sort before it.
  /// - Returns: The ID.
  package static func newID(after others: [String] = []) -> String {
    // A step below 2^40 leaves room for millions of later IDs.
    let lowest = others.compactMap { UInt64($0, radix: 16) }.max().map { $0 &+ 1 }
    let number =
      lowest.map { $0 &+ UInt64.random(in: 0..<1 << 40) } ?? UInt64.random(in: 0..<1 << 63)
    let digits = String(number, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }

  /// Returns whether a word has the form of a grant's ID.
  public static func isID(_ word: String) -> Bool {
    word.utf8.count == 16
      && word.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
  }

  /// The duration in seconds; `nil` if the grant is permanent.
  public var duration: Int64? {
    // The record may contain any numbers.
    guard let end else { return nil }
    let (seconds, isTooLarge) = end.subtractingReportingOverflow(start)
    return isTooLarge ? nil : seconds
  }

  /// Returns the remaining time in seconds; `nil` if the grant is permanent.
  ///
  /// - Parameter uptime: The seconds since boot, including sleep.
  /// - Returns: The remaining time, which is negative if the grant has expired.
  public func rest(uptime: Int64) -> Int64? {
    guard let deadline else { return nil }
    let (seconds, isTooLarge) = deadline.subtractingReportingOverflow(uptime)
    return isTooLarge ? nil : seconds
  }

  /// Returns whether the grant has expired.
  ///
  /// - Parameters:
  ///   - uptime: The seconds since boot, including sleep.
  ///   - boot: The ID of the current boot.
  /// - Returns: `true` if the grant has expired; a permanent grant never expires.
  public func isOver(uptime: Int64, boot: String) -> Bool {
    guard let deadline else { return false }
    return boot != self.boot || uptime >= deadline
  }
}

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
