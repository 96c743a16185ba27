/// An existing object on the requested path, either a directory or link on the way or the final
/// object.
public struct Node: Hashable, Sendable {
  /// An inode flag that permissions cannot override.
  public enum Flag: String, Hashable, Sendable, Codable {
    /// `S_IMMUTABLE`.
    case immutable
    /// `S_APPEND`.
    case append
  }

  /// A property of a node that could not be observed.
  public enum Element: String, Hashable, Sendable, Codable {
    /// The type, mode and owner: stat(2) failed for a reason other than absence.
    case status
    /// The access control list.
    case acl
    /// The immutable and append-only flags: the filesystem does not report them.
    case flags
    /// The contents of the directory.
    ///
    /// The observer may not search the directory, so a name that is not listed may still exist.
    case contents
    /// The target of the symbolic link.
    case target
  }

  /// The path, which is absolute and canonical: it contains no symbolic link, `.` or `..`.
  public var path: String
  /// The type of the object; a symbolic link and its target are separate nodes.
  public var type: FileType
  /// The permission bits (`st_mode & 07777`).
  ///
  /// If the node has an access control list, the group bits are its mask.
  public var mode: UInt16
  /// The inode's owner, as the initial user namespace numbers it.
  public var uid: UInt32
  /// The inode's group, as the initial user namespace numbers it.
  public var gid: UInt32
  /// The access control list in stored order; `nil` if the inode has none.
  public var acl: [ACLEntry]?
  /// The device number of a character or block device.
  public var rdev: DeviceNumber?
  /// The target of a symbolic link.
  public var target: String?
  /// The inode flags that restrict writing, from the `stx_attributes` of statx(2).
  public var flags: Set<Flag> = []
  /// The properties that could not be observed; their values are ignored.
  public var unobserved: Set<Element> = []

  /// Creates a fully observed node without an access control list, flags, device number or target.
  public init(path: String, type: FileType, mode: UInt16, uid: UInt32, gid: UInt32) {
    self.path = path
    self.type = type
    self.mode = mode
    self.uid = uid
    self.gid = gid
  }
}
