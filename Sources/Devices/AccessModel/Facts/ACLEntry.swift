/// An entry of a POSIX access control list, as stored in the inode.
///
/// The order of the entries matters, because the first match counts. IDs are the inode's own, as
/// the initial user namespace numbers them (`kuid_t`, `kgid_t`), before an id-mapped mount
/// translates them. An ID that is not mapped in the observer's namespace reads as 4294967295.
public struct ACLEntry: Hashable, Sendable {
  /// The class of users that an entry applies to.
  ///
  /// The case format uses the raw values.
  public enum Tag: String, Hashable, Sendable {
    /// `ACL_USER_OBJ` if the entry has no ID, `ACL_USER` if it has one.
    case user = "u"
    /// `ACL_GROUP_OBJ` if the entry has no ID, `ACL_GROUP` if it has one.
    case group = "g"
    /// `ACL_MASK`, which limits the entries of all groups and of named users.
    case mask = "m"
    /// `ACL_OTHER`.
    case other = "o"

    /// The name that getfacl(1) prints.
    public var word: String {
      switch self {
      case .user: "user"
      case .group: "group"
      case .mask: "mask"
      case .other: "other"
      }
    }
  }

  /// The class that the entry applies to.
  ///
  /// Together with ``id``, it corresponds to one of the kernel's six tags (`e_tag`).
  public var tag: Tag
  /// The named user or group; `nil` in an entry for the owner, the owning group, the mask or
  /// others.
  public var id: UInt32?
  /// The entry's own permissions (`e_perm`), before the mask is applied.
  public var permissions: Permissions

  /// Creates an entry.
  ///
  /// - Parameters:
  ///   - tag: The class that the entry applies to.
  ///   - id: The named user or group; `nil` for the owner, the owning group, the mask or others.
  ///   - permissions: The permissions, before the mask is applied.
  public init(_ tag: Tag, _ id: UInt32? = nil, _ permissions: Permissions) {
    self.tag = tag
    self.id = id
    self.permissions = permissions
  }
}
