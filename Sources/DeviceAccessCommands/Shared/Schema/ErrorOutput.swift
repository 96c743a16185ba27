/// The JSON object of a command that could not answer.
struct ErrorOutput: Encodable {
  let schema = Schema.name
  let command: CommandName
  /// One line for a person.
  let error: String
  let exitStatus: Int32

  private enum CodingKeys: String, CodingKey {
    case schema, command, error
    case exitStatus = "exit_status"
  }
}
