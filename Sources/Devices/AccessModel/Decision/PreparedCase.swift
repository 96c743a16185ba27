/// A case that is indexed once, so that many requests can be decided on it.
///
/// Indexing takes linear time, plus a sort if the nodes are not in order. A verdict then allocates
/// no memory. Values are immutable and can be shared between threads.
public struct PreparedCase: Sendable {
  /// The case that is indexed.
  public private(set) var access: AccessCase
  var nodes: [PreparedNode]
  var mounts: [PreparedMount]
  var entries: [PreparedACLEntry]
  /// The indexes of the child nodes of each directory, ordered by name.
  var children: [Int32]
  /// The paths of all nodes and the targets of all links, concatenated.
  var bytes: [UInt8]
  /// The index of the node `/`, or -1.
  var root: Int32
  var subject: PreparedSubject

  /// Indexes a case, whose nodes can be in any order.
  public init(_ access: AccessCase) {
    self.access = access
    subject = PreparedSubject(access.subject)
    nodes = []
    mounts = []
    entries = []
    children = []
    bytes = []
    root = -1
    prepareNodes()
    let order = orderedNodes()
    link(order)
    prepareMounts(order)
    translateIDs()
    mapIDs()
  }

  /// Returns this case with another subject.
  ///
  /// The index is reused, because it does not depend on the subject.
  func asked(by subject: Subject) -> PreparedCase {
    var other = self
    other.access.subject = subject
    other.subject = PreparedSubject(subject)
    other.mapIDs()
    return other
  }

  /// Returns the path of a node.
  func path(of node: Int32) -> String {
    node >= 0 ? access.nodes[Int(node)].path : "/"
  }
}

/// A node in the form that the engine reads.
///
/// It has a fixed size, IDs that are translated by the mount, and names as byte ranges.
struct PreparedNode: Sendable {
  struct Marks: OptionSet {
    let rawValue: UInt16

    static let immutable = Marks(rawValue: 1 << 0)
    static let append = Marks(rawValue: 1 << 1)
    static let hasACL = Marks(rawValue: 1 << 2)
    static let statusUnobserved = Marks(rawValue: 1 << 3)
    static let aclUnobserved = Marks(rawValue: 1 << 4)
    static let flagsUnobserved = Marks(rawValue: 1 << 5)
    static let contentsUnobserved = Marks(rawValue: 1 << 6)
    static let targetUnobserved = Marks(rawValue: 1 << 7)
    /// The maps of the mount were not observed, so the IDs are unknown.
    static let idsUnknown = Marks(rawValue: 1 << 8)
    /// The node cannot be reached: its parent is not listed, or an earlier node has the same path.
    static let unreachable = Marks(rawValue: 1 << 9)
  }

  /// Represents an ID that the mount does not map (`INVALID_VFSUID`).
  static let invalidID = UInt32.max

  var type: FileType
  var mode: UInt16
  var marks: Marks
  /// The owner, translated by the mount.
  var uid: UInt32
  /// The group, translated by the mount.
  var gid: UInt32
  /// A value that indicates whether the subject's user namespace maps the owner.
  var isOwnerMapped = Ternary.no
  /// A value that indicates whether the subject's user namespace maps the group.
  var isGroupMapped = Ternary.no
  var mount: Int32 = -1
  /// The nearest listed ancestor.
  var parent: Int32 = -1
  var firstChild: Int32 = 0
  var childCount: Int32 = 0
  var pathStart: Int32
  var pathCount: Int32
  /// The offset of the last path component.
  var nameStart: Int32
  var targetStart: Int32 = 0
  var targetCount: Int32 = 0
  var firstEntry: Int32 = 0
  var entryCount: Int32 = 0
  var major: UInt32 = 0
  var minor: UInt32 = 0
}

extension PreparedNode.Marks {
  mutating func insert(flags: Set<Node.Flag>) {
    for flag in flags {
      switch flag {
      case .immutable: insert(.immutable)
      case .append: insert(.append)
      }
    }
  }

  mutating func insert(unobserved: Set<Node.Element>) {
    for element in unobserved {
      switch element {
      case .status: insert(.statusUnobserved)
      case .acl: insert(.aclUnobserved)
      case .flags:
        // A flag that was not observed has no value, even if the node contains one.
        insert(.flagsUnobserved)
        subtract([.immutable, .append])
      case .contents: insert(.contentsUnobserved)
      case .target: insert(.targetUnobserved)
      }
    }
  }
}

/// An access control list entry whose ID is translated by the mount.
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

  /// Creates an entry with the inode's own ID, which ``seen(through:)`` translates.
  init(_ entry: ACLEntry) {
    permissions = entry.permissions
    id = entry.id ?? PreparedNode.invalidID
    switch entry.tag {
    case .user: tag = entry.id == nil ? .owner : .user
    case .group: tag = entry.id == nil ? .owningGroup : .group
    case .mask: tag = .mask
    case .other: tag = .other
    }
  }

  /// Returns the entry with the ID that an id-mapped mount shows.
  func seen(through mount: Mount) -> PreparedACLEntry {
    var entry = self
    switch tag {
    case .user: entry.id = mount.userSeen(id) ?? PreparedNode.invalidID
    case .group: entry.id = mount.groupSeen(id) ?? PreparedNode.invalidID
    case .owner, .owningGroup, .mask, .other: break
    }
    return entry
  }
}

