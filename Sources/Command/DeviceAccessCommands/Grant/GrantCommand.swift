internal import AccessModel
internal import DevicePermissions
internal import LegoKit

/// The `devaccess grant` command.
struct GrantCommand {
  /// The action of the command.
  enum Action: Equatable, Sendable {
    case grant(GrantRequest)
    /// Applies a grant again to a device that was reconnected.
    case renew(String, path: String, settles: Bool)
  }

  var action: Action
  var isDry = false
  /// The command line that an error suggests to run as root.
  var line = ""
}

extension GrantCommand: Command {
  static let declaration = CommandDeclaration(
    name: .grant,
    summary: "give a user access to one device for a while",
    operand: .kindOrPath,
    options: [.user, .read, .write, .for, .permanent, .dryRun, .again, .settle, .json],
    details: """
      Adds an entry for the user to the access control list, for an hour unless --for or --permanent is \
      given. PATH may also be your album, or a file or directory in it. Requires root, or ownership of \
      the device or file.
      """,
    examples: [
      ("sudo devaccess grant camera --user alice", "give access for an hour"),
      ("sudo devaccess grant /dev/ttyUSB0 --user alice --for 10min", "give it for ten minutes"),
      ("devaccess grant camera --user alice --dry-run", "show what the grant would do"),
    ])

  static func check(_ arguments: CommandArguments) throws(UsageError) {
    guard !arguments.operands.isEmpty else {
      throw arguments.error(
        "specify the kind or path to grant access to, such as 'devaccess grant camera --user alice'"
      )
    }
    // The user typed `grant camera alice` or `grant alice camera`.
    if arguments.operands.count == 2, !arguments.contains(.user), !arguments.contains(.again),
      let user = arguments.operands.last(where: { !OperandReader.isKindOrPath($0) })
    {
      throw arguments.error(
        "unexpected argument '\(Self.shown(user))'; to give access to user \(Self.shown(user)), use "
          + "'--user \(Self.shown(user))'")
    }
  }

  init(_ arguments: CommandArguments) throws(UsageError) {
    let word = arguments.operands.first ?? ""
    let target = try OperandReader.target(word, for: .grant, fileExists: arguments.fileExists)
    if let id = arguments.value(.again) {
      let others: [OptionName] = [.user, .read, .write, .for, .permanent, .dryRun]
      if let other = others.first(where: arguments.contains) {
        throw arguments.error("--again and --\(other.rawValue) cannot be used together")
      }
      guard AccessGrant.isID(id), case .path(let path) = target else {
        throw arguments.error("--again takes the ID of a grant, and the path of its device")
      }
      action = .renew(id, path: path, settles: arguments.contains(.settle))
      return
    }
    guard !arguments.contains(.settle) else {
      throw arguments.error("--settle requires --again")
    }
    guard case .user(let user) = try arguments.subject().selector else {
      throw arguments.error(
        "specify the user with --user, such as 'devaccess grant \(Self.shown(word)) --user alice'")
    }
    var permissions: Permissions = []
    if arguments.contains(.read) { permissions.insert(.read) }
    if arguments.contains(.write) { permissions.insert(.write) }
    var lifetime = GrantRequest.Lifetime.seconds(GrantRequest.usual)
    if arguments.contains(.permanent) {
      guard !arguments.contains(.for) else {
        throw arguments.error("--for and --permanent cannot be used together")
      }
      lifetime = .permanent
    } else if let time = arguments.value(.for) {
      lifetime = .seconds(try GrantTime.seconds(time))
    }
    action = .grant(
      GrantRequest(
        target, to: user, for: permissions.isEmpty ? nil : permissions, lifetime: lifetime))
    isDry = arguments.contains(.dryRun)
    line = "grant " + arguments.commandLine
  }

  private static func shown(_ word: String) -> String { Escaped(word, limit: 80).description }

  func run(_ run: CommandRun) async throws -> ExitStatus {
    switch action {
    case .renew(let id, let path, let settles):
      let renewed: StandingGrant
      do throws(GrantError) {
        renewed = try await Contractors().grants.renew(id, at: path, settles: settles)
      } catch {
        throw CommandFailure(error, "renew the grant")
      }
      return try run.json ? run.show(json: RevokeOutput([renewed], of: .grant)) : .allowed
    case .grant(let request):
      if isDry { return try await plan(request, run) }
      return try await grant(request, run)
    }
  }

  private func plan(_ request: GrantRequest, _ run: CommandRun) async throws -> ExitStatus {
    let report = try await planned(request)
    if run.json { return try run.show(json: GrantOutput(report, isDry: true)) }
    return try run.show(GrantText(report: report, style: run.style).plan)
  }

  private func grant(_ request: GrantRequest, _ run: CommandRun) async throws -> ExitStatus {
    if request.lifetime == .permanent, !run.json {
      // The rule is shown before it is written.
      let report = try await planned(request)
      _ = try run.show(GrantText(report: report, style: run.style).rule)
    }
    // If this command has to end the grant, a signal must not terminate the command first. The
    // signal handlers were installed before the first thread started.
    let ending = Contractors().grants.endsWithCaller ? run.ending?(false) : nil
    let report: GrantReport
    do throws(GrantError) {
      report = try await Contractors().grants.grant(request)
    } catch {
      throw failure(error)
    }
    guard report.ending == .caller, !report.isAllowedAlready, let deadline = report.grant.deadline
    else { return try show(report, run) }
    let status: ExitStatus
    do {
      status = try show(report, run)
    } catch {
      // If a grant cannot be reported, it must be revoked.
      try await end(report)
      throw error
    }
    let (grants, id) = (Contractors().grants, report.grant.id)
    let wait = GrantWait(deadline: deadline, ending: ending) { await grants.waitForEnd(of: id) }
    if await !wait.wait() { try await end(report) }
    return status
  }

  private func show(_ report: GrantReport, _ run: CommandRun) throws -> ExitStatus {
    try run.json
      ? run.show(json: GrantOutput(report, isDry: false))
      : run.show(GrantText(report: report, style: run.style).text)
  }

  private func planned(_ request: GrantRequest) async throws(CommandFailure) -> GrantReport {
    do throws(GrantError) {
      return try await Contractors().grants.plan(request)
    } catch {
      throw failure(error)
    }
  }

  private func failure(_ error: GrantError) -> CommandFailure {
    CommandFailure(error, "grant access to", line)
  }

  private func end(_ report: GrantReport) async throws(CommandFailure) {
    do throws(GrantError) {
      try await Contractors().grants.revoke(.id(report.grant.id))
    } catch {
      let failure = CommandFailure(error, "revoke the grant")
      // Another process may have ended the grant already.
      if failure.status != .absent { throw failure }
    }
  }
}
