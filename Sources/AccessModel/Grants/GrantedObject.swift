/// The grants on one inode, and its list before and after them.
///
/// It is a value: what is written to the inode follows from it alone, so that grants and their ends
/// come in any order.
public struct GrantedObject: Hashable, Sendable, Codable {
  /// What tells one inode from another.
  public struct Inode: Hashable, Sendable, Codable {
    /// `st_dev` of the filesystem.
    public let filesystem: UInt64
    /// `st_ino`.
    public let number: UInt64
    /// The device that a device node stands for; `nil` for a file or a directory.
    public let device: DeviceNumber?

    /// Creates an identity.
    public init(filesystem: UInt64, number: UInt64, device: DeviceNumber?) {
      self.filesystem = filesystem
      self.number = number
      self.device = device
    }
  }

  /// Where the inode was found: absolute and canonical.
  public private(set) var path: String
  /// The inode that the lists are of.
  public private(set) var inode: Inode
  /// A name of the inode that follows it when it is moved; `nil` where the filesystem has none.
  ///
  /// It is what name_to_handle_at(2) answers: the type, a colon, and the bytes as hexadecimal digits.
  public private(set) var handle: String?
  /// The conditions of udev that match the very device; `nil` where there are none.
  public let conditions: String?
  /// The name of the device's kind; `nil` for a part of the album.
  public let kind: String?
  /// The list without the grants.
  public private(set) var before: AccessList
  /// The list as it was last written.
  public private(set) var written: AccessList
  /// The grants, the first given first.
  public private(set) var grants: [AccessGrant] = []

  /// Creates the record of an inode without grants.
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

  /// Takes up a list that something else may have changed since it was written.
  ///
  /// - Parameter current: The list as it is now.
  /// - Returns: Whether it was changed.
  @discardableResult
  public mutating func rebase(on current: AccessList) -> Bool {
    guard current != written else { return false }
    before = current.withoutGrants(to: users, written: written, before: before)
    written = current
    return true
  }

  /// Adds a grant to a list that was taken up with ``rebase(on:)``; ``written`` is what to write.
  public mutating func add(_ grant: AccessGrant) {
    grants.append(grant)
    written = wanted
  }

  /// Writes the grants again on a list from which an event of udev took them.
  ///
  /// udev leaves the mask that came with the entries; it goes where the list had none before.
  public mutating func renew(on current: AccessList) {
    let hadMask = before.isExtended
    rebase(on: current)
    if !hadMask { before = before.collapsed }
    written = wanted
  }

  /// The list of another inode without the entries that a rule of udev gave there.
  ///
  /// An entry that does not hold what the grants give belongs to somebody else, and stays.
  public func withoutGrants(_ current: AccessList) -> AccessList {
    let own = users.filter { current.entry(ofUser: $0)?.permissions == permissions(of: $0) }
    guard let bare = AccessList(current.entries.filter { $0.id == nil && $0.tag != .mask }) else {
      return current
    }
    return current.withoutGrants(to: own, written: current, before: bare)
  }

  /// A list without what one of the grants put into it.
  ///
  /// - Parameters:
  ///   - list: The list.
  ///   - id: The grant.
  ///   - isOwn: Whether it is of the inode of this record, and not of another that a rule of udev gave
  ///     the same.
  /// - Returns: What it was without the grant.
  public func list(_ list: AccessList, without id: String, isOwn: Bool) -> AccessList {
    guard isOwn else { return withoutGrants(list) }
    var left = self
    left.rebase(on: list)
    left.remove(id)
    return left.written
  }

  /// Has the grants start from another list, from which something else was taken back; ``written`` is what
  /// to write.
  public mutating func start(from list: AccessList) {
    before = list
    written = wanted
  }

  /// Takes a grant away from a list that was taken up with ``rebase(on:)``; ``written`` is what to
  /// write.
  public mutating func remove(_ id: String) {
    grants.removeAll { $0.id == id }
    written = wanted
  }

  /// Gives the same grants on another inode: the device came back.
  public mutating func move(
    to path: String, _ inode: Inode, handle: String? = nil, current: AccessList
  ) {
    self.path = path
    self.inode = inode
    self.handle = handle
    before = current
    written = wanted
  }

  /// The list without the grants to one user: what that user's own grants start from.
  public func list(without user: UInt32) -> AccessList {
    var other = self
    other.grants.removeAll { $0.user == user }
    return other.wanted
  }

  /// The users who were given access, each once.
  private var users: [UInt32] {
    grants.map(\.user).reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
  }

  /// The list that holds the grants and leaves everybody else as before.
  private var wanted: AccessList {
    users.reduce(before) { list, user in
      // An entry that the user has got since, such as that of an active session, is not narrowed. What it
      // held at the grant is kept already.
      let own = before.effectivePermissions(ofUser: user).intersection([.read, .write])
      return list.granting(permissions(of: user).union(own), toUser: user)
    }
  }

  /// What the entry of a user holds.
  private func permissions(of user: UInt32) -> Permissions {
    grants.filter { $0.user == user }.reduce(into: []) {
      $0.formUnion($1.permissions.union($1.kept))
    }
  }
}
