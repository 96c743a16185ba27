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

  func run(_ run: CommandRun) async throws -> ExitStatus {
    let standing: [StandingGrant]
    do throws(GrantError) {
      standing = try await Contractors().grants.grants()
    } catch {
      throw CommandFailure(error, "list the grants")
    }
    if run.json { return try run.show(json: GrantsOutput(standing)) }
    return try run.show(GrantsText(standing: standing, style: run.style).text)
  }
}
