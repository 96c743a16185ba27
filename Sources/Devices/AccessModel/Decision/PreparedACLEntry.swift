/// An access control list entry whose ID is translated by the mount.
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

  /// Creates an entry with the inode's own ID, which ``seen(through:)`` translates.
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

  /// Returns the entry with the ID that an id-mapped mount shows.
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
