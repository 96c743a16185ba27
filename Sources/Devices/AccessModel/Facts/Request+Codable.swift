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
