/// The user and group ID maps of a user namespace or an id-mapped mount.
public struct IDMapping: Hashable, Sendable {
  /// The map of user IDs (`uid_map`).
  public var users: IDMap
  /// The map of group IDs (`gid_map`).
  public var groups: IDMap

  /// Creates a mapping from the two maps of a namespace or mount.
  public init(users: IDMap, groups: IDMap) {
    self.users = users
    self.groups = groups
  }
}
