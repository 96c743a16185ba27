/// One entry of a POSIX access control list, as stored in the inode.
///
/// The first match counts, so the order of entries is part of the facts. An identifier is the
/// inode's (`kuid_t` or `kgid_t` numbering of the initial user namespace), before any id-mapped
/// mount; an entry whose identifier is not mapped in the observer's namespace reads 4294967295.
public struct ACLEntry: Hashable, Sendable {
  /// Whom an entry speaks of.
  ///
  /// Raw values are the words of the case format.
  public enum Tag: String, Hashable, Sendable {
    /// `ACL_USER_OBJ` without an identifier, `ACL_USER` with one.
    case user = "u"
    /// `ACL_GROUP_OBJ` without an identifier, `ACL_GROUP` with one.
    case group = "g"
    /// `ACL_MASK`, the upper bound of every named user and every group entry.
    case mask = "m"
    /// `ACL_OTHER`.
    case other = "o"

    /// The word of getfacl(1).
    public var word: String {
      switch self {
      case .user: "user"
      case .group: "group"
      case .mask: "mask"
      case .other: "other"
      }
    }
  }

  /// Whom the entry is about; with ``id`` one of the six tags of the kernel (`e_tag`).
  public var tag: Tag
  /// The named user or group; `nil` for the owner, the owning group, the mask and others.
  public var id: UInt32?
  /// The entry's own bits (`e_perm`), before the mask limits them.
  public var permissions: Permissions

  /// Creates an entry; without an id it is that of the owner, the owning group, the mask or others.
  public init(_ tag: Tag, _ id: UInt32? = nil, _ permissions: Permissions) {
    self.tag = tag
    self.id = id
    self.permissions = permissions
  }
}
