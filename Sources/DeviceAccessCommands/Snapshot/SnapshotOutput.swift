internal import AccessModel

/// The JSON object of `devaccess snapshot --json`.
struct SnapshotOutput: Encodable {
  let schema = Schema.name
  let command = CommandName.snapshot
  /// The snapshot itself; `nil` when it was written to a file.
  let snapshot: AccessFacts?
  /// The file that it was written to.
  let file: String?
}
