/// A mount that the path crosses, with the flags that open(2) checks.
public struct Mount: Hashable, Sendable {
  /// A property of a mount that could not be observed.
  public enum Element: String, Hashable, Sendable, Codable {
    /// The flag that forbids device nodes (`SB_I_NODEV`), which mountinfo does not show.
    case superblockNodev = "sb_nodev"
    /// The maps of an id-mapped mount: mountinfo shows only that they exist.
    case idmap
    /// The flags: the mount table could not be read.
    case flags
  }

  /// The options of a FUSE filesystem that determine who may use it.
  public struct FuseOptions: Hashable, Sendable, Codable {
    /// The user who mounted it (`user_id=`).
    public var user: UInt32
    /// A Boolean value that indicates whether other users may use it (`allow_other`).
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
  /// `SB_I_NODEV`, which is set if a user namespace owns the superblock.
  public var superblockNodev = false
  /// `MNT_READONLY`.
  public var readOnly = false
  /// `MNT_NODEV`.
  public var nodev = false
  /// `MNT_NOEXEC`.
  public var noexec = false
  /// `MNT_NOSYMFOLLOW`.
  public var nosymfollow = false
  /// The flag `MNT_NOSUID`, which only execve(2) checks.
  public var nosuid = false
  /// The maps of an id-mapped mount.
  ///
  /// *Inside* is the inode's own ID, and *outside* is the ID that this mount shows.
  public var idmap: IDMapping?
  /// The user namespace that owns the superblock; `nil` for the initial one.
  public var filesystemNamespace: IDMapping?
  /// The source that mountinfo shows, used only in explanations.
  public var source: String?
  /// The options of a FUSE filesystem, used only in explanations.
  ///
  /// The value is `nil` for other filesystems, and if the options were not observed.
  public var fuse: FuseOptions?
  /// The properties that could not be observed; their values must be ignored.
  public var unobserved: Set<Element> = []

  /// Creates a fully observed mount without restrictions or ID maps.
  public init(at: String, fstype: String) {
    self.at = at
    self.fstype = fstype
  }

  /// The type of a mount whose mount table could not be read.
  private static let unknownType = "unknown"

  /// Returns a placeholder for a mount that could not be observed.
  package static func unknown(at point: String) -> Mount {
    var mount = Mount(at: point, fstype: unknownType)
    mount.unobserved = [.flags]
    return mount
  }

  /// A Boolean value that indicates whether nothing is known about the mount.
  var isUnknown: Bool { fstype == Self.unknownType && unobserved.contains(.flags) }
}
