/// The system call that the subject wants to make.
///
/// The path is absolute and starts at the root of the process.
public enum Request: Hashable, Sendable {
  /// A call to open(2) with exactly one access mode and any other flags.
  ///
  /// If ``OpenFlag/create`` is set and the name does not exist, the call creates a regular file.
  /// ``OpenFlag/exclusive`` requires ``OpenFlag/create``. ``OpenFlag/create`` and
  /// ``OpenFlag/directory`` exclude each other, because the kernel returns `EINVAL` for the
  /// combination (since Linux 6.4). With ``OpenFlag/path``, the combination is valid, because the
  /// kernel ignores ``OpenFlag/create``.
  case open(path: String, flags: Set<OpenFlag>)
  /// A call to faccessat2(2).
  ///
  /// `effective` is `AT_EACCESS`, and `noFollow` is `AT_SYMLINK_NOFOLLOW`. An empty mode only
  /// checks that the object exists (`F_OK`).
  case access(path: String, mode: Permissions, effective: Bool, noFollow: Bool)

  /// The path that is passed to the call, unchanged.
  public var path: String {
    switch self {
    case .open(let path, _), .access(let path, _, _, _): path
    }
  }
}
