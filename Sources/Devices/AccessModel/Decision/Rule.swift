/// A rule that can decide a request.
///
/// The case format uses the raw values. <doc:KernelRules> lists the pages that describe each rule.
public enum Rule: String, Hashable, Sendable, Codable, CaseIterable {
  /// A name does not exist in its directory (`ENOENT`): <doc:PathRules#walk.noent>.
  case walkNoEntry = "walk.noent"
  /// A directory is required, and the object is not one (`ENOTDIR`): <doc:PathRules#walk.notdir>.
  case walkNotDirectory = "walk.notdir"
  /// The path has more than 40 symbolic links (`ELOOP`): <doc:PathRules#walk.too_many_links>.
  case walkTooManyLinks = "walk.too_many_links"
  /// A name or the path is too long (`ENAMETOOLONG`): <doc:PathRules#walk.name_too_long>.
  case walkNameTooLong = "walk.name_too_long"
  /// `fs.protected_symlinks` forbids following another user's link in a sticky directory
  /// (`EACCES`): <doc:PathRules#symlink.protected>.
  case symlinkProtected = "symlink.protected"
  /// The mount does not allow symbolic links to be followed (`ELOOP`):
  /// <doc:PathRules#symlink.nosymfollow>.
  case symlinkNoSymfollow = "symlink.nosymfollow"
  /// The path ends at a symbolic link, and `O_NOFOLLOW` is set (`ELOOP`):
  /// <doc:PathRules#symlink.nofollow>.
  case symlinkNoFollow = "symlink.nofollow"
  /// A directory was opened for writing, or `O_CREAT` was used on a directory or on a name with a
  /// trailing slash (`EISDIR`): <doc:ObjectRules#open.isdir>.
  case openIsDirectory = "open.isdir"
  /// The name exists, and `O_EXCL` is set (`EEXIST`): <doc:CreationRules#open.exists>.
  case openExists = "open.exists"
  /// `O_CREAT` would open another user's object in a sticky directory (`EACCES`; see
  /// `fs.protected_regular` and `fs.protected_fifos`): <doc:CreationRules#create.sticky>.
  case createSticky = "create.sticky"
  /// The filesystem cannot store the IDs of the user who creates the file (`EOVERFLOW`):
  /// <doc:CreationRules#create.unmapped_id>.
  case createUnmappedID = "create.unmapped_id"
  /// No user can create a file on the filesystem (`EACCES`, or `ENOENT` on procfs):
  /// <doc:CreationRules#create.unsupported>.
  case createUnsupported = "create.unsupported"
  /// `O_PATH` requires no permission on the object, so access is granted:
  /// <doc:PathRules#opath.no_check>.
  case openPathNoCheck = "opath.no_check"
  /// The mount or its superblock does not allow devices (`EACCES`): <doc:ObjectRules#mount.nodev>.
  case mountNodev = "mount.nodev"
  /// The mount does not allow execution (`EACCES`): <doc:ObjectRules#mount.noexec>.
  case mountNoexec = "mount.noexec"
  /// The mount is read-only (`EROFS`): <doc:ObjectRules#mount.readonly>.
  case mountReadOnly = "mount.readonly"
  /// The superblock is read-only (`EROFS`): <doc:ObjectRules#sb.readonly>.
  case superblockReadOnly = "sb.readonly"
  /// The inode is immutable (`EPERM`): <doc:ObjectRules#inode.immutable>.
  case inodeImmutable = "inode.immutable"
  /// The inode is append-only (`EPERM`): <doc:ObjectRules#inode.append_only>.
  case inodeAppendOnly = "inode.append_only"
  /// The mount does not map the inode's owner or group (`EACCES`):
  /// <doc:ObjectRules#inode.unmapped_id>.
  case inodeUnmappedID = "inode.unmapped_id"
  /// The subject is not the owner, and `O_NOATIME` is set (`EPERM`):
  /// <doc:ObjectRules#open.noatime>.
  case openNoAccessTime = "open.noatime"
  /// The device list of a version 1 control group refuses access (`EPERM`):
  /// <doc:ObjectRules#devcg>.
  case deviceCgroup = "devcg"
  /// The mode's owner bits decided: <doc:ModeRules#mode.owner>.
  case modeOwner = "mode.owner"
  /// The mode's group bits decided: <doc:ModeRules#mode.group>.
  case modeGroup = "mode.group"
  /// The mode's bits for others decided: <doc:ModeRules#mode.other>.
  case modeOther = "mode.other"
  /// The ACL entry of a named user decided: <doc:ModeRules#acl.user>.
  case aclUser = "acl.user"
  /// The ACL entries of groups decided: <doc:ModeRules#acl.group>.
  case aclGroup = "acl.group"
  /// The mask denied what the matching ACL entry allows: <doc:ModeRules#acl.mask>.
  case aclMask = "acl.mask"
  /// The ACL entry for others decided: <doc:ModeRules#acl.other>.
  case aclOther = "acl.other"
  /// `CAP_DAC_OVERRIDE` granted what the mode or ACL denies: <doc:ModeRules#cap.dac_override>.
  case overrideFileAccess = "cap.dac_override"
  /// `CAP_DAC_READ_SEARCH` granted what the mode or ACL denies:
  /// <doc:ModeRules#cap.dac_read_search>.
  case readAndSearch = "cap.dac_read_search"
}

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

/// A three-valued answer, which is `maybe` if it depends on a fact that was not observed.
enum Ternary: UInt8, Comparable {
  case no
  case maybe
  case yes

  init(_ value: Bool) {
    self = value ? .yes : .no
  }

  static func < (left: Ternary, right: Ternary) -> Bool {
    left.rawValue < right.rawValue
  }

  var negated: Ternary {
    switch self {
    case .no: .yes
    case .maybe: .maybe
    case .yes: .no
    }
  }

  func and(_ other: Ternary) -> Ternary {
    min(self, other)
  }
}
