/// What was not observed, where it could have changed the answer.
///
/// See <doc:KernelRules#Missing-facts>.
public enum MissingFact: UInt8, Hashable, Sendable, CaseIterable {
  /// No node stands for `/`, where every walk begins.
  case root
  /// Type, mode and owner of a node: stat(2) failed for another reason than absence.
  case status
  /// The access control list of a node, which can grant and refuse.
  case accessControlList
  /// The immutable and append-only flags, which statx(2) does not tell on every filesystem.
  case inodeFlags
  /// Whether a directory holds a name that is not listed.
  case contents
  /// Where a symbolic link leads.
  case linkTarget
  /// What a filesystem with a permission check of its own answers, such as FUSE or NFS.
  case filesystem
  /// Whether the superblock forbids devices (`SB_I_NODEV`), which mountinfo does not show.
  case superblockNodev
  /// The maps of an id-mapped mount, and with them the ids of every inode on it.
  case mountIDMap
  /// The flags of a mount, such as `nodev` and `ro`: the mount table could not be read.
  case mountFlags
  /// The user and group of the subject, or the numbers that a dynamic user will get.
  case subjectIDs
  /// The supplementary groups of the subject.
  case groups
  /// The capability sets of the subject, or the secure bits that choose among them.
  case capabilities
  /// Which ids the user namespace of the subject maps, without which no capability counts.
  case userNamespace
  /// What the device control group refuses, such as a version 2 program, which cannot be read.
  case deviceCgroup
  /// Whether two ids are the same that both read as 65534 or as not mapped.
  case overflowIDs
  /// What one of the `fs.protected_*` settings is set to.
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
    case .superblockNodev: "whether the superblock forbids devices was not observed"
    case .mountIDMap: "the maps of the id-mapped mount were not observed"
    case .mountFlags: "the mount flags were not observed"
    case .subjectIDs: "the user and group ids of the subject were not observed"
    case .groups: "the supplementary groups of the subject were not observed"
    case .capabilities: "the capabilities of the subject were not observed"
    case .userNamespace: "the user namespace of the subject was not observed"
    case .deviceCgroup: "the device control group of the subject was not observed"
    case .overflowIDs: "an owner or a group shows as 65534 and may be any"
    case .settings: "what fs.protected_* restricts in shared directories was not observed"
    }
  }
}
