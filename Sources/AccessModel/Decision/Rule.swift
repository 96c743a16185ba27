/// The rule that decided.
///
/// Raw values are the words of the case format.
public enum Rule: String, Hashable, Sendable, Codable, CaseIterable {
  case walkNoEntry = "walk.noent"
  case walkNotDirectory = "walk.notdir"
  case walkTooManyLinks = "walk.too_many_links"
  case walkNameTooLong = "walk.name_too_long"
  case symlinkProtected = "symlink.protected"
  case symlinkNoSymfollow = "symlink.nosymfollow"
  case symlinkNoFollow = "symlink.nofollow"
  case openIsDirectory = "open.isdir"
  /// `O_EXCL`, and the name exists.
  case openExists = "open.exists"
  /// Somebody else's file in a sticky directory (`fs.protected_regular`, `fs.protected_fifos`).
  case createSticky = "create.sticky"
  /// The filesystem cannot hold the ids of who creates.
  case createUnmappedID = "create.unmapped_id"
  /// The filesystem has no files that anybody could create.
  case createUnsupported = "create.unsupported"
  case openPathNoCheck = "opath.no_check"
  case mountNodev = "mount.nodev"
  case mountNoexec = "mount.noexec"
  case mountReadOnly = "mount.readonly"
  case superblockReadOnly = "sb.readonly"
  case inodeImmutable = "inode.immutable"
  case inodeAppendOnly = "inode.append_only"
  case inodeUnmappedID = "inode.unmapped_id"
  case openNoAccessTime = "open.noatime"
  case deviceCgroup = "devcg"
  case modeOwner = "mode.owner"
  case modeGroup = "mode.group"
  case modeOther = "mode.other"
  case aclUser = "acl.user"
  case aclGroup = "acl.group"
  case aclMask = "acl.mask"
  case aclOther = "acl.other"
  case overrideFileAccess = "cap.dac_override"
  case readAndSearch = "cap.dac_read_search"
}
