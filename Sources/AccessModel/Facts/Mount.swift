/// One mount that the path crosses, with the flags that open(2) looks at.
public struct Mount: Hashable, Sendable {
  /// What could not be observed of a mount.
  public enum Element: String, Hashable, Sendable, Codable {
    /// Whether the superblock forbids device nodes (`SB_I_NODEV`): mountinfo does not show it.
    case superblockNodev = "sb_nodev"
    /// The maps of an id-mapped mount: mountinfo only says that there is one.
    case idmap
    /// The flags: the mount table could not be read.
    case flags
  }

  /// The options of a FUSE file system that decide who may use it.
  public struct FuseOptions: Hashable, Sendable, Codable {
    /// The user who mounted it (`user_id=`).
    public var user: UInt32
    /// Whether other users may use it (`allow_other`).
    public var allowsOthers: Bool

    /// Creates the options.
    public init(user: UInt32, allowsOthers: Bool) {
      self.user = user
      self.allowsOthers = allowsOthers
    }

    private enum CodingKeys: String, CodingKey {
      case user
      case allowsOthers = "allow_other"
    }
  }

  /// The mount point, absolute and canonical.
  public var at: String
  /// The type of the filesystem, as mountinfo prints it.
  public var fstype: String
  /// `SB_RDONLY`.
  public var superblockReadOnly = false
  /// `SB_I_NODEV`: a superblock that a user namespace owns.
  public var superblockNodev = false
  /// `MNT_READONLY`.
  public var readOnly = false
  /// `MNT_NODEV`.
  public var nodev = false
  /// `MNT_NOEXEC`.
  public var noexec = false
  /// `MNT_NOSYMFOLLOW`.
  public var nosymfollow = false
  /// The flag `MNT_NOSUID`.
  ///
  /// Only execve looks at it.
  public var nosuid = false
  /// The maps of an id-mapped mount: *inside* is the inode's identifier, *outside* what it
  /// counts as through this mount.
  public var idmap: IDMapping?
  /// The user namespace that owns the superblock; `nil` for the initial one.
  public var filesystemNamespace: IDMapping?
  /// The source that mountinfo names, for the explanation only.
  public var source: String?
  /// The options of a FUSE file system, for the explanation only; `nil` for others, and where they were
  /// not seen.
  public var fuse: FuseOptions?
  /// What is unknown of the mount; the properties that hold it count for nothing.
  public var unobserved: Set<Element> = []

  /// Creates a mount without any restriction or id map, of which everything was observed.
  public init(at: String, fstype: String) {
    self.at = at
    self.fstype = fstype
  }

  /// What takes the place of the type where the mount table could not be read.
  private static let unknownType = "unknown"

  /// The mount that takes the place of one that could not be observed.
  package static func unknown(at point: String) -> Mount {
    var mount = Mount(at: point, fstype: unknownType)
    mount.unobserved = [.flags]
    return mount
  }

  /// Whether nothing is known of it.
  var isUnknown: Bool { fstype == Self.unknownType && unobserved.contains(.flags) }
}
