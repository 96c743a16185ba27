/// What udev's rules make of one device: the rules, the device and what the daemon last did.
///
/// Attributes, files, settings, users and groups are those that the rules ask for, and no others.
public struct RuleFacts: Hashable, Sendable {
  /// The daemon that applies the rules.
  public struct Daemon: Hashable, Sendable, Codable {
    /// Whether one runs or is started by the next event; `nil` when that cannot be told.
    public var isReachable: Bool?
    /// When it was started, in seconds since the epoch.
    public var started: Int64?
    /// Whether systemd runs, which would start it (sd_booted(3)); `nil` when that is unknown.
    public var hasSystemd: Bool?

    /// Describes a daemon; without more, one of which nothing is known.
    public init(isReachable: Bool? = nil, started: Int64? = nil, hasSystemd: Bool? = nil) {
      self.isReachable = isReachable
      self.started = started
      self.hasSystemd = hasSystemd
    }

    private enum CodingKeys: String, CodingKey {
      case isReachable = "reachable"
      case started
      case hasSystemd = "systemd"
    }
  }

  /// The files of all folders, the strongest folder first.
  public let files: [RuleFile]
  /// The version of systemd whose rules these are.
  public let version: UdevRuleVersion
  /// Whether the version was found out, and not assumed.
  public let isVersionKnown: Bool
  /// Which files are read, and which are not.
  public let choice: UdevRuleFileChoice
  /// The rules, in the order in which they are applied.
  public let rules: UdevRuleSet

  /// The node that the question is about.
  public var node: String
  /// The device; `nil` for a node that no device has, such as one that its module makes later.
  public var device: UdevRuleDevice?
  /// The device's parent, the parent of that, and so on.
  public var parents: [UdevRuleDevice] = []
  /// What the database says of the device; `nil` when it could not be read.
  public var record: UdevRuleEvent.Record?
  /// When the daemon last wrote that, in seconds since the epoch; `nil` when it never did.
  public var handled: Int64?
  /// What else the rules ask.
  public var environment: UdevRuleEnvironment
  /// The daemon.
  public var daemon = Daemon()
  /// The module that makes the node when it is opened (`modules.devname`).
  public var staticModule: String?

  /// Takes files, and reads the rules in them.
  public init(
    node: String, files: [RuleFile], version: UdevRuleVersion, isVersionKnown: Bool = true
  ) {
    self.init(node: node, files: files, version, isVersionKnown, known: [:])
  }

  private init(
    node: String, files: [RuleFile], _ version: UdevRuleVersion, _ isVersionKnown: Bool,
    known: [PathKey: UdevRuleFile]
  ) {
    self.node = node
    self.files = files
    self.version = version
    self.isVersionKnown = isVersionKnown
    environment = UdevRuleEnvironment(version: version)
    // udevd passes over hidden files.
    let inFolders = files.filter {
      UdevRuleFileChoice.isRead($0.folder, by: version) && !$0.name.begins(with: ".")
    }
    choice = UdevRuleFileChoice(inFolders.map(\.candidate))
    let contents = Dictionary(
      inFolders.map { (PathKey($0.path), $0.bytes) }, uniquingKeysWith: { first, _ in first })
    rules = UdevRuleSet(
      choice.read.map { file in
        known[PathKey(file.path)]
          ?? UdevRuleFile(
            path: file.path, bytes: contents[PathKey(file.path)] ?? [], version: version)
      })
  }

  /// The facts as they would be with a file in the place of those at its path and at `old`.
  ///
  /// Only that file is read anew.
  func replacing(_ old: String? = nil, with file: RuleFile?) -> RuleFacts {
    let gone = Set([old, file?.path].compactMap(\.self).map(PathKey.init))
    var files = files.filter { !gone.contains(PathKey($0.path)) }
    if let file {
      let folders = UdevRuleFileChoice.folders
      let rank = folders.firstIndex(of: file.folder) ?? folders.count
      let place = files.firstIndex { (folders.firstIndex(of: $0.folder) ?? folders.count) > rank }
      files.insert(file, at: place ?? files.count)
    }
    let known = Dictionary(
      rules.files.filter { !gone.contains(PathKey($0.path)) }.map { (PathKey($0.path), $0) },
      uniquingKeysWith: { first, _ in first })
    var facts = RuleFacts(node: node, files: files, version, isVersionKnown, known: known)
    facts.device = device
    facts.parents = parents
    facts.record = record
    facts.handled = handled
    facts.environment = environment
    facts.daemon = daemon
    facts.staticModule = staticModule
    return facts
  }

  /// The file at a path.
  func file(at path: String) -> RuleFile? { files.first { $0.path.isSame(as: path) } }

  /// The device and its parents.
  var chain: [UdevRuleDevice] { (device.map { [$0] } ?? []) + parents }
}
