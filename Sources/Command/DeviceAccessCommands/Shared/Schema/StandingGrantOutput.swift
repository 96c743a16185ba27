internal import AccessModel
internal import DevicePermissions

/// A grant as JSON.
struct StandingGrantOutput: Encodable {
  /// The ID; `nil` if the grant was not given.
  let id: String?
  let path: String
  let kind: String?
  let user: UInt32
  let userName: String?
  /// The user's current name, if the user was renamed.
  let currentName: String?
  let access: [String]
  let isPermanent: Bool
  let since: Int64
  let until: Int64?
  /// The ID of the user who gave the grant.
  let giver: UInt32
  /// A Boolean value that indicates whether the grant has expired but has not been ended.
  let isOver: Bool
  /// A Boolean value that indicates whether the access list no longer contains the grant's access.
  let isLost: Bool
  /// A Boolean value that indicates whether the device or file was not found.
  let isGone: Bool

  /// A Boolean value that indicates whether the grant survives an event of the device.
  ///
  /// The value is `nil` if that is unknown.
  let survivesReplug: Bool?
  /// The access that the user still has after the grant was revoked; `nil` if none.
  let remaining: Remaining?

  /// Access that remains after a grant has ended.
  struct Remaining: Encodable {
    /// The permissions; empty if they are unknown.
    let access: [String]
    /// The sources of the access.
    let by: [String]
    /// The IDs of the grants that give the access.
    let grants: [String]

    init(_ remaining: RemainingAccess, isDevice: Bool) {
      access = remaining.permissions.words(for: isDevice ? .characterDevice : .directory)
      var words: [String] = []
      for source in remaining.sources where !words.contains(source.word) {
        words.append(source.word)
      }
      by = words
      grants = remaining.sources.compactMap { source in
        if case .grant(let grant) = source { grant.id } else { nil }
      }
    }
  }

  private enum CodingKeys: String, CodingKey {
    case id, path, kind, user
    case userName = "user_name"
    case currentName = "user_name_now"
    case access
    case isPermanent = "permanent"
    case since, until
    case giver = "by"
    case isOver = "over"
    case isLost = "lost"
    case isGone = "gone"
    case survivesReplug = "survives_replug"
    case remaining
  }

  init(_ standing: StandingGrant) {
    self.init(
      standing.grant, path: standing.path, kind: standing.kind, isOver: standing.isOver,
      isLost: standing.isLost, isGone: standing.isGone, currentName: standing.currentName,
      survivesReplug: standing.survivesReplug, remaining: standing.remaining)
  }

  init(
    _ grant: AccessGrant, path: String, kind: String?, isOver: Bool, isLost: Bool = false,
    isGone: Bool = false, hasID: Bool = true, currentName: String? = nil,
    survivesReplug: Bool? = nil, remaining: RemainingAccess? = nil
  ) {
    id = hasID ? grant.id : nil
    self.path = path
    self.kind = kind
    user = grant.user
    userName = grant.userName
    self.currentName = currentName
    access = grant.permissions.words(for: kind == nil ? .directory : .characterDevice)
    isPermanent = grant.end == nil
    since = grant.start
    until = grant.end
    giver = grant.giver
    self.isOver = isOver
    self.isLost = isLost
    self.isGone = isGone
    self.survivesReplug = survivesReplug
    self.remaining = remaining.map { Remaining($0, isDevice: kind != nil) }
  }
}

/// The JSON object of a command that revokes or renews grants.
struct RevokeOutput: Encodable {
  let schema = Schema.name
  let command: CommandName
  let exitStatus: Int32
  /// The error message if some grants could not be revoked.
  let error: String?
  /// A Boolean value that indicates whether the change was only planned.
  let isDry: Bool
  let grants: [StandingGrantOutput]
  let commands: [String]

  private enum CodingKeys: String, CodingKey {
    case schema, command
    case exitStatus = "exit_status"
    case error
    case isDry = "dry_run"
    case grants, commands
  }

  init(
    _ grants: [StandingGrant], of command: CommandName, isDry: Bool = false,
    failure: CommandFailure? = nil, status: ExitStatus = .allowed
  ) {
    self.command = command
    exitStatus = status.rawValue
    error = failure?.message
    self.isDry = isDry
    self.grants = grants.map(StandingGrantOutput.init)
    commands = isDry ? grants.flatMap(\.commands) : []
  }
}
