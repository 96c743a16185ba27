internal import AccessModel

extension Rule {
  /// The rule in words, as one clause that fits both a grant and a denial.
  var words: String {
    switch self {
    case .walkNoEntry: "no such file or directory"
    case .walkNotDirectory: "a component of the path is not a directory"
    case .walkTooManyLinks: "the path contains more than 40 symbolic links"
    case .walkNameTooLong: "the path or a name in it is too long"
    case .symlinkProtected:
      "in a sticky, world-writable directory, only links of the caller or of the directory's "
        + "owner are followed (fs.protected_symlinks)"
    case .symlinkNoSymfollow: "the mount does not follow symbolic links (nosymfollow)"
    case .symlinkNoFollow: "the object is a symbolic link, and the request does not follow links"
    case .openIsDirectory: "a directory cannot be opened for writing or created by open(2)"
    case .openExists: "the file exists, and the request is for a new file (O_EXCL)"
    case .createSticky:
      "in a sticky directory, O_CREAT opens only files of the user or of the directory's owner "
        + "(fs.protected_regular, fs.protected_fifos)"
    case .createUnmappedID: "the filesystem cannot store the user or group that would own the file"
    case .createUnsupported: "only the kernel creates files in this filesystem"
    case .openPathNoCheck: "an O_PATH open does not check the object"
    case .mountNodev: "no user can open a device on a nodev mount"
    case .mountNoexec: "no user can execute a file on a noexec mount"
    case .mountReadOnly: "the mount is read-only"
    case .superblockReadOnly: "the filesystem is read-only"
    case .inodeImmutable: "the immutable flag forbids all writing"
    case .inodeAppendOnly: "the append-only flag allows only appending"
    case .inodeUnmappedID:
      "no user may write if the mount does not map the owner or group"
    case .openNoAccessTime: "only the owner may use O_NOATIME"
    case .deviceCgroup: "the device cgroup does not allow the device, whatever its mode and ACL"
    case .modeOwner: "the user is the owner, so only the owner permissions apply"
    case .modeGroup: "the user is in the group, so only the group permissions apply"
    case .modeOther:
      "the user is neither the owner nor in the group, so the permissions for others apply"
    case .aclUser: "an access control list entry names this user, so only that entry applies"
    case .aclGroup: "the access control list entries for the user's groups apply"
    case .aclMask: "an access control list entry matches, but the mask limits it"
    case .aclOther:
      "no entry matches, so 'other' applies"
    case .overrideFileAccess: "CAP_DAC_OVERRIDE overrides modes and access lists"
    case .readAndSearch: "CAP_DAC_READ_SEARCH overrides modes and access lists for reading"
    }
  }
}
