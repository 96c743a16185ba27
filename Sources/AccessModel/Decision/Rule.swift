/// The rule that decided.
///
/// Raw values are the words of the case format. Each rule has a section in <doc:KernelRules>.
public enum Rule: String, Hashable, Sendable, Codable, CaseIterable {
  /// A name is not in its directory, `ENOENT`: <doc:PathRules#walk.noent>.
  case walkNoEntry = "walk.noent"
  /// What must be a directory is none, `ENOTDIR`: <doc:PathRules#walk.notdir>.
  case walkNotDirectory = "walk.notdir"
  /// The walk met more than 40 symbolic links, `ELOOP`: <doc:PathRules#walk.too_many_links>.
  case walkTooManyLinks = "walk.too_many_links"
  /// A name or the path is too long, `ENAMETOOLONG`: <doc:PathRules#walk.name_too_long>.
  case walkNameTooLong = "walk.name_too_long"
  /// Somebody else's link in a sticky directory (`fs.protected_symlinks`), `EACCES`:
  /// <doc:PathRules#symlink.protected>.
  case symlinkProtected = "symlink.protected"
  /// The mount follows no symbolic links, `ELOOP`: <doc:PathRules#symlink.nosymfollow>.
  case symlinkNoSymfollow = "symlink.nosymfollow"
  /// `O_NOFOLLOW` ended at a symbolic link, `ELOOP`: <doc:PathRules#symlink.nofollow>.
  case symlinkNoFollow = "symlink.nofollow"
  /// A directory was opened to write or to create, `EISDIR`: <doc:ObjectRules#open.isdir>.
  case openIsDirectory = "open.isdir"
  /// `O_EXCL`, and the name exists, `EEXIST`: <doc:CreationRules#open.exists>.
  case openExists = "open.exists"
  /// Somebody else's file in a sticky directory (`fs.protected_regular`, `fs.protected_fifos`),
  /// `EACCES`: <doc:CreationRules#create.sticky>.
  case createSticky = "create.sticky"
  /// The filesystem cannot hold the ids of who creates, `EOVERFLOW`:
  /// <doc:CreationRules#create.unmapped_id>.
  case createUnmappedID = "create.unmapped_id"
  /// The filesystem has no files that anybody could create, `EACCES`:
  /// <doc:CreationRules#create.unsupported>.
  case createUnsupported = "create.unsupported"
  /// `O_PATH` asks nothing of the object and is granted: <doc:PathRules#opath.no_check>.
  case openPathNoCheck = "opath.no_check"
  /// The mount or its superblock forbids devices, `EACCES`: <doc:ObjectRules#mount.nodev>.
  case mountNodev = "mount.nodev"
  /// The mount forbids execution, `EACCES`: <doc:ObjectRules#mount.noexec>.
  case mountNoexec = "mount.noexec"
  /// The mount is read-only, `EROFS`: <doc:ObjectRules#mount.readonly>.
  case mountReadOnly = "mount.readonly"
  /// The superblock is read-only, `EROFS`: <doc:ObjectRules#sb.readonly>.
  case superblockReadOnly = "sb.readonly"
  /// The inode is immutable, `EPERM`: <doc:ObjectRules#inode.immutable>.
  case inodeImmutable = "inode.immutable"
  /// The inode can only be appended to, `EPERM`: <doc:ObjectRules#inode.append_only>.
  case inodeAppendOnly = "inode.append_only"
  /// The mount does not map the inode's owner or group, `EACCES`:
  /// <doc:ObjectRules#inode.unmapped_id>.
  case inodeUnmappedID = "inode.unmapped_id"
  /// `O_NOATIME` by somebody who is not the owner, `EPERM`: <doc:ObjectRules#open.noatime>.
  case openNoAccessTime = "open.noatime"
  /// The device list of a version 1 control group refuses, `EPERM`: <doc:ObjectRules#devcg>.
  case deviceCgroup = "devcg"
  /// The owner's bits of the mode decided: <doc:ModeRules#mode.owner>.
  case modeOwner = "mode.owner"
  /// The group's bits of the mode decided: <doc:ModeRules#mode.group>.
  case modeGroup = "mode.group"
  /// The bits of others in the mode decided: <doc:ModeRules#mode.other>.
  case modeOther = "mode.other"
  /// The list entry of a named user decided: <doc:ModeRules#acl.user>.
  case aclUser = "acl.user"
  /// The list entries of groups decided: <doc:ModeRules#acl.group>.
  case aclGroup = "acl.group"
  /// The mask limits the list entry that matched: <doc:ModeRules#acl.mask>.
  case aclMask = "acl.mask"
  /// The list entry for others decided: <doc:ModeRules#acl.other>.
  case aclOther = "acl.other"
  /// `CAP_DAC_OVERRIDE` granted what the mode refuses: <doc:ModeRules#cap.dac_override>.
  case overrideFileAccess = "cap.dac_override"
  /// `CAP_DAC_READ_SEARCH` granted what the mode refuses: <doc:ModeRules#cap.dac_read_search>.
  case readAndSearch = "cap.dac_read_search"
}
