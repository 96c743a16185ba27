internal import AccessModel
internal import Glibc

/// What is wrong with the input that a command was given, as one line for a person.
struct InputError: Error, Hashable, Sendable, CustomStringConvertible {
  /// One line; untrusted parts are already escaped.
  var description: String

  var status = ExitStatus.usage

  init(_ description: String) {
    self.description = description
  }

  /// A system call that failed; `EMFILE`, `ENFILE` and `ENOMEM` are not the input's fault.
  init(_ operation: String, errno: Int32) {
    description = "cannot \(operation): \(ErrorNumber.text(errno))"
    if [EMFILE, ENFILE, ENOMEM].contains(errno) { status = .internalError }
  }
}
