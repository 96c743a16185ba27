internal import AccessModel

extension Rule {
  /// The rule in words, as one clause that fits both a grant and a denial.
  var words: String {
    switch self {
    case .walkNoEntry: "there is nothing of that name"
    case .walkNotDirectory: "a component on the way is no directory"
    case .walkTooManyLinks: "more than 40 symbolic links on the way"
    case .walkNameTooLong: "the path or a name in it is too long"
    case .symlinkProtected:
      "in a sticky, world-writable directory only the link's owner or the directory's may "
        + "lead (fs.protected_symlinks)"
    case .symlinkNoSymfollow: "the mount follows no symbolic links (nosymfollow)"
    case .symlinkNoFollow: "it is a symbolic link, and the request follows none"
    case .openIsDirectory: "a directory cannot be opened for writing or created by open(2)"
    case .openExists: "it exists, and the request wants a new file (O_EXCL)"
    case .createSticky:
      "in a sticky directory O_CREAT opens only what the user or the directory's owner put there "
        + "(fs.protected_regular, fs.protected_fifos)"
    case .createUnmappedID: "the filesystem cannot hold the user or group that would own the file"
    case .createUnsupported: "the filesystem holds the kernel's own files alone"
    case .openPathNoCheck: "an O_PATH open asks nothing of the object"
    case .mountNodev: "devices cannot be opened on a nodev mount, by nobody"
    case .mountNoexec: "files cannot be executed on a noexec mount"
    case .mountReadOnly: "the mount is read-only"
    case .superblockReadOnly: "the filesystem is read-only"
    case .inodeImmutable: "the immutable flag forbids writing, to everybody"
    case .inodeAppendOnly: "the append-only flag allows appending alone"
    case .inodeUnmappedID:
      "nobody may write where the owner or the group is not mapped through the mount"
    case .openNoAccessTime: "O_NOATIME is for the owner"
    case .deviceCgroup: "the device control group decides after modes and lists"
    case .modeOwner: "the subject owns it, so the owner's bits decide alone"
    case .modeGroup: "the subject is in its group, so the group's bits decide alone"
    case .modeOther: "the subject is neither the owner nor in the group: the others' bits decide"
    case .aclUser: "an access control list entry names the subject's user and decides alone"
    case .aclGroup: "the access control list entries of the subject's groups decide"
    case .aclMask: "the access control list has a fitting entry, and its mask takes it back"
    case .aclOther: "no access control list entry fits the subject: the others' entry decides"
    case .overrideFileAccess: "CAP_DAC_OVERRIDE overrides modes and lists"
    case .readAndSearch: "CAP_DAC_READ_SEARCH overrides modes and lists for reading"
    }
  }
}
