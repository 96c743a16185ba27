internal import AccessModel
internal import DevicePermissions
internal import LegoKit

extension CommandRun {
  /// Builds a change of grants and waits for all that follows from it.
  ///
  /// - Throws: ``CommandFailure`` when it was refused or failed.
  func build(
    _ change: GrantBlueprint.Change, _ operation: String, _ line: String? = nil
  ) async throws(CommandFailure) {
    await store.build(.grants(change)).finished()
    if let failure = store.design.grants.failure { throw CommandFailure(failure, operation, line) }
  }

  /// What a grant came to, or would come to.
  func report(
    _ change: GrantBlueprint.Change, _ line: String
  ) async throws(CommandFailure) -> GrantReport {
    try await build(change, "grant access to", line)
    guard let report = store.design.grants.report else {
      throw CommandFailure("there is no answer", .internalError)
    }
    return report
  }

  /// The grants that were last taken back or given again.
  var revoked: [StandingGrant] { store.design.grants.revoked }
}
