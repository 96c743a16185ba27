/// An access control list entry with its id as seen through the mount.
struct PreparedACLEntry: Sendable {
  enum Tag: UInt8 {
    case owner
    case user
    case owningGroup
    case group
    case mask
    case other
  }

  var tag: Tag
  var permissions: Permissions
  var id: UInt32

  /// Its id is the inode's until it is ``seen(through:)`` a mount.
  init(_ entry: ACLEntry) {
    permissions = entry.permissions
    id = entry.id ?? PreparedNode.invalidID
    switch entry.tag {
    case .user: tag = entry.id == nil ? .owner : .user
    case .group: tag = entry.id == nil ? .owningGroup : .group
    case .mask: tag = .mask
    case .other: tag = .other
    }
  }

  /// The entry with its id as an id-mapped mount shows it.
  func seen(through mount: Mount) -> PreparedACLEntry {
    var entry = self
    switch tag {
    case .user: entry.id = mount.userSeen(id) ?? PreparedNode.invalidID
    case .group: entry.id = mount.groupSeen(id) ?? PreparedNode.invalidID
    case .owner, .owningGroup, .mask, .other: break
    }
    return entry
  }
}
