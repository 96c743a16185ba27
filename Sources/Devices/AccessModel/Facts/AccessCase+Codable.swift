/// The documented case format: one JSON object with snake-case keys.
extension AccessCase: Codable {
  private enum Keys: String, CodingKey {
    case id
    case sysctl
    case mounts
    case nodes
    case subject
    case request
  }

  private enum SysctlKeys: String, CodingKey {
    case protectedSymlinks = "protected_symlinks"
    case protectedRegular = "protected_regular"
    case protectedFifos = "protected_fifos"
    case unobserved
  }

  /// Decodes and validates a case.
  ///
  /// Malformed or malicious input throws an error and never traps.
  ///
  /// - Throws: A `DecodingError` with the coding path and a one-line description of the problem.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: Keys.self)
    id = try values.decode(Int.self, forKey: .id)
    let sysctl = try values.nestedContainer(keyedBy: SysctlKeys.self, forKey: .sysctl)
    switch try sysctl.decode(Int.self, forKey: .protectedSymlinks) {
    case 0: protectedSymlinks = false
    case 1: protectedSymlinks = true
    case let other:
      throw sysctl.invalid(.protectedSymlinks, "protected_symlinks is 0 or 1, not \(other)")
    }
    protectedRegular = try Self.level(.protectedRegular, in: sysctl)
    protectedFifos = try Self.level(.protectedFifos, in: sysctl)
    unobserved = try sysctl.decodeIfPresent(Set<Setting>.self, forKey: .unobserved) ?? []
    mounts = try values.bounded(.mounts, limit: CaseLimits.mounts)
    nodes = try values.bounded(.nodes, limit: CaseLimits.nodes)
    subject = try values.decode(Subject.self, forKey: .subject)
    request = try values.decode(Request.self, forKey: .request)
    guard mounts.first?.at == "/" else {
      throw values.invalid(.mounts, "the first mount is at /")
    }
    if let problem = nodesProblem() { throw values.invalid(.nodes, problem) }
  }

  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: Keys.self)
    try values.encode(id, forKey: .id)
    var sysctl = values.nestedContainer(keyedBy: SysctlKeys.self, forKey: .sysctl)
    try sysctl.encode(protectedSymlinks ? 1 : 0, forKey: .protectedSymlinks)
    // These settings matter only when a file may be created, and are newer than the format.
    if protectedRegular != 0 { try sysctl.encode(protectedRegular, forKey: .protectedRegular) }
    if protectedFifos != 0 { try sysctl.encode(protectedFifos, forKey: .protectedFifos) }
    try sysctl.encodeSorted(unobserved, forKey: .unobserved)
    try values.encode(mounts, forKey: .mounts)
    try values.encode(nodes, forKey: .nodes)
    try values.encode(subject, forKey: .subject)
    try values.encode(request, forKey: .request)
  }

  /// Decodes a setting; if the key is absent, the setting is off.
  private static func level(
    _ key: SysctlKeys, in sysctl: KeyedDecodingContainer<SysctlKeys>
  ) throws -> Int {
    let level = try sysctl.decodeIfPresent(Int.self, forKey: key) ?? 0
    guard (0...2).contains(level) else {
      throw sysctl.invalid(key, "\(key.rawValue) is 0, 1 or 2, not \(level)")
    }
    return level
  }

  /// Returns the first problem in the tree of nodes as one clause; `nil` if the tree is valid.
  private func nodesProblem() -> String? {
    var types: [PathKey: FileType] = [:]
    types.reserveCapacity(nodes.count)
    for node in nodes
    where types.updateValue(node.type, forKey: PathKey(node.path)) != nil {
      return "a path is listed twice: \(node.path)"
    }
    guard types[PathKey("/")] == .directory else { return "the directory / is not listed" }
    for node in nodes where node.path != "/" {
      let slash = node.path.utf8.lastIndex(of: UInt8(ascii: "/")) ?? node.path.startIndex
      let parent = slash == node.path.startIndex ? "/" : String(node.path[..<slash])
      guard types[PathKey(parent)] == .directory else {
        return "the directory of a path is not listed: \(node.path)"
      }
    }
    return nil
  }
}
