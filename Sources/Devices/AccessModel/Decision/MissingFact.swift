/// A fact that was not observed but could have changed the answer.
///
/// See <doc:KernelRules#Missing-facts>.
public enum MissingFact: UInt8, Hashable, Sendable, CaseIterable {
  /// The node for `/`, where every walk begins.
  case root
  /// The type, mode and owner of a node: stat(2) failed for a reason other than absence.
  case status
  /// The access control list of a node, which can grant and refuse access.
  case accessControlList
  /// The immutable and append-only flags, which statx(2) does not report on every filesystem.
  case inodeFlags
  /// The existence of a name that is not listed in a directory.
  case contents
  /// The target of a symbolic link.
  case linkTarget
  /// The answer of a filesystem with its own permission check, such as FUSE or NFS.
  case filesystem
  /// The superblock's `SB_I_NODEV` flag, which forbids devices and is not in mountinfo.
  case superblockNodev
  /// The maps of an id-mapped mount, which determine the IDs of every inode on it.
  case mountIDMap
  /// The flags of a mount, such as `nodev` and `ro`: the mount table could not be read.
  case mountFlags
  /// The user and group of the subject, or the future IDs of a dynamic user.
  case subjectIDs
  /// The supplementary groups of the subject.
  case groups
  /// The capability sets of the subject, or the secure bits that select among them.
  case capabilities
  /// The IDs that the subject's user namespace maps; without them no capability counts.
  case userNamespace
  /// The rules of the device control group, such as a version 2 program, which cannot be read.
  case deviceCgroup
  /// The equality of two IDs that both read as 65534 or as not mapped.
  case overflowIDs
  /// The value of one of the `fs.protected_*` settings.
  case settings

  /// The reason as one clause, without the object that it concerns.
  public var reason: String {
    switch self {
    case .root: "the root directory was not observed"
    case .status: "the type, mode and owner were not observed"
    case .accessControlList: "the access control list was not observed"
    case .inodeFlags: "the immutable and append-only flags were not observed"
    case .contents: "the contents of the directory were not observed"
    case .linkTarget: "the target of the symbolic link was not observed"
    case .filesystem: "the filesystem has permission rules of its own"
    case .superblockNodev: "the nodev flag of the superblock was not observed"
    case .mountIDMap: "the maps of the id-mapped mount were not observed"
    case .mountFlags: "the mount flags were not observed"
    case .subjectIDs: "the user and group IDs of the subject were not observed"
    case .groups: "the supplementary groups of the subject were not observed"
    case .capabilities: "the capabilities of the subject were not observed"
    case .userNamespace: "the user namespace of the subject was not observed"
    case .deviceCgroup: "the device cgroup of the subject was not observed"
    case .overflowIDs: "the real owner or group is hidden (shown as 65534)"
    case .settings: "what fs.protected_* restricts in shared directories was not observed"
    }
  }
}
