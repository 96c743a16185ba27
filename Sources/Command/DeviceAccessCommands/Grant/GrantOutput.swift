internal import AccessModel
internal import DevicePermissions

/// The JSON object of `devaccess grant`.
struct GrantOutput: Encodable {
  let schema = Schema.name
  let command = CommandName.grant
  let exitStatus: Int32 = 0
  /// A Boolean value that indicates whether the grant was only planned.
  let isDry: Bool
  /// A Boolean value that indicates whether the user already had access, so nothing was changed.
  let isAllowedAlready: Bool
  /// A Boolean value that indicates whether the user's existing access ends with the session.
  let isOfSession: Bool
  /// A Boolean value that indicates whether the grant also applies outside the container.
  let isOfHost: Bool
  let grant: StandingGrantOutput
  let endedBy: GrantReport.Ending
  let survivesReplug: Bool
  /// The events that end the grant early.
  let interruptions: [GrantReport.Interruption]
  let rule: String?
  let basis: String?
  let alsoMatches: String?
  let commands: [String]

  private enum CodingKeys: String, CodingKey {
    case schema, command
    case exitStatus = "exit_status"
    case isDry = "dry_run"
    case isAllowedAlready = "already_allowed"
    case isOfSession = "ends_with_session"
    case isOfHost = "reaches_host"
    case grant
    case endedBy = "ended_by"
    case survivesReplug = "survives_replug"
    case interruptions = "also_ended_by"
    case rule, basis
    case alsoMatches = "also_matches"
    case commands
  }

  init(_ report: GrantReport, isDry: Bool) {
    self.isDry = isDry
    isAllowedAlready = report.isAllowedAlready
    isOfSession = report.isOfSession
    isOfHost = report.isOfHost
    grant = StandingGrantOutput(
      report.grant, path: report.path, kind: report.kind, isOver: false,
      hasID: !isDry && !report.isAllowedAlready)
    endedBy = report.ending
    survivesReplug = report.survivesReplug
    interruptions = report.interruptions
    rule = report.rule
    basis = report.basis
    alsoMatches = report.scope
    commands = report.commands
  }
}
