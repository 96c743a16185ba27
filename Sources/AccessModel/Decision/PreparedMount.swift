/// A mount as the engine reads it.
struct PreparedMount: Sendable {
  struct Marks: OptionSet {
    let rawValue: UInt16

    static let superblockReadOnly = Marks(rawValue: 1 << 0)
    static let superblockNodev = Marks(rawValue: 1 << 1)
    static let readOnly = Marks(rawValue: 1 << 2)
    static let nodev = Marks(rawValue: 1 << 3)
    static let noexec = Marks(rawValue: 1 << 4)
    static let nosymfollow = Marks(rawValue: 1 << 5)
    static let superblockNodevUnobserved = Marks(rawValue: 1 << 6)
    static let idmapUnobserved = Marks(rawValue: 1 << 7)
    static let flagsUnobserved = Marks(rawValue: 1 << 8)
    /// The filesystem has a permission operation of its own that no case can hold.
    static let hasOwnRules = Marks(rawValue: 1 << 9)
    static let hasIDMap = Marks(rawValue: 1 << 10)
  }

  var marks: Marks

  /// A mount of which nothing is known.
  static let unknown = PreparedMount(
    marks: [.flagsUnobserved, .hasOwnRules, .superblockNodevUnobserved, .idmapUnobserved])

  init(marks: Marks) {
    self.marks = marks
  }

  init(_ mount: Mount) {
    var marks: Marks = []
    if mount.superblockReadOnly { marks.insert(.superblockReadOnly) }
    if mount.superblockNodev { marks.insert(.superblockNodev) }
    if mount.readOnly { marks.insert(.readOnly) }
    if mount.nodev { marks.insert(.nodev) }
    if mount.noexec { marks.insert(.noexec) }
    if mount.nosymfollow { marks.insert(.nosymfollow) }
    // What was not observed has no value, whatever the mount says.
    for element in mount.unobserved {
      switch element {
      case .superblockNodev:
        marks.insert(.superblockNodevUnobserved)
        marks.remove(.superblockNodev)
      case .idmap: marks.insert(.idmapUnobserved)
      case .flags:
        marks.insert(.flagsUnobserved)
        marks.subtract([.superblockReadOnly, .readOnly, .nodev, .noexec, .nosymfollow])
      }
    }
    if mount.idmap != nil { marks.insert(.hasIDMap) }
    if !mount.usesGenericPermissions { marks.insert(.hasOwnRules) }
    self.marks = marks
  }
}

extension Mount {
  /// Whether `generic_permission` decides on this filesystem.
  ///
  /// Others (FUSE, NFS, CIFS, procfs, autofs …) have an inode operation of their own, whose
  /// answer no case can hold. overlayfs also asks the layer below with the credentials of
  /// whoever mounted it, which refuses nothing when that was root.
  public var usesGenericPermissions: Bool {
    switch fstype {
    case "devtmpfs", "tmpfs", "ext4", "btrfs", "xfs", "overlay", "sysfs", "devpts", "ramfs",
      "rootfs", "ext3", "ext2", "f2fs", "erofs", "squashfs", "vfat", "msdos", "exfat", "iso9660",
      "cgroup2", "cgroup":
      true
    default:
      false
    }
  }
}
