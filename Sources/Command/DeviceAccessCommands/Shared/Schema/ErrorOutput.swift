/// The JSON object of a command that failed.
struct ErrorOutput: Encodable {
  let schema = Schema.name
  let command: CommandName
  /// The error message, on one line.
  let error: String
  let exitStatus: Int32

  private enum CodingKeys: String, CodingKey {
    case schema, command, error
    case exitStatus = "exit_status"
  }
}
