internal import AccessModel

/// The JSON object of `devaccess snapshot --json`.
struct SnapshotOutput: Encodable {
  let schema = Schema.name
  let command = CommandName.snapshot
  let exitStatus = ExitStatus.allowed.rawValue
  /// The snapshot itself; `nil` when it was written to a file.
  let snapshot: AccessFacts?
  /// The file that it was written to.
  let file: String?

  private enum CodingKeys: String, CodingKey {
    case schema, command
    case exitStatus = "exit_status"
    case snapshot, file
  }
}
