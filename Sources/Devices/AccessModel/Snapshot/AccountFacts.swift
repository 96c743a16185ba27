/// The user and group database entries of the subject's user, and the names in this question.
///
/// A process keeps the groups that it started with. A comparison with the database shows whether a
/// user is not in a group, or has not logged in since joining it.
public struct AccountFacts: Hashable, Sendable, Codable {
  /// The name of the subject's real user; `nil` if the database has none.
  public var user: String?
  /// The home directory from the database.
  public var home: String?
  /// The groups that a new login would get, as `getgrouplist` returns; `nil` if the databases could
  /// not be read.
  public var loginGroups: [UInt32]?
  /// The groups that pam_group(8) may add at a login, because of a rule in group.conf(5) for the
  /// user.
  public var moduleGroups: [UInt32] = []
  /// The names of the users in the facts, keyed by ID.
  public var userNames: [UInt32: String] = [:]
  /// The names of the groups in the facts, keyed by ID.
  public var groupNames: [UInt32: String] = [:]

  /// Creates account facts without names of IDs.
  public init(user: String? = nil, home: String? = nil, loginGroups: [UInt32]? = nil) {
    self.user = user
    self.home = home
    self.loginGroups = loginGroups
  }
}

extension AccountFacts {
  private static let fields: Fields<Self> = [
    .optional("user", \.user),
    .optional("home", \.home),
    .optional("login_groups", \.loginGroups, limit: CaseLimits.groups),
    .value("module_groups", \.moduleGroups, limit: CaseLimits.groups, omitting: []),
    .names("user_names", \.userNames),
    .names("group_names", \.groupNames),
  ]

  public init(from decoder: any Decoder) throws {
    self = try Self.fields.decode(Self(), from: decoder)
  }

  public func encode(to encoder: any Encoder) throws { try Self.fields.encode(self, to: encoder) }
}

extension Field {
  /// The names of IDs; the member is absent if there are none.
  fileprivate static func names(_ key: String, _ path: Path<[UInt32: String]>) -> Self {
    Field(key) {
      $0[keyPath: path] = try $1.names($2)
    } encode: {
      try $1.encode(names: $0[keyPath: path], forKey: $2)
    }
  }
}

/// An ID as the key of a member of a JSON object, such as `"1000"`.
private struct IDKey: CodingKey {
  let id: UInt32

  init(_ id: UInt32) {
    self.id = id
  }

  /// Creates a key from decimal digits; any other text fails.
  init?(stringValue: String) {
    guard stringValue.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
      let id = UInt32(stringValue)
    else { return nil }
    self.id = id
  }

  init?(intValue: Int) {
    guard let id = UInt32(exactly: intValue) else { return nil }
    self.id = id
  }

  var stringValue: String { String(id) }
  var intValue: Int? { nil }
}

extension KeyedDecodingContainer {
  /// Decodes the names of IDs, or none if the member is absent.
  ///
  /// Keys that are not IDs are ignored.
  fileprivate func names(_ key: Key) throws -> [UInt32: String] {
    guard contains(key), try !decodeNil(forKey: key) else { return [:] }
    let object = try nestedContainer(keyedBy: IDKey.self, forKey: key)
    guard object.allKeys.count <= SnapshotLimits.names else {
      throw invalid(key, "more than \(SnapshotLimits.names) names")
    }
    var names: [UInt32: String] = [:]
    for id in object.allKeys { names[id.id] = try object.decode(String.self, forKey: id) }
    return names
  }
}

extension KeyedEncodingContainer {
  fileprivate mutating func encode(names: [UInt32: String], forKey key: Key) throws {
    guard !names.isEmpty else { return }
    var object = nestedContainer(keyedBy: IDKey.self, forKey: key)
    for (id, name) in names.sorted(by: { $0.key < $1.key }) {
      try object.encode(name, forKey: IDKey(id))
    }
  }
}

/// The facts from systemd-logind about the subject's session and the seats in question.
public struct SessionFacts: Hashable, Sendable, Codable {
  /// A Boolean value that indicates whether logind could be asked.
  public var isLogindRunning: Bool
  /// The ID of the subject's session; `nil` for a subject without one, such as a service or a cron
  /// job.
  public var id: String?
  /// The ID of the user who logged in to the session; `nil` if unknown.
  ///
  /// A program that `sudo -u` or `su` starts stays in the session of the user who ran the command.
  public var user: UInt32?
  /// The seat of the session; `nil` if it has none, as with ssh or a remote desktop.
  public var seat: String?
  /// A Boolean value that indicates whether the session is the active one of its seat.
  public var isActive: Bool
  /// A Boolean value that indicates whether the session is used over the network (`Remote=` of
  /// loginctl(1)).
  public var isRemote: Bool
  /// The type of the session, such as `tty`, `x11` or `wayland`.
  public var type: String?
  /// The class of the session, such as `user`, `greeter` or `manager`.
  public var sessionClass: String?
  /// The IDs of the users of the active sessions, keyed by seat.
  public var activeUsers: [String: UInt32] = [:]
  /// The seats on which the subject's user has a session, active or not.
  public var userSeats: [String] = []

  /// Creates the facts about a session, or about a subject without one if the ID is `nil`.
  public init(
    isLogindRunning: Bool, id: String? = nil, seat: String? = nil, isActive: Bool = false,
    isRemote: Bool = false
  ) {
    self.isLogindRunning = isLogindRunning
    self.id = id
    self.seat = seat
    self.isActive = isActive
    self.isRemote = isRemote
  }

  /// Returns whether the session may belong to the given user.
  func isOf(_ user: UInt32) -> Bool { self.user.map { $0 == user } ?? true }
}

extension SessionFacts {
  private static let fields: Fields<Self> = [
    .required("logind_running", \.isLogindRunning),
    .optional("id", \.id),
    .optional("user", \.user),
    .optional("seat", \.seat),
    .value("active", \.isActive),
    .value("remote", \.isRemote),
    .optional("type", \.type),
    .optional("class", \.sessionClass),
    .members("active_users", \.activeUsers),
    .value("user_seats", \.userSeats),
  ]

  public init(from decoder: any Decoder) throws {
    self = try Self.fields.decode(Self(isLogindRunning: false), from: decoder)
  }

  public func encode(to encoder: any Encoder) throws { try Self.fields.encode(self, to: encoder) }
}
