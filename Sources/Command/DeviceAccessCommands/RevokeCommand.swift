internal import AccessModel
internal import DevicePermissions
internal import LegoKit

/// The `devaccess revoke` command.
struct RevokeCommand {
  var selection: GrantSelection
  var isDry = false
  /// The command line that an error suggests to run as root.
  var line: String
}

extension RevokeCommand: Command {
  static let declaration = CommandDeclaration(
    name: .revoke,
    summary: "revoke a grant",
    operand: .grantKindOrPath,
    options: [.user, .overdue, .dryRun, .json],
    details: """
      ID is shown by 'devaccess grants'. With KIND or PATH, ends all grants on these \
      objects, or with --user only the grants to that user.
      """,
    examples: [
      ("sudo devaccess revoke camera", "end all grants on cameras"),
      ("sudo devaccess revoke /dev/ttyUSB0 --user alice", "end only the grants to alice"),
    ])

  static func check(_ arguments: CommandArguments) throws(UsageError) {
    if arguments.contains(.overdue) {
      guard arguments.operands.isEmpty, !arguments.contains(.user) else {
        throw arguments.error("--overdue takes no ID, KIND, PATH or --user")
      }
      return
    }
    guard !arguments.operands.isEmpty else {
      throw arguments.error(
        "specify a grant, kind or path to revoke; 'devaccess grants' lists the grants")
    }
  }

  init(_ arguments: CommandArguments) throws(UsageError) {
    var user: String?
    if case .user(let name) = try arguments.subject().selector { user = name }
    let word = arguments.operands.first ?? ""
    if arguments.contains(.overdue) {
      selection = .overdue
    } else if AccessGrant.isID(word) {
      guard user == nil else {
        throw arguments.error("--user cannot be used with the ID of a grant")
      }
      selection = .id(word)
    } else {
      // If the device was unplugged, its node does not exist.
      let target = try OperandReader.target(word, for: .revoke, fileExists: arguments.fileExists)
      switch target {
      case .kind(let kind): selection = .kind(kind.name, user: user)
      case .path(let path): selection = .path(path, user: user)
      }
    }
    isDry = arguments.contains(.dryRun)
    line = "revoke " + arguments.commandLine
  }

  func run(_ context: CommandRun) async throws -> ExitStatus {
    let revocation: Revocation
    do throws(GrantError) {
      revocation = try await Contractors().grants.revocation(selection, isDry: isDry)
    } catch {
      throw CommandFailure(error, "revoke access to", line)
    }
    let revoked = revocation.grants
    let failure = revocation.failure.map { CommandFailure($0, "revoke access to", line) }
    if let failure {
      guard !revoked.isEmpty else { throw failure }
      // Some grants were revoked before the failure.
      context.streams.report(failure.message)
    }
    // A file that was not found may have been moved, and then still has its ACL entry.
    let isUnfound = !isDry && revoked.contains { $0.isGone && $0.kind == nil }
    let status = failure?.status ?? (isUnfound ? .absent : .allowed)
    if context.json {
      return try context.show(
        json: RevokeOutput(revoked, of: .revoke, isDry: isDry, failure: failure, status: status),
        status)
    }
    return try context.show(
      RevokeText(revoked: revoked, isDry: isDry, style: context.style).text, status)
  }
}

/// The output of `devaccess revoke`.
struct RevokeText {
  let revoked: [StandingGrant]
  let isDry: Bool
  let style: Style

  var text: String {
    guard !revoked.isEmpty else { return "No grant is overdue\n" }
    return revoked.flatMap(lines).joined(separator: "\n") + "\n"
  }

  private func lines(_ standing: StandingGrant) -> [String] {
    let text = StandingGrantText(standing, style)
    // The user had already lost the access before this command ran.
    let lost = standing.isLost ? [text.lost] : []
    guard isDry else {
      let moved = standing.isGone && standing.kind == nil ? [text.moved] : []
      return ["\(verb(standing)): \(text.may)"] + lost + text.remaining(standing) + moved
    }
    let verb = standing.isLost ? "Already without effect" : "Revokes"
    return ["# \(verb): \(text.may)"] + lost.map { "# \($0)" }
      + standing.commands.map { style.command($0) }
  }

  private func verb(_ standing: StandingGrant) -> String {
    if standing.isLost { return "Was already without effect" }
    if standing.isGone, standing.kind == nil { return "Not found" }
    // If some access remains, the word "Revoked" would be misleading.
    return standing.remaining == nil ? "Revoked" : "Ended"
  }
}
