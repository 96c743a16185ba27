extension Attempt: Codable {
  private enum Keys: String, CodingKey {
    case path
    case operation
    case systemCall = "system_call"
    case flags
    case errno
  }

  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: Keys.self)
    let flags: [OpenFlag]? = try values.boundedIfPresent(
      .flags, limit: OpenFlag.allCases.count)
    self.init(
      path: try values.decode(String.self, forKey: .path),
      operation: try values.decode(Operation.self, forKey: .operation),
      systemCall: try values.decodeIfPresent(String.self, forKey: .systemCall),
      flags: flags.map { Set($0) }, errno: try values.decode(Errno.self, forKey: .errno))
  }

  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: Keys.self)
    try values.encode(path, forKey: .path)
    try values.encode(operation, forKey: .operation)
    try values.encodeIfPresent(systemCall, forKey: .systemCall)
    if let flags {
      try values.encode(flags.sorted { $0.rawValue < $1.rawValue }, forKey: .flags)
    }
    try values.encode(errno, forKey: .errno)
  }
}
