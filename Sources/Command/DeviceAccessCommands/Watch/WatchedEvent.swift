internal import JSONText

/// One event of `devaccess watch`, formatted for users, programs and the `--exec` command.
///
/// Formats that are not needed are empty.
struct WatchedEvent: Sendable {
  /// The consumers of an event.
  struct EventConsumers: OptionSet, Sendable {
    let rawValue: Int

    /// A person, who reads the text.
    static let person = EventConsumers(rawValue: 1)
    /// A program, which reads the JSON.
    static let program = EventConsumers(rawValue: 2)
    /// The `--exec` command, which gets the JSON and the variables.
    static let command = EventConsumers(rawValue: 4)
  }

  /// The line for a person, including its newline.
  var text: String
  /// The JSON object, without a newline.
  var json: String
  /// The environment variables for the `--exec` command.
  var variables: [(name: String, value: String)]

  /// The prefix of all names in ``variables``.
  static let prefix = "DEVACCESS_"

  /// Creates an event, and omits variables without a value.
  ///
  /// - Throws: An error thrown by the JSON encoder.
  init(
    for takers: EventConsumers, text: @autoclosure () -> String,
    json: @autoclosure () -> some Encodable,
    variables: @autoclosure () -> KeyValuePairs<String, String?>
  ) throws {
    self.text = takers.contains(.person) ? text() : ""
    self.json = takers.isDisjoint(with: [.program, .command]) ? "" : try JSONWriter.encode(json())
    self.variables =
      !takers.contains(.command)
      ? []
      : variables().compactMap { name, value in
        value.map { (Self.prefix + name, $0.filter { $0 != "\0" }) }
      }
  }
}
