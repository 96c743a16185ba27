internal import AccessModel
internal import DevicePermissions

/// The output of `devaccess grant`.
struct GrantText {
  let report: GrantReport
  let style: Style

  private var sentence: String {
    let grant = StandingGrantText(
      grant: report.grant, path: report.path, kind: report.kind, style: style)
    guard report.isAllowedAlready else { return grant.may }
    let end = report.isOfSession ? ", as long as the user has the active session" : ""
    return grant.has + end
  }

  /// The text to print after a grant.
  var text: String {
    if report.isAllowedAlready { return "\(sentence); nothing was changed\n" }
    var lines = ["\(sentence)"]
    switch report.ending {
    case .timer:
      lines.append("A systemd timer ends it; 'devaccess revoke \(report.grant.id)' ends it now.")
    case .caller:
      lines.append("It ends with this command, because no systemd timer can end it here.")
    case .nothing: lines.append("'devaccess revoke \(report.grant.id)' ends it.")
    }
    if report.kind == nil, report.ending == .timer {
      lines.append(
        "If you are logged out or the system is off then, it ends when systemd starts again.")
    }
    lines += interruptions
    lines += [reach].compactMap(\.self)
    return lines.joined(separator: "\n") + "\n"
  }

  /// The sentences about events that end the grant early.
  private var interruptions: [String] {
    let all = report.interruptions
    var lines: [String] = []
    if all.contains(.event) {
      let example = all.contains(.unplug) ? "when it is unplugged" : "after 'udevadm trigger'"
      lines.append(
        "It ends at the next event of the device, such as \(example), because udev does not follow it here."
      )
    } else if all.contains(.unplug) {
      lines.append("It ends when the device is unplugged, because udev does not follow it here.")
    } else if all.contains(.newNode) {
      lines.append(
        "It also ends when the node is created again, because udev does not follow it here.")
    }
    if all.contains(.mode) {
      lines.append("It also ends at an event for which a udev rule sets the mode of the node.")
    }
    if all.contains(.sessionSwitch) {
      lines.append(
        "It also ends when another session becomes the active one instead of that user's.")
    }
    return lines
  }

  private var reach: String? {
    report.isOfHost
      ? "The node belongs to the host, so the entry also applies outside the container."
      : nil
  }

  /// The text to print before a rule is written.
  var rule: String {
    guard !report.isAllowedAlready, let rule = report.rule else { return "" }
    var lines = ["The udev rule:", "  \(style.safe(rule, limit: 4096))"]
    lines += basis.map { "  \($0)" }
    return lines.joined(separator: "\n") + "\n"
  }

  private var basis: [String] {
    [
      report.basis.map { "It identifies the device by \($0)." },
      report.scope.map { "It also matches \(style.safe($0))." },
    ].compactMap(\.self)
  }

  /// The plan of a grant: the commands, with everything else as shell comments.
  var plan: String {
    if report.isAllowedAlready { return "# \(sentence); nothing would be changed\n" }
    var lines = ["# \(sentence)"]
    if report.rule != nil { lines += basis.map { "# \($0)" } }
    lines += [reach].compactMap(\.self).map { "# \($0)" }
    return (lines + report.commands.map { style.command($0) }).joined(separator: "\n")
      + "\n"
  }
}

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
