/// The two identifier maps of a user namespace or of an id-mapped mount.
public struct IDMapping: Hashable, Sendable {
  public var users: IDMap
  public var groups: IDMap

  public init(users: IDMap, groups: IDMap) {
    self.users = users
    self.groups = groups
  }
}
