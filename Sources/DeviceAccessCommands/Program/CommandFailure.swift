internal import LinuxDevices

/// Why a command could not answer.
struct CommandFailure: Error, Hashable, Sendable {
  /// One line; untrusted parts are already escaped.
  var message: String
  var status: ExitStatus

  init(_ message: String, _ status: ExitStatus) {
    self.message = message
    self.status = status
  }

  /// What an error of the machine means to a person.
  init(_ error: DeviceError) {
    message = "cannot \(Escaped(error.operation))"
    if let path = error.path { message += " \(Escaped(path))" }
    message += ": " + (error.errno.map { ErrorNumber($0).text } ?? error.code.words)
    status =
      switch error.code {
      case .invalidPath: .usage
      case .notADevice, .noSubject, .maskedUnit: .absent
      case .refused: .refused
      case .exhausted: .internalError
      default: .undetermined
      }
  }
}

extension DeviceError.Code {
  /// What is the matter, as one clause.
  fileprivate var words: String {
    switch self {
    case .invalidPath: "no system call would take this path"
    case .notADevice: "it is not a device"
    case .refused: "refused"
    case .noSubject: "there is none"
    case .maskedUnit: "it is masked"
    case .exhausted: "the system lacks the resources"
    case .unavailable: "it cannot be read on this system"
    default: description
    }
  }
}
