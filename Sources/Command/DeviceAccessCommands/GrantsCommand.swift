internal import AccessModel
internal import DevicePermissions
internal import LegoKit

/// The `devaccess grants` command.
struct GrantsCommand {}

extension GrantsCommand: Command {
  static let declaration = CommandDeclaration(
    name: .grants,
    summary: "list active grants",
    options: [.json],
    details: """
      Lists the grants that you made, and all permanent grants. As root, lists the grants that root made.
      """,
    examples: [("sudo devaccess grants", "list the grants that root made")])

  init(_ arguments: CommandArguments) throws(UsageError) {}

  func run(_ context: CommandRun) async throws -> ExitStatus {
    let standing: [StandingGrant]
    do throws(GrantError) {
      standing = try await Contractors().grants.grants()
    } catch {
      throw CommandFailure(error, "list the grants")
    }
    if context.json { return try context.show(json: GrantsOutput(standing)) }
    return try context.show(GrantsText(standing: standing, style: context.style).text)
  }
}

/// The output of `devaccess grants`: one line per grant.
struct GrantsText {
  let standing: [StandingGrant]
  let style: Style

  var text: String {
    guard !standing.isEmpty else { return "no grants\n" }
    var columns = Columns()
    columns.add(["ID", "USER", "ACCESS", "UNTIL", "BY", "PATH"], tone: .heading)
    for one in standing {
      let grant = one.grant
      columns.add([
        (grant.id, nil),
        (
          StandingGrantText.user(
            grant.userName.map { style.safe($0, limit: 32) } ?? String(grant.user),
            now: one.currentName, style), nil
        ),
        (grant.permissions.letters, nil),
        (until(one), one.isOver ? .bad : nil), (String(grant.giver), nil),
        (style.safe(one.path, limit: 4096) + state(of: one), one.isLost ? .bad : nil),
      ])
    }
    return columns.lines(style: style).joined(separator: "\n") + "\n"
  }

  /// Returns a note about a grant that has no effect or may end early, to print after its path.
  private func state(of one: StandingGrant) -> String {
    if one.isLost { return " \(style.dash) without effect: the access list was changed" }
    if one.isGone { return " \(style.dash) not found" }
    return one.survivesReplug == false
      ? " \(style.dash) also ends at an event of the device, such as a replug" : ""
  }

  private func until(_ one: StandingGrant) -> String {
    guard let end = one.grant.end else { return "permanent" }
    return one.isOver ? "overdue" : Timestamp(seconds: end).localText()
  }
}

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
