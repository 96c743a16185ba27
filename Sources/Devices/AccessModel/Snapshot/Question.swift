/// A question about whether a subject may use a kind of device or a path.
public struct Question: Hashable, Sendable {
  /// The object of a question.
  public enum Target: Hashable, Sendable {
    /// All devices of a kind; the best one answers the question.
    case kind(DeviceKind)
    /// A path as given; a relative path is resolved against the working directory.
    case path(String)

    /// Returns whether two targets are the same, comparing paths by bytes.
    ///
    /// Two paths that look the same can refer to different files.
    public static func == (one: Self, other: Self) -> Bool {
      switch (one, other) {
      case (.kind(let one), .kind(let other)): one == other
      case (.path(let one), .path(let other)): one.isSame(as: other)
      case (.kind, _), (.path, _): false
      }
    }
  }

  /// The intended use of an object.
  public enum Purpose: Hashable, Sendable {
    /// Open a device or a file, or use a directory.
    case use
    /// Read the names in a directory.
    case list
    /// Look up names in a directory.
    ///
    /// As with a final slash in a path, anything other than a directory is refused.
    case search
    /// Create a file in a directory, or at a path that does not exist.
    ///
    /// If the file exists, the question is about opening it with `O_CREAT`.
    case create
    /// Open a file with `O_APPEND`.
    case append
  }

  /// The object of the question.
  public var target: Target
  /// The wanted access; `nil` for the default.
  ///
  /// The default for a kind is the access that it needs. The default for a path is read and search
  /// for a directory, and read and write for any other object.
  public var wanted: Permissions?
  /// The intended use; any value other than ``Purpose/use`` determines the access by itself.
  public var purpose: Purpose
  /// The subject whose access is in question.
  public var subject: SubjectSelector
  /// The hypothetical changes to the subject.
  public var variation: SubjectVariation

  /// The names of users and groups to look up.
  ///
  /// Looking up thousands of names takes about a second.
  public enum NameLookup: Hashable, Sendable {
    /// All names in the facts.
    case all
    /// The names that a short text prints: of the subject, the owners and the first ACL entries.
    case few
    /// The names of ``few`` and the login session, but only if access is not allowed.
    ///
    /// A short answer that allows access contains neither.
    case fewWhenRefused
    /// No names, and no login session; a decision needs neither.
    case none
  }

  /// The names to look up.
  public var names: NameLookup = .all

  /// Determines when to read udev's rules, which takes a few milliseconds.
  public enum RuleLookup: Hashable, Sendable {
    /// The rules are not read.
    case none
    /// The rules are read if the question is about a device, unless the kernel was asked and grants
    /// the access.
    case whenRefused
    /// The rules are read if the question is about a device.
    case all
    /// The rules are read if the question is about a device, together with the file at the given
    /// path, which can be in any directory.
    case withFile(String)
  }

  /// Determines when the facts include udev's rules.
  public var rules: RuleLookup = .none

  /// The name of the file in a question about creating a file in a directory.
  ///
  /// It represents any unused name. An existing file with this name is ignored.
  public static let newName = "new-file"

  /// Creates a question, by default about the calling thread.
  public init(
    _ target: Target, wanted: Permissions? = nil, purpose: Purpose = .use,
    subject: SubjectSelector = .ownProcess, variation: SubjectVariation = SubjectVariation()
  ) {
    self.target = target
    self.wanted = wanted
    self.purpose = purpose
    self.subject = subject
    self.variation = variation
  }
}

extension Question {
  /// Returns the request that answers this question for one object.
  ///
  /// A program opens a device or a file, so the request for one is an open(2). A directory is used
  /// according to its permissions, so the request for one is a faccessat2(2) with `AT_EACCESS`.
  ///
  /// - Parameters:
  ///   - path: The absolute path of the object.
  ///   - type: The type of the object; `nil` if it does not exist.
  /// - Returns: An open to use a device or a file, to list, to create or to append; an access check
  ///   to use or search a directory, to execute a file, or to use the album.
  public func request(for path: String, type: FileType?) -> Request {
    switch purpose {
    case .use, .search: break
    case .append:
      let flags = (wanted ?? .write).union(.write).openFlags
      return .open(path: path, flags: flags.union([.append]))
    case .list: return .open(path: path, flags: [.readOnly, .directory, .nonBlocking])
    case .create:
      guard type == .directory || target == .kind(.album) else {
        return .open(path: path, flags: [.writeOnly, .create, .nonBlocking])
      }
      let separator = path.utf8.last == UInt8(ascii: "/") ? "" : "/"
      return .open(
        path: path + separator + Self.newName, flags: [.writeOnly, .create, .exclusive])
    }
    var wanted = wantedPermissions(for: type)
    if purpose == .search { wanted.insert(.search) }
    if purpose == .search, case .path = target {
      // With a final slash, the kernel refuses an object that is not a directory. The path of a
      // directory is not changed.
      let needsSlash = type != nil && type != .directory && path.utf8.last != UInt8(ascii: "/")
      return .access(
        path: needsSlash ? path + "/" : path, mode: wanted, effective: true, noFollow: false)
    }
    // There is no open(2) for execution. The same bit means search for a directory.
    if wanted.contains(.execute) {
      return .access(path: path, mode: wanted, effective: true, noFollow: false)
    }
    if case .kind(.album) = target {
      return .access(path: path, mode: wanted, effective: true, noFollow: false)
    }
    if type == .directory {
      return .access(path: path, mode: wanted, effective: true, noFollow: false)
    }
    return .open(path: path, flags: wanted.openFlags)
  }

