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

extension Mount: Codable {
  private enum Keys: String, CodingKey {
    case at
    case fstype
    case superblockReadOnly = "sb_ro"
    case superblockNodev = "sb_nodev"
    case readOnly = "ro"
    case nodev
    case noexec
    case nosymfollow
    case nosuid
    case idmap
    case filesystemNamespace = "fs_userns"
    case source
    case fuse
    case unobserved
  }

  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: Keys.self)
    at = try values.decode(String.self, forKey: .at)
    if let problem = CaseLimits.problem(ofCanonical: at) { throw values.invalid(.at, problem) }
    fstype = try values.decode(String.self, forKey: .fstype)
    superblockReadOnly = try values.decode(Bool.self, forKey: .superblockReadOnly)
    superblockNodev = try values.decode(Bool.self, forKey: .superblockNodev)
    readOnly = try values.decode(Bool.self, forKey: .readOnly)
    nodev = try values.decode(Bool.self, forKey: .nodev)
    noexec = try values.decode(Bool.self, forKey: .noexec)
    nosymfollow = try values.decode(Bool.self, forKey: .nosymfollow)
    nosuid = try values.decodeIfPresent(Bool.self, forKey: .nosuid) ?? false
    idmap = try values.decodeIfPresent(IDMapping.self, forKey: .idmap)
    filesystemNamespace = try values.decodeIfPresent(
      IDMapping.self, forKey: .filesystemNamespace)
    source = try values.decodeIfPresent(String.self, forKey: .source)
    fuse = try values.decodeIfPresent(FuseOptions.self, forKey: .fuse)
    unobserved = try values.decodeIfPresent(Set<Element>.self, forKey: .unobserved) ?? []
    // A null value means that the mount has no maps; a missing key means that they are unknown. The
    // namespace of the superblock matters only if there are maps.
    if !values.contains(.idmap) || idmap != nil && !values.contains(.filesystemNamespace) {
      unobserved.insert(.idmap)
    }
  }

  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: Keys.self)
    try values.encode(at, forKey: .at)
    try values.encode(fstype, forKey: .fstype)
    try values.encode(superblockReadOnly, forKey: .superblockReadOnly)
    try values.encode(superblockNodev, forKey: .superblockNodev)
    try values.encode(readOnly, forKey: .readOnly)
    try values.encode(nodev, forKey: .nodev)
    try values.encode(noexec, forKey: .noexec)
    try values.encode(nosymfollow, forKey: .nosymfollow)
    if nosuid { try values.encode(nosuid, forKey: .nosuid) }
    try values.encode(idmap, forKey: .idmap)
    try values.encode(filesystemNamespace, forKey: .filesystemNamespace)
    try values.encodeIfPresent(source, forKey: .source)
    try values.encodeIfPresent(fuse, forKey: .fuse)
    try values.encodeSorted(unobserved, forKey: .unobserved)
  }
}

extension KeyedEncodingContainer {
  /// Encodes the elements of a set in sorted order, or nothing if the set is empty.
  mutating func encodeSorted<Element: RawRepresentable & Hashable>(
    _ set: Set<Element>, forKey key: Key
  ) throws where Element.RawValue == String {
    guard !set.isEmpty else { return }
    try encode(set.map(\.rawValue).sorted(), forKey: key)
  }
}

extension Mount {
  /// A Boolean value that indicates whether the mount options set the owner of every file.
  var takesOwner: Bool {
    switch fstype {
    case "cifs", "smb3", "smbfs", "vfat", "msdos", "exfat", "ntfs", "ntfs3", "fuseblk",
      "fuse.sshfs",
      "fuse.exfat", "vboxsf", "drvfs":
      true
    // Windows drives in WSL.
    case "9p": source.map { $0.hasPrefix("drvfs") || $0.dropFirst().hasPrefix(":") } ?? false
    default: false
    }
  }
}
