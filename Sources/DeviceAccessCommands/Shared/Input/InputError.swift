internal import AccessModel

/// What is wrong with the input that a command was given, as one line for a person.
struct InputError: Error, Hashable, Sendable, CustomStringConvertible {
  /// One line; untrusted parts are already escaped.
  var description: String

  var status = ExitStatus.usage

  /// Whether the input is of another format, so that nothing after its beginning can be used.
  var isOtherFormat = false

  init(_ description: String) {
    self.description = description
  }

  /// A system call that failed; `EMFILE`, `ENFILE` and `ENOMEM` are not the input's fault.
  init(_ operation: String, _ error: Errno) {
    description = "cannot \(operation): \(error.clause)"
    if [.tooManyFiles, .tooManyFilesInSystem, .noMemory].contains(error) {
      status = .internalError
    }
  }
}
