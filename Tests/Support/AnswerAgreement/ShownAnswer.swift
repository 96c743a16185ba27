/// An answer in the JSON output of a command.
struct ShownAnswer: Decodable, Equatable {
  var answer: String
  var status: String
  var availability: String
  var certainty: String
  var exitStatus: Int32?

  private enum CodingKeys: String, CodingKey {
    case answer, status, availability, certainty
    case exitStatus = "exit_status"
  }

  /// The JSON object of `devaccess status`.
  struct Statuses: Decodable {
    var permissions: [ShownAnswer]
  }
}
