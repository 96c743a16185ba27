/// The origin of the subject of the facts.
///
/// The facts have none if the subject is the unchanged process that observed them.
public struct SubjectOrigin: Hashable, Sendable, Codable {
  /// The kind of subject.
  public enum Kind: String, Hashable, Sendable, Codable, CaseIterable {
    /// The observing process, with a variation.
    case ownProcess = "own_process"
    /// A new login of a user.
    case user
    /// A running process.
    case process
    /// A service: its main process if the service runs, or else the process that systemd would
    /// start.
    case unit
  }

  /// The source of a unit's settings.
  public enum Source: String, Hashable, Sendable, Codable, CaseIterable {
    /// The running service manager, over D-Bus.
    case manager
    /// The unit files.
    case files
  }

  /// The kind of subject.
  public var kind: Kind
  /// The untrusted name of the user, the unit, or the command of the process.
  public var name: String?
  /// The process ID.
  public var pid: Int32?
  /// The source of a unit's settings; `nil` for other subjects.
  public var source: Source?
  /// The hypothetical changes, one clause each, such as `with group video`; empty if there are
  /// none.
  public var variations: [String]

  /// Creates the origin of a subject, by default without variations.
  public init(
    _ kind: Kind, name: String? = nil, pid: Int32? = nil, source: Source? = nil,
    variations: [String] = []
  ) {
    self.kind = kind
    self.name = name
    self.pid = pid
    self.source = source
    self.variations = variations
  }

  /// A Boolean value that indicates whether the subject is hypothetical, because its facts were
  /// varied.
  public var isHypothetical: Bool { !variations.isEmpty }
}

extension SubjectOrigin {
  private enum Keys: String, CodingKey {
    case kind, name, pid, source, variations
  }

  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: Keys.self)
    kind = try values.decode(Kind.self, forKey: .kind)
    name = try values.decodeIfPresent(String.self, forKey: .name)
    pid = try values.decodeIfPresent(Int32.self, forKey: .pid)
    source = try values.decodeIfPresent(Source.self, forKey: .source)
    variations = try values.boundedIfPresent(.variations, limit: 4096) ?? []
  }

  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: Keys.self)
    try values.encode(kind, forKey: .kind)
    try values.encodeIfPresent(name, forKey: .name)
    try values.encodeIfPresent(pid, forKey: .pid)
    try values.encodeIfPresent(source, forKey: .source)
    if !variations.isEmpty { try values.encode(variations, forKey: .variations) }
  }
}
