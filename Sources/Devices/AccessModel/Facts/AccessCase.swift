/// A question about access, with all the facts that the kernel's decision depends on and no others.
///
/// Deciding a case requires no privileges and does not access the machine. The JSON form is the
/// documented case format, with one object per line.
///
/// The `unobserved` members extend that format for facts that were read from a machine. If they are
/// absent, everything was observed. A null `userns`, `devcg` or `idmap` means that there is none.
/// If the key is absent, the value was not observed. The same applies to `fs_userns` if the mount
/// has an `idmap`.
public struct AccessCase: Hashable, Sendable {
  /// A kernel setting that could not be observed.
  public enum Setting: String, Hashable, Sendable, Codable {
    /// `fs.protected_symlinks`.
    case protectedSymlinks = "protected_symlinks"
    /// `fs.protected_regular`.
    case protectedRegular = "protected_regular"
    /// `fs.protected_fifos`.
    case protectedFifos = "protected_fifos"
  }

  /// A number that identifies the case within a file; it does not affect the decision.
  public var id: Int
  /// `fs.protected_symlinks`.
  public var protectedSymlinks: Bool
  /// The value of `fs.protected_regular`, from 0 to 2.
  ///
  /// It determines whether `O_CREAT` may open another user's regular file in a sticky directory.
  public var protectedRegular = 0
  /// The value of `fs.protected_fifos`, from 0 to 2, which restricts `O_CREAT` on FIFOs in the same
  /// way.
  public var protectedFifos = 0
  /// The settings that could not be observed; the values of their properties are ignored.
  public var unobserved: Set<Setting> = []
  /// The mounts that the path crosses.
  ///
  /// The first mount is at `/`. If two mounts have the same mount point, the later one covers the
  /// earlier one.
  public var mounts: [Mount]
  /// The objects on the path, including all parent directories.
  ///
  /// A path that is not listed does not exist, unless the contents of its directory were not
  /// observed.
  public var nodes: [Node]
  /// The thread that makes the request.
  public var subject: Subject
  /// The system call that the thread makes.
  public var request: Request

  /// Creates a fully observed case in which `fs.protected_regular` and `fs.protected_fifos` are 0.
  public init(
    id: Int = 0, protectedSymlinks: Bool, mounts: [Mount], nodes: [Node], subject: Subject,
    request: Request
  ) {
    self.id = id
    self.protectedSymlinks = protectedSymlinks
    self.mounts = mounts
    self.nodes = nodes
    self.subject = subject
    self.request = request
  }
}

extension AccessCase {
  /// Returns the index of the mount that contains a canonical path.
  ///
  /// This is the mount with the longest mount point at or above the path, or the last one if
  /// several mounts have the same mount point.
  package func mountIndex(of path: String) -> Int? {
    var best: Int?
    for (index, mount) in mounts.enumerated() {
      guard mount.at == "/" || path.isAtOrBelow(mount.at) else { continue }
      if best.map({ mount.at.utf8.count >= mounts[$0].at.utf8.count }) ?? true { best = index }
    }
    return best
  }

  func mount(of path: String) -> Mount? { mountIndex(of: path).map { mounts[$0] } }
}

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

/// Limits on a case that is decoded from external input.
enum CaseLimits {
  static let mounts = 100_000
  static let nodes = 100_000
  /// `NGROUPS_MAX`.
  static let groups = 65_536
  /// The maximum number of list entries, which fill the largest extended attribute (64 KiB).
  static let entries = 8_192
  /// The maximum number of ranges in a map.
  ///
  /// It is greater than `UID_GID_MAP_MAX_EXTENTS` (340), because composed maps can have more
  /// ranges.
  static let ranges = 4_096
  static let exceptions = 16_384
  /// `PATH_MAX`: the maximum number of bytes in a path or a link's target.
  static let path = 4_096
  /// The maximum number of bytes in a request's path, which may exceed `PATH_MAX` and is then
  /// refused.
  static let requestPath = 65_536

  /// Returns the reason why a path is not absolute and canonical, as one clause; `nil` if it is.
  static func problem(ofCanonical path: String) -> String? {
    if path == "/" { return nil }
    if let problem = problem(ofText: path, limit: Self.path) { return problem }
    var isStart = true
    var nameCount = 0
    var dots = 0
    for byte in path.utf8 {
      if byte == UInt8(ascii: "/") {
        if !isStart && (nameCount == 0 || (nameCount <= 2 && dots == nameCount)) {
          return "a path is not canonical"
        }
        isStart = false
        nameCount = 0
        dots = 0
      } else {
        if isStart { return "a path is not absolute" }
        nameCount += 1
        if byte == UInt8(ascii: ".") { dots += 1 }
      }
    }
    if nameCount == 0 || (nameCount <= 2 && dots == nameCount) { return "a path is not canonical" }
    return nil
  }

  /// Returns the reason why text cannot be a C string of limited length; `nil` if it can.
  static func problem(ofText text: String, limit: Int) -> String? {
    if text.isEmpty { return "a path is empty" }
    if ByteText(text).byteCount > limit { return "a path has more than \(limit) bytes" }
    if text.utf8.contains(0) { return "a path holds a zero byte" }
    return nil
  }
}

extension KeyedDecodingContainer {
  /// Returns an error for a value that has the right type but is invalid.
  func invalid(_ key: Key, _ description: String) -> DecodingError {
    .dataCorruptedError(forKey: key, in: self, debugDescription: description)
  }

  /// Decodes an array with at most `limit` elements.
  func bounded<Element: Decodable>(_ key: Key, limit: Int) throws -> [Element] {
    var list = try nestedUnkeyedContainer(forKey: key)
    return try list.bounded(limit: limit)
  }

  /// Decodes an array with at most `limit` IDs.
  func bounded(_ key: Key, limit: Int) throws -> [UInt32] {
    var list = try nestedUnkeyedContainer(forKey: key)
    return try list.identifiers(limit: limit)
  }

  /// Decodes an array with at most `limit` elements; returns `nil` if it is absent or null.
  func boundedIfPresent<Element: Decodable>(_ key: Key, limit: Int) throws -> [Element]? {
    guard contains(key), try !decodeNil(forKey: key) else { return nil }
    return try bounded(key, limit: limit)
  }
}

extension UnkeyedDecodingContainer {
  mutating func bounded<Element: Decodable>(limit: Int) throws -> [Element] {
    var elements: [Element] = []
    if let count {
      guard count <= limit else { throw tooMany(limit) }
      elements.reserveCapacity(count)
    }
    while !isAtEnd {
      guard elements.count < limit else { throw tooMany(limit) }
      elements.append(try decode(Element.self))
    }
    return elements
  }

  /// Decodes the same as ``bounded(limit:)``, but bypasses `Decodable` for speed.
  ///
  /// A case has far more IDs than anything else.
  fileprivate mutating func identifiers(limit: Int) throws -> [UInt32] {
    var identifiers: [UInt32] = []
    identifiers.reserveCapacity(min(count ?? 0, limit))
    while !isAtEnd {
      guard identifiers.count < limit else { throw tooMany(limit) }
      identifiers.append(try decode(UInt32.self))
    }
    return identifiers
  }

  private func tooMany(_ limit: Int) -> DecodingError {
    .dataCorruptedError(in: self, debugDescription: "more than \(limit) elements")
  }
}
