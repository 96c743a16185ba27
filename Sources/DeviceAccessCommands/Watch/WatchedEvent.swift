internal import JSONText

/// One line of `devaccess watch`, for a person, for a program, and for a command that is run.
///
/// A form that nobody takes is empty.
struct WatchedEvent: Sendable {
  /// Who takes an event.
  struct Takers: OptionSet, Sendable {
    let rawValue: Int

    /// A person, who reads the text.
    static let person = Takers(rawValue: 1)
    /// A program, which reads the JSON.
    static let program = Takers(rawValue: 2)
    /// A command that is run, which finds the JSON and variables.
    static let command = Takers(rawValue: 4)
  }

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
    for takers: Takers, text: @autoclosure () -> String, json: @autoclosure () -> some Encodable,
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
