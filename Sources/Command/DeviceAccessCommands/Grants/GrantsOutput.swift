internal import DevicePermissions

/// The JSON object of `devaccess grants`.
struct GrantsOutput: Encodable {
  let schema = Schema.name
  let command = CommandName.grants
  let exitStatus: Int32 = 0
  let grants: [StandingGrantOutput]

  private enum CodingKeys: String, CodingKey {
    case schema, command
    case exitStatus = "exit_status"
    case grants
  }

  init(_ standing: [StandingGrant]) { grants = standing.map(StandingGrantOutput.init) }
}
