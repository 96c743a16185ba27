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
