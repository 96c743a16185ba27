internal import AccessModel
internal import LinuxDevices

/// The reason why a command could not answer.
struct CommandFailure: Error, Hashable, Sendable {
  /// One line, with untrusted parts already escaped.
  var message: String
  var status: ExitStatus

  init(_ message: String, _ status: ExitStatus) {
    self.message = message
    self.status = status
  }

  /// Throws an error if a command that waits for events would wait forever.
  ///
  /// - Parameter purpose: The purpose of the wait, such as `watch`.
  /// - Throws: ``CommandFailure`` that names what is missing, as an internal error.
  static func requireWaiting(to purpose: String) throws(CommandFailure) {
    guard let refusal = WaitingNeeds.refusal() else { return }
    throw CommandFailure(
      "cannot \(purpose): \(refusal.words): \(refusal.error.clause)", .internalError)
  }

  /// Creates a failure that explains an error of the machine to the user.
  init(_ error: DeviceError) {
    self.init(Self.message(error), error.code.exitStatus)
  }

  private static func message(_ error: DeviceError) -> String {
    let subject = error.path.map { Escaped($0).description }
    switch (error.code, subject) {
    case (.noSubject, let subject?):
      let noun = error.operation.split(separator: " ").last.map(String.init) ?? "subject"
      return switch noun {
      case "process": "no process with ID \(subject)"
      // A user manager may have a unit of that name.
      case "unit":
        "no system unit named \(subject) (for a user unit, use --pid with the PID of its main process)"
      default: "no \(Escaped(noun)) named \(subject)"
      }
    case (.maskedUnit, let subject?):
      return "unit \(subject) is masked, so it cannot be started"
    default:
      // A timeout rarely concerns a connection; usually a filesystem or service does not respond.
      let clause = error.errno.map { $0 == .timedOut ? $0.reason : $0.clause }
      let reason = clause ?? error.code.words
      return "cannot \(Escaped(error.operation))" + (subject.map { " \($0)" } ?? "") + ": \(reason)"
    }
  }
}

extension DeviceError.Code {
  /// The exit status for the error.
  fileprivate var exitStatus: ExitStatus {
    switch self {
    case .invalidPath: .usage
    case .notADevice, .noSubject, .maskedUnit: .absent
    case .refused: .refused
    case .exhausted: .internalError
    default: .undetermined
    }
  }

  /// The problem as one clause.
  fileprivate var words: String {
    switch self {
    case .invalidPath: "no system call accepts this path"
    case .notADevice: "not a device"
    case .refused: "refused"
    case .exhausted: "the system lacks the resources"
    case .unavailable: "not available on this system"
    default: description
    }
  }
}
