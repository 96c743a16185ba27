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
    /// No file can be created on the filesystem, not even by root.
    static let cannotCreate = Marks(rawValue: 1 << 11)
    /// A list that the filesystem shows need not be what decides.
    static let hasOwnLists = Marks(rawValue: 1 << 12)
    /// The filesystem reports that a missing name cannot exist before the kernel creates it.
    static let refusesNames = Marks(rawValue: 1 << 13)
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
    if mount.hasOnlyKernelFiles { marks.insert(.cannotCreate) }
    if mount.fstype == "proc" { marks.insert(.refusesNames) }
    if !mount.usesGenericPermissions { marks.insert(.hasOwnRules) }
    if mount.hasOwnLists { marks.insert(.hasOwnLists) }
    self.marks = marks
  }
}

extension Mount {
  /// A Boolean value that indicates whether all files of the filesystem are the kernel's own.
  ///
  /// Its directories have no operation that creates a file, so `lookup_open` answers `EACCES`. On procfs
  /// the search for the name already fails with `ENOENT` (`proc_lookup`, `proc_pid_lookup`).
  public var hasOnlyKernelFiles: Bool {
    switch fstype {
    case "sysfs", "cgroup", "cgroup2", "devpts", "proc", "debugfs", "tracefs", "securityfs", "bpf",
      "binfmt_misc", "fusectl", "pstore", "configfs", "selinuxfs", "rpc_pipefs":
      true
    default: false
    }
  }

  /// Whether `generic_permission` decides on this filesystem.
  ///
  /// Others (FUSE, NFS, CIFS, procfs, autofs, ntfs3 …) have an inode operation of their own, whose
  /// answer no case can hold. overlayfs also asks the layer below with the credentials of
  /// whoever mounted it, which refuses nothing when that was root.
  ///
  /// These have no operation `permission` in the kernel's source, where it is to be seen in
  /// `jfs_file_inode_operations`, `ubifs_file_inode_operations`, `hfsplus_file_inode_operations`,
  /// `bch_file_inode_operations`, `zpl_inode_operations` (OpenZFS) and
  /// `v9fs_file_inode_operations_dotl`, and those of their directories. virtiofs is FUSE that
  /// always has `default_permissions` (`virtio_fs_ctx_set_defaults`), so that `fuse_permission`
  /// comes down to the generic check. nilfs2 adds one rule (`nilfs_permission`): a snapshot,
  /// which is always mounted read-only, cannot be written.
  public var usesGenericPermissions: Bool {
    switch fstype {
    case "devtmpfs", "tmpfs", "ext4", "btrfs", "xfs", "overlay", "sysfs", "devpts", "ramfs",
      "rootfs", "ext3", "ext2", "f2fs", "erofs", "squashfs", "vfat", "msdos", "exfat", "iso9660",
      "cgroup2", "cgroup":
      true
    case "jfs", "ubifs", "hfsplus", "bcachefs", "zfs", "9p", "virtiofs": true
    case "nilfs2": !superblockReadOnly && !unobserved.contains(.flags)
    default: false
    }
  }

  /// Whether an access control list that is seen here need not be the one that decides.
  ///
  /// 9p and virtiofs hand lists through as attributes and apply them only where client and server
  /// agreed on it (`v9fs_get_acl`, `FUSE_POSIX_ACL`); ZFS has a check of its own when a name is
  /// looked up (`zfs_lookup`), which knows the mode and not always the list.
  var hasOwnLists: Bool {
    switch fstype {
    case "9p", "virtiofs", "zfs": true
    default: false
    }
  }

  /// Whether a server opens the files, which can refuse what the kernel's own check grants.
  ///
  /// Devices, FIFOs and sockets on it are the kernel's own.
  var isServed: Bool { fstype == "9p" || fstype == "virtiofs" }
}
