public import UdevRules

/// The facts that determine the effect of udev's rules on one device.
///
/// They contain only the attributes, files, settings, users and groups that the rules refer to.
public struct RuleFacts: Hashable, Sendable {
  /// The daemon that applies the rules.
  public struct Daemon: Hashable, Sendable, Codable {
    /// A Boolean value that indicates whether a daemon runs, or will be started by the next event;
    /// `nil` if unknown.
    public var isReachable: Bool?
    /// The start time of the daemon, in seconds since the epoch.
    public var started: Int64?
    /// A Boolean value that indicates whether systemd runs, which would start the daemon
    /// (sd_booted(3)); `nil` if unknown.
    public var hasSystemd: Bool?

    /// Creates the facts about a daemon, by default an unknown one.
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

  /// The files of all folders; folders that take precedence come first.
  public let files: [RuleFile]
  /// The version of systemd that the rules belong to.
  public let version: UdevRuleVersion
  /// A Boolean value that indicates whether the version was observed, rather than assumed.
  public let isVersionKnown: Bool
  /// The files that udevd reads, and those that it ignores.
  public let choice: UdevRuleFileChoice
  /// The rules, in the order in which they are applied.
  public let rules: UdevRuleSet

  /// The node that the question is about.
  public var node: String
  /// The device; `nil` for a node without one, such as a node whose module is not loaded.
  public var device: UdevRuleDevice?
  /// The parent of the device, then its parent, and so on.
  public var parents: [UdevRuleDevice] = []
  /// The database entry of the device; `nil` if it could not be read.
  public var record: UdevRuleEvent.Record?
  /// The time of that entry, in seconds since the epoch; `nil` if there is none.
  public var handled: Int64?
  /// The other facts that the rules refer to.
  public var environment: UdevRuleEnvironment
  /// The daemon that applies the rules.
  public var daemon = Daemon()
  /// The module that the kernel loads when the node is opened (`modules.devname`).
  public var staticModule: String?

  /// Creates the facts from rule files.
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
    // udevd ignores hidden files.
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

  /// Returns the facts after a change of files: `file` replaces the files at its path and at `old`.
  ///
  /// Only the new file is parsed.
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

  /// Returns the file at a path.
  func file(at path: String) -> RuleFile? { files.first { $0.path.isSame(as: path) } }

  /// The device and its parents.
  var chain: [UdevRuleDevice] { (device.map { [$0] } ?? []) + parents }
}

/// A file in one of udev's rules folders.
public struct RuleFile: Hashable, Sendable {
  /// The state of a file.
  public enum State: String, Hashable, Sendable, Codable, CaseIterable {
    /// The file was read.
    case rules
    /// The file is empty, a device such as `/dev/null`, or a link to nothing.
    ///
    /// It hides files with the same name in other folders.
    case empty
    /// The entry is a folder, a FIFO or a socket, and udevd reads no rules from it.
    case other
    /// The file could not be read, so its rules are unknown.
    case hidden
  }

  /// The folder, such as `/etc/udev/rules.d`.
  public var folder: String
  /// The name of the file.
  public var name: String
  /// The state of the file.
  public var state: State
  /// The contents, without the text of comments.
  public private(set) var bytes: [UInt8]
  /// The ID of the user who owns the file.
  public var owner: UInt32?
  /// The time of the last modification, in seconds since the epoch.
  public var modified: Int64?
  /// The reason why the file could not be read as udevd reads it, as one clause.
  public var problem: String?

  /// Creates a file, without the text of comments in `bytes`.
  public init(
    folder: String, name: String, state: State = .rules, bytes: [UInt8] = [],
    owner: UInt32? = nil, modified: Int64? = nil, problem: String? = nil
  ) {
    self.folder = folder
    self.name = name
    self.state = state
    self.bytes = Self.withoutComments(bytes)
    self.owner = owner
    self.modified = modified
    self.problem = problem
  }

  /// The path of the file.
  public var path: String { "\(folder)/\(name)" }

  /// A Boolean value that indicates whether the file belongs to the administrator, not to a
  /// package.
  var isOwn: Bool { Self.isOwn(folder) }

  static func isOwn(_ folder: String) -> Bool {
    folder.hasPrefix("/etc/") || folder.hasPrefix("/run/")
  }

  /// The file as a candidate for reading.
  var candidate: UdevRuleFileChoice.Candidate {
    UdevRuleFileChoice.Candidate(folder: folder, name: name, isEmpty: state == .empty)
  }

  /// Returns the contents without the text of comments, which does not affect any rule.
  ///
  /// The number of each line stays the same.
  private static func withoutComments(_ bytes: [UInt8]) -> [UInt8] {
    guard bytes.contains(UInt8(ascii: "#")) else { return bytes }
    var kept: [UInt8] = []
    kept.reserveCapacity(bytes.count)
    // The start of the bytes that are kept but not yet copied.
    var rest = 0
    var start = 0
    while start < bytes.count {
      var end = start
      while end < bytes.count, !bytes[end].isLineEnd { end += 1 }
      var first = start
      while first < end, bytes[first].isBlank { first += 1 }
      // A line that is too long makes udevd stop reading, even if it is a comment.
      if first < end, bytes[first] == UInt8(ascii: "#"), end - start < UdevRuleLineReader.limit {
        kept.append(contentsOf: bytes[rest..<start])
        kept.append(UInt8(ascii: "#"))
        rest = end
      }
      start = end + 1
    }
    kept.append(contentsOf: bytes[rest...])
    return kept
  }
}
