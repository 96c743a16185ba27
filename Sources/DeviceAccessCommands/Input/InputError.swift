/// What is wrong with the input that a command was given, as one line for a person.
struct InputError: Error, Hashable, Sendable, CustomStringConvertible {
  /// One line; untrusted parts are already escaped.
  var description: String

  init(_ description: String) {
    self.description = description
  }
}
