internal import AccessModel
internal import DevicePermissions
internal import LegoKit

/// `devaccess grants`.
struct GrantsCommand {}

extension GrantsCommand: Command {
  static let declaration = CommandDeclaration(
    name: .grants,
    summary: "list the access that 'devaccess grant' gave",
    options: [.json],
    details: """
      Lists your own grants and the permanent ones; as root, those of root. A grant that is over \
      and could not be ended is shown as overdue: the next grant or revoke ends it. One that \
      something else took out of the access list, such as an event of the device, is shown as \
      without effect.
      """,
    examples: [("sudo devaccess grants", "what stands now?")])

  init(_ arguments: CommandArguments) throws(UsageError) {}

  func run(_ run: CommandRun) async throws -> ExitStatus {
    try await run.build(.list, "list the grants")
    let standing = run.store.design.grants.standing ?? []
    if run.json { return try run.show(json: GrantsOutput(standing)) }
    return try run.show(GrantsText(standing: standing, style: run.style).text)
  }
}
