/// The two identifier maps of a user namespace or of an id-mapped mount.
public struct IDMapping: Hashable, Sendable {
  /// The map of user identifiers (`uid_map`).
  public var users: IDMap
  /// The map of group identifiers (`gid_map`).
  public var groups: IDMap

  /// Creates the pair of maps of one namespace or mount.
  public init(users: IDMap, groups: IDMap) {
    self.users = users
    self.groups = groups
  }
}
