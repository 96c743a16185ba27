internal import AccessModel

/// A problem with the input of a command, described in one line.
struct InputError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The description, in which untrusted parts are already escaped.
  var description: String

  var status = ExitStatus.usage

  /// A Boolean value that indicates whether the input has another format, so all of it is unusable.
  var isOtherFormat = false

  init(_ description: String) {
    self.description = description
  }

  /// Creates an error from a failed system call.
  ///
  /// `EMFILE`, `ENFILE` and `ENOMEM` are internal errors, because the input does not cause them.
  init(_ operation: String, _ error: Errno) {
    description = "cannot \(operation): \(error.clause)"
    if [.tooManyFiles, .tooManyFilesInSystem, .noMemory].contains(error) {
      status = .internalError
    }
  }
}
