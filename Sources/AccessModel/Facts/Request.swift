/// What the subject wants to do.
///
/// The path is absolute, from the root of the process.
public enum Request: Hashable, Sendable {
  /// open(2) with exactly one access mode and any other flags.
  ///
  /// With ``OpenFlag/create`` a name that does not exist is a regular file to create.
  /// ``OpenFlag/exclusive`` needs it, and ``OpenFlag/directory`` excludes it: the kernel answers
  /// `EINVAL` to both at once (since Linux 6.4), except with ``OpenFlag/path``, which drops it.
  case open(path: String, flags: Set<OpenFlag>)
  /// faccessat2(2): `effective` is `AT_EACCESS`, `noFollow` is `AT_SYMLINK_NOFOLLOW`. An empty
  /// mode asks for existence (`F_OK`).
  case access(path: String, mode: Permissions, effective: Bool, noFollow: Bool)

  /// The path that the call is given, as it is written.
  public var path: String {
    switch self {
    case .open(let path, _), .access(let path, _, _, _): path
    }
  }
}
