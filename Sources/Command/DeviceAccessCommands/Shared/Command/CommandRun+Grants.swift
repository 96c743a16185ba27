internal import AccessModel
internal import DevicePermissions
internal import LegoKit

extension CommandRun {
  /// Builds a change to grants and waits for all of its effects.
  ///
  /// - Throws: ``CommandFailure`` if the change was refused or failed.
  func build(
    _ change: GrantBlueprint.Change, _ operation: String, _ line: String? = nil
  ) async throws(CommandFailure) {
    await store.build(.grants(change)).finished()
    if let failure = store.design.grants.failure { throw CommandFailure(failure, operation, line) }
  }

  /// Builds a change that gives or plans a grant, and returns the report about it.
  func report(
    _ change: GrantBlueprint.Change, _ line: String
  ) async throws(CommandFailure) -> GrantReport {
    try await build(change, "grant access to", line)
    guard let report = store.design.grants.report else {
      throw CommandFailure("there is no answer", .internalError)
    }
    return report
  }

  /// The grants that the last change revoked or renewed.
  var revoked: [StandingGrant] { store.design.grants.revoked }
}
