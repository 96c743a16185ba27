/// Restrictions by the path itself, the flags of an inode and the flags of the call.
struct PathsLayer: Layer {
  let assessment: Assessment
  let names: Names

  static let causes: [CauseDescription<PathsLayer>] = [
    CauseDescription(.pathNotADirectory, "part of the path is not a directory"),
    CauseDescription(
      .pathTooLong, "name too long",
      note: { _, _ in "No permission is missing: the path is too long for any program." }),
    CauseDescription(
      .symlinkLoop, "too many symbolic links",
      note: { _, _ in "No permission is missing: the links form a loop, or there are too many." }),
    CauseDescription(.symlinkRefused, "symbolic link not followed"),
    CauseDescription(.openFlagRefused, "open flag refused"),
    CauseDescription(.mountNoexec, "mount forbids execution"),
    CauseDescription(.fileImmutable, "immutable"),
    CauseDescription(.fileAppendOnly, "append-only"),
  ]

  /// Returns the cause for a rule that can be explained without further facts.
  func plainCause(_ rule: Rule, at path: String) -> Cause {
    switch rule {
    case .walkNotDirectory:
      Cause(
        .pathNotADirectory,
        summary: "\(path) is not a directory, although the path goes on below it.",
        at: path)
    case .walkTooManyLinks:
      Cause(.symlinkLoop, summary: "The path goes through more than 40 symbolic links.", at: path)
    case .walkNameTooLong:
      Cause(.pathTooLong, summary: "The path, or a name in it, is too long.", at: path)
    case .symlinkProtected:
      Cause(
        .symlinkRefused,
        summary: """
          \(path) is a symbolic link of another user in a sticky, world-writable directory \
          (fs.protected_symlinks).
          """, at: path)
    case .symlinkNoSymfollow:
      Cause(
        .symlinkRefused, summary: "\(path) is a symbolic link on a mount that follows none.",
        at: path)
    case .symlinkNoFollow:
      Cause(
        .symlinkRefused, summary: "\(path) is a symbolic link, and the request follows none.",
        at: path)
    case .openIsDirectory:
      Cause(
        .nodeNotADevice, summary: "\(path) is a directory and cannot be opened for writing.",
        at: path)
    case .mountNoexec:
      Cause(.mountNoexec, summary: "\(path) is on a filesystem that is mounted noexec.", at: path)
    case .inodeImmutable:
      Cause(
        .fileImmutable, summary: "\(path) is marked immutable, so no user may write it.", at: path)
    case .inodeAppendOnly:
      Cause(
        .fileAppendOnly,
        summary: "\(path) is marked append-only, and this request is not for that.",
        at: path)
    case .openExists:
      Cause(
        .openFlagRefused, summary: "\(path) exists, and the request wants a new file (O_EXCL).",
        at: path)
    case .createSticky:
      Cause(
        .openFlagRefused,
        summary: """
          \(path) belongs to another user in a sticky directory, where O_CREAT opens only what \
          the user or the directory's owner created (fs.protected_regular, fs.protected_fifos).
          """, at: path)
    case .createUnmappedID:
      Cause(
        .usernsUnmapped,
        summary: """
          The filesystem of \(path) has no number for the user or group that a new file would \
          belong to, so nothing can be created there.
          """, at: path)
    case .createUnsupported:
      Cause(
        .openFlagRefused,
        summary: """
          Only the kernel creates files on the filesystem of \(path).
          """, at: path)
    case .openNoAccessTime:
      Cause(
        .openFlagRefused, summary: "Only the owner of \(path) may open it with O_NOATIME.", at: path
      )
    default:
      Cause(.unknown, summary: "The rule \(rule.rawValue) refuses \(path).", at: path)
    }
  }
}
