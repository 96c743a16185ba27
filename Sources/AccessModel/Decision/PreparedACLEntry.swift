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

  init(_ entry: ACLEntry, mount: Mount?) {
    permissions = entry.permissions
    id = PreparedNode.invalidID
    switch (entry.tag, entry.id) {
    case (.user, nil): tag = .owner
    case (.user, let user?):
      tag = .user
      id = mount.map { $0.userSeen(user) ?? PreparedNode.invalidID } ?? user
    case (.group, nil): tag = .owningGroup
    case (.group, let group?):
      tag = .group
      id = mount.map { $0.groupSeen(group) ?? PreparedNode.invalidID } ?? group
    case (.mask, _): tag = .mask
    case (.other, _): tag = .other
    }
  }
}
