internal import AccessModel
internal import DevicePermissions

/// The JSON object of a command that ended grants or gave them again.
struct RevokeOutput: Encodable {
  let schema = Schema.name
  let command: CommandName
  let exitStatus: Int32
  /// Why a part of it failed.
  let error: String?
  /// Whether it was only worked out.
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
