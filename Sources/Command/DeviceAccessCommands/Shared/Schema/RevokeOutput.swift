internal import AccessModel
internal import DevicePermissions

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
