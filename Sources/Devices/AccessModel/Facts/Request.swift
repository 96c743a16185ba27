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

/// A flag of open(2).
///
/// The case format uses the raw values, which are the C constants without `O_`.
public enum OpenFlag: String, Hashable, Sendable, Codable, CaseIterable {
  /// `O_RDONLY`.
  case readOnly = "RDONLY"
  /// `O_WRONLY`.
  case writeOnly = "WRONLY"
  /// `O_RDWR`.
  case readWrite = "RDWR"
  /// Access mode 3, which requires read and write permission but opens for neither.
  case accessMode3 = "ACCMODE3"
  /// `O_PATH`: opens a descriptor for the location only, which requires no permission on the
  /// object.
  case path = "PATH"
  /// `O_TRUNC`, which requires write permission in every access mode.
  case truncate = "TRUNC"
  /// `O_APPEND`, which is required to write to an append-only file.
  case append = "APPEND"
  /// `O_NONBLOCK`, which does not affect permissions.
  case nonBlocking = "NONBLOCK"
  /// `O_DIRECTORY`: the object must be a directory.
  case directory = "DIRECTORY"
  /// `O_NOFOLLOW`: a symbolic link at the end of the path is not followed.
  case noFollow = "NOFOLLOW"
  /// `O_NOATIME`, which only the owner and `CAP_FOWNER` may use.
  case noAccessTime = "NOATIME"
  /// `O_CREAT`: the file is created if it does not exist.
  case create = "CREAT"
  /// `O_EXCL`: the name must not exist, not even as a symbolic link; requires ``create``.
  case exclusive = "EXCL"
}

extension Set<OpenFlag> {
  /// The reason why the creation flags are invalid, as one clause; `nil` if they are valid.
  fileprivate var creationProblem: String? {
    if contains(.exclusive) && !contains(.create) { return "EXCL is only taken with CREAT" }
    if contains(.create) && contains(.directory) && !contains(.path) {
      return "CREAT and DIRECTORY exclude each other"
    }
    return nil
  }
}

extension Request: Codable {
  private enum Keys: String, CodingKey {
    case op
    case path
    case flags
    case mode
    case eaccess
    case nofollow
  }

  private static let accessModes: Set<OpenFlag> = [
    .readOnly, .writeOnly, .readWrite, .accessMode3, .path,
  ]

  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: Keys.self)
    let path = try values.decode(String.self, forKey: .path)
    if let problem = CaseLimits.problem(ofText: path, limit: CaseLimits.requestPath) {
      throw values.invalid(.path, problem)
    }
    guard path.utf8.first == UInt8(ascii: "/") else {
      throw values.invalid(.path, "the path of a request is absolute")
    }
    switch try values.decode(String.self, forKey: .op) {
    case "open":
      let flags = try values.decode(Set<OpenFlag>.self, forKey: .flags)
      guard flags.intersection(Self.accessModes).count == 1 else {
        throw values.invalid(.flags, "exactly one of RDONLY WRONLY RDWR ACCMODE3 PATH is needed")
      }
      if let problem = flags.creationProblem { throw values.invalid(.flags, problem) }
      self = .open(path: path, flags: flags)
    case "access":
      guard let mode = Permissions(letters: try values.decode(String.self, forKey: .mode)) else {
        throw values.invalid(.mode, "the letters of a mode are r, w and x")
      }
      self = .access(
        path: path, mode: mode, effective: try values.decode(Bool.self, forKey: .eaccess),
        noFollow: try values.decode(Bool.self, forKey: .nofollow))
    default: throw values.invalid(.op, "a request is open or access")
    }
  }

  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: Keys.self)
    switch self {
    case .open(let path, let flags):
      try values.encode("open", forKey: .op)
      try values.encode(path, forKey: .path)
      try values.encode(OpenFlag.allCases.filter(flags.contains), forKey: .flags)
    case .access(let path, let mode, let effective, let noFollow):
      try values.encode("access", forKey: .op)
      try values.encode(path, forKey: .path)
      try values.encode(mode.letters, forKey: .mode)
      try values.encode(effective, forKey: .eaccess)
      try values.encode(noFollow, forKey: .nofollow)
    }
  }
}