  /// Returns the permissions that this question asks about, given the type of the object.
  public func wantedPermissions(for type: FileType?) -> Permissions {
    if let wanted { return wanted }
    if case .kind(let kind) = target { return kind.needs }
    return type == .directory ? [.read, .search] : [.read, .write]
  }
}

extension Permissions {
  /// The flags for an open(2) with these permissions that never blocks on the driver.
  ///
  /// Without read and write, the result is an `O_PATH` open, which needs no permission on the
  /// object.
  public var openFlags: Set<OpenFlag> {
    switch (contains(.read), contains(.write)) {
    case (true, true): [.readWrite, .nonBlocking]
    case (false, true): [.writeOnly, .nonBlocking]
    case (true, false): [.readOnly, .nonBlocking]
    case (false, false): [.path]
    }
  }
}

extension Request {
  /// The permissions that the request needs on the object itself.
  ///
  /// Truncation requires write permission (`build_open_flags` in fs/open.c).
  public var permissions: Permissions {
    switch self {
    case .access(_, let mode, _, _):
      return mode
    case .open(_, let flags):
      var wanted: Permissions = []
      for flag in flags {
        switch flag {
        case .path: return []
        case .readOnly: wanted.insert(.read)
        case .readWrite, .accessMode3: wanted.formUnion([.read, .write])
        case .writeOnly, .truncate: wanted.insert(.write)
        default: break
        }
      }
      return wanted
    }
  }

  /// Returns the same request for another path.
  public func at(_ path: String) -> Request {
    switch self {
    case .open(_, let flags): .open(path: path, flags: flags)
    case .access(_, let mode, let effective, let noFollow):
      .access(path: path, mode: mode, effective: effective, noFollow: noFollow)
    }
  }
}

/// The subject whose access a question is about.
public enum SubjectSelector: Hashable, Sendable {
  /// The calling thread.
  case ownProcess
  /// A new login of a user, given by name or ID.
  ///
  /// As in id(1), text that consists of digits is tried as a name first, then as an ID.
  case user(String)
  /// A running process or one of its threads, given by its ID.
  case process(Int32)
  /// A service of the system's service manager, given by name.
  ///
  /// The suffix `.service` is optional.
  case unit(String)
}

/// Hypothetical changes to the groups or capabilities of a subject.
///
/// The kernel is not asked about a subject with changes.
public struct SubjectVariation: Hashable, Sendable {
  /// The supplementary groups that replace the subject's own, or `nil` to keep those.
  ///
  /// Each is a name in the group database or an ID. The primary group is not a supplementary group,
  /// and does not change.
  public var groups: [String]?
  /// The supplementary groups to add.
  public var addedGroups: [String]
  /// The supplementary groups to remove.
  public var removedGroups: [String]
  /// The capabilities to add to the effective and permitted sets.
  public var addedCapabilities: CapabilitySet
  /// The capabilities to remove from the effective and permitted sets.
  public var removedCapabilities: CapabilitySet

  /// Creates a variation, by default without changes.
  public init(
    groups: [String]? = nil, addedGroups: [String] = [], removedGroups: [String] = [],
    addedCapabilities: CapabilitySet = [], removedCapabilities: CapabilitySet = []
  ) {
    self.groups = groups
    self.addedGroups = addedGroups
    self.removedGroups = removedGroups
    self.addedCapabilities = addedCapabilities
    self.removedCapabilities = removedCapabilities
  }

  /// A Boolean value that indicates whether there are no changes.
  public var isEmpty: Bool { self == SubjectVariation() }

  /// The names or IDs of all groups in the variation.
  public var groupNames: [String] { (groups ?? []) + addedGroups + removedGroups }

  /// Returns the subject with the changes applied.
  ///
  /// - Parameters:
  ///   - subject: The subject to change.
  ///   - numbers: The IDs of the groups in ``groupNames``; a group without an ID is ignored.
  /// - Returns: The changed subject, with the same user and primary group.
  public func applied(to subject: Subject, numbers: [String: UInt32]) -> Subject {
    var subject = subject
    if let groups {
      subject.groups = groups.compactMap { numbers[$0] }
      subject.unobserved.remove(.groups)
    }
    let removed = Set(removedGroups.compactMap { numbers[$0] })
    subject.groups.removeAll(where: removed.contains)
    for group in addedGroups.compactMap({ numbers[$0] }) where !subject.groups.contains(group) {
      subject.groups.append(group)
    }
    subject.effective = subject.effective.union(addedCapabilities)
      .subtracting(removedCapabilities)
    subject.permitted = subject.permitted.union(addedCapabilities)
      .subtracting(removedCapabilities)
    return subject
  }

  /// The changes, one clause each.
  public var clauses: [String] {
    var clauses: [String] = []
    if let groups {
      clauses.append(
        groups.isEmpty
          ? "no supplementary groups" : "supplementary groups \(groups.joined(separator: ", "))")
    }
    clauses += addedGroups.map { "with group \($0)" }
    clauses += removedGroups.map { "without group \($0)" }
    clauses += addedCapabilities.members.map { "with cap_\($0.name)" }
    clauses += removedCapabilities.members.map { "without cap_\($0.name)" }
    return clauses
  }
}

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
  private static let fields: Fields<Self> = [
    .required("kind", \.kind),
    .optional("name", \.name),
    .optional("pid", \.pid),
    .optional("source", \.source),
    .value("variations", \.variations, limit: 4096, omitting: []),
  ]

  public init(from decoder: any Decoder) throws {
    self = try Self.fields.decode(Self(.ownProcess), from: decoder)
  }

  public func encode(to encoder: any Encoder) throws { try Self.fields.encode(self, to: encoder) }
}