/// A mount in the form that the engine reads.
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
    /// The filesystem has its own permission operation, which a case cannot represent.
    static let hasOwnRules = Marks(rawValue: 1 << 9)
    static let hasIDMap = Marks(rawValue: 1 << 10)
    /// No file can be created on the filesystem, not even by root.
    static let cannotCreate = Marks(rawValue: 1 << 11)
    /// The ACL that the filesystem shows might not be the one that decides.
    static let hasOwnLists = Marks(rawValue: 1 << 12)
    /// The filesystem fails the lookup of a missing name, so the kernel never tries to create it.
    static let refusesNames = Marks(rawValue: 1 << 13)
  }

  var marks: Marks

  /// A mount without known properties.
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
    // A property that was not observed has no value, even if the mount contains one.
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
    if mount.creationError == .noSuchFile { marks.insert(.refusesNames) }
    if !mount.usesGenericPermissions { marks.insert(.hasOwnRules) }
    if mount.hasOwnLists { marks.insert(.hasOwnLists) }
    self.marks = marks
  }
}

extension Mount {
  /// A Boolean value that indicates whether only the kernel creates files on the filesystem.
  ///
  /// No user, not even root, can create a file there.
  public var hasOnlyKernelFiles: Bool {
    switch fstype {
    case "sysfs", "cgroup", "cgroup2", "devpts", "proc", "debugfs", "tracefs", "securityfs", "bpf",
      "binfmt_misc", "fusectl", "pstore", "configfs", "selinuxfs", "rpc_pipefs":
      true
    default: false
    }
  }

  /// The error from an attempt to create a file; `nil` on a filesystem where users can create
  /// files.
  ///
  /// The directories have no operation that creates a file, so `lookup_open` returns `EACCES`. On
  /// procfs, the lookup of the name already fails with `ENOENT` (`proc_lookup`, `proc_pid_lookup`).
  var creationError: Errno? {
    guard hasOnlyKernelFiles else { return nil }
    return fstype == "proc" ? .noSuchFile : .permissionDenied
  }

  /// A Boolean value that indicates whether `generic_permission` decides on this filesystem.
  ///
  /// Other filesystems (FUSE, NFS, CIFS, procfs, autofs, ntfs3 …) have their own `permission`
  /// operation, whose result a case cannot represent. overlayfs also checks the lower layer with
  /// the credentials of the user who mounted it, which refuses nothing if that was root.
  ///
  /// The listed filesystems have no operation `permission` in the kernel's source; see
  /// `jfs_file_inode_operations`, `ubifs_file_inode_operations`, `hfsplus_file_inode_operations`,
  /// `bch_file_inode_operations`, `zpl_inode_operations` (OpenZFS),
  /// `v9fs_file_inode_operations_dotl`, and the operations of their directories. virtiofs is a FUSE
  /// filesystem that always sets `default_permissions` (`virtio_fs_ctx_set_defaults`), so
  /// `fuse_permission` makes the generic check. nilfs2 adds one rule (`nilfs_permission`): a
  /// snapshot, which is always mounted read-only, cannot be written.
  public var usesGenericPermissions: Bool {
    switch fstype {
    case "devtmpfs", "tmpfs", "ext4", "btrfs", "xfs", "overlay", "sysfs", "devpts", "ramfs",
      "rootfs", "ext3", "ext2", "f2fs", "erofs", "squashfs", "vfat", "msdos", "exfat", "iso9660",
      "cgroup2", "cgroup":
      true
    case "jfs", "ubifs", "hfsplus", "bcachefs", "zfs", "9p", "virtiofs": true
    // WSL 1 has its own kernel, which applies modes as Linux does.
    case "lxfs", "wslfs": true
    case "nilfs2": !superblockReadOnly && !unobserved.contains(.flags)
    default: false
    }
  }

  /// A Boolean value that indicates whether an ACL other than the observed one may decide.
  ///
  /// 9p and virtiofs pass ACLs through as attributes and apply them only if client and server have
  /// agreed on this (`v9fs_get_acl`, `FUSE_POSIX_ACL`). ZFS has its own check for the lookup of a
  /// name (`zfs_lookup`), which uses the mode and not always the ACL.
  var hasOwnLists: Bool {
    switch fstype {
    case "9p", "virtiofs", "zfs": true
    default: false
    }
  }

  /// A Boolean value that indicates whether a server opens the files.
  ///
  /// The server can refuse access that the kernel's own check grants. The kernel itself opens
  /// devices, FIFOs and sockets on such a filesystem.
  var isServed: Bool { fstype == "9p" || fstype == "virtiofs" }
}
