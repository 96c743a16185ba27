/// Where the subject of the facts comes from; absent for the process that observed them.
public struct SubjectOrigin: Hashable, Sendable, Codable {
  /// What was asked about.
  public enum Kind: String, Hashable, Sendable, Codable, CaseIterable {
    /// The observing process, with a variation.
    case ownProcess = "own_process"
    /// A new login of a user.
    case user
    /// A running process.
    case process
    /// A service: its main process if it runs, else as systemd would start it.
    case unit
  }

  /// Where the settings of a unit were read.
  public enum Source: String, Hashable, Sendable, Codable, CaseIterable {
    /// The running manager, over D-Bus.
    case manager
    /// The unit files.
    case files
  }

  /// What was asked about.
  public var kind: Kind
  /// The user's name, the process's command name or the unit's name; untrusted text.
  public var name: String?
  /// The number of the process.
  public var pid: Int32?
  /// Where the settings of a unit were read; `nil` for other subjects.
  public var source: Source?
  /// What was varied, one clause each, such as `group video added`; empty when nothing.
  public var variations: [String]

  /// Creates the origin of a subject; without variations it is as observed.
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

  /// Whether the subject is a what-if, like which no process or user is.
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
