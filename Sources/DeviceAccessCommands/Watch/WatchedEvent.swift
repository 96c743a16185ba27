internal import JSONText

/// One line of `devaccess watch`, for a person, for a program, and for a command that is run.
struct WatchedEvent: Sendable {
  /// The line for a person, with its end.
  var text: String
  /// The JSON object, without an end.
  var json: String
  /// What a command finds in its environment.
  var variables: [(name: String, value: String)]

  /// What the names of all ``variables`` begin with.
  static let prefix = "DEVACCESS_"

  /// Creates an event; variables without a value are left out.
  ///
  /// - Throws: What encoding throws.
  init(
    text: String, json: some Encodable, variables: KeyValuePairs<String, String?>
  ) throws {
    self.text = text
    self.json = try JSONWriter.encode(json)
    self.variables = variables.compactMap { name, value in
      value.map { (Self.prefix + name, $0.filter { $0 != "\0" }) }
    }
  }
}
