/// One existing object on the way to the path that was asked for, or that path itself.
public struct Node: Hashable, Sendable {
  /// An inode flag that permissions cannot override.
  public enum Flag: String, Hashable, Sendable, Codable {
    /// `S_IMMUTABLE`.
    case immutable
    /// `S_APPEND`.
    case append
  }

  /// What could not be observed of a node.
  public enum Element: String, Hashable, Sendable, Codable {
    /// Type, mode and owner: stat failed for another reason than absence.
    case status
    /// The access control list.
    case acl
    /// The immutable and append-only flags: the filesystem does not report them.
    case flags
    /// What the directory holds: the observer may not search it, so a name that is not listed
    /// may still exist.
    case contents
    /// The target of the symbolic link.
    case target
  }

  /// Absolute and canonical: no symbolic link, `.` or `..` in it.
  public var path: String
  /// What it is; a symbolic link is a node of its own, beside its target.
  public var type: FileType
  /// The permission bits, `st_mode & 07777`.
  ///
  /// With an access control list the group bits are its mask.
  public var mode: UInt16
  /// The inode's owner in the numbering of the initial user namespace.
  public var uid: UInt32
  /// The inode's group in the numbering of the initial user namespace.
  public var gid: UInt32
  /// The access control list in stored order; `nil` when the inode has none.
  public var acl: [ACLEntry]?
  /// The device number of a character or block device.
  public var rdev: DeviceNumber?
  /// What a symbolic link holds.
  public var target: String?
  /// The inode flags that restrict writing, from `stx_attributes` of statx(2).
  public var flags: Set<Flag> = []
  /// What is unknown of the node; the properties that hold it count for nothing.
  public var unobserved: Set<Element> = []

  /// Creates a node without list, flags, device number or target, of which everything was observed.
  public init(path: String, type: FileType, mode: UInt16, uid: UInt32, gid: UInt32) {
    self.path = path
    self.type = type
    self.mode = mode
    self.uid = uid
    self.gid = gid
  }
}
