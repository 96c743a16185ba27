internal import AccessModel

/// The JSON object of `devaccess snapshot --json`.
struct SnapshotOutput: Encodable {
  let schema = Schema.name
  let command = CommandName.snapshot
  let exitStatus = ExitStatus.allowed.rawValue
  /// The snapshot; `nil` if it was written to a file.
  let snapshot: AccessFacts?
  /// The path of the file that contains the snapshot; `nil` for standard output.
  let file: String?

  private enum CodingKeys: String, CodingKey {
    case schema, command
    case exitStatus = "exit_status"
    case snapshot, file
  }
}
