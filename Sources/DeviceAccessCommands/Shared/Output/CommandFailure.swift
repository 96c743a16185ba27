internal import AccessModel
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

  /// Fails where a command that waits for events would wait for ever.
  ///
  /// - Parameter purpose: What it cannot do then, such as `watch`.
  /// - Throws: ``CommandFailure`` with what is missing, as an internal error.
  static func requireWaiting(to purpose: String) throws(CommandFailure) {
    guard let refusal = WaitingNeeds.refusal() else { return }
    throw CommandFailure(
      "cannot \(purpose): \(refusal.words): \(refusal.error.clause)", .internalError)
  }

  /// What an error of the machine means to a person.
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
      // A user's own manager may well have one of that name.
      case "unit": "no system unit named \(subject) (for a unit of a user's manager, use --pid)"
      default: "no \(Escaped(noun)) named \(subject)"
      }
    case (.maskedUnit, let subject?):
      return "unit \(subject) is masked, so it cannot be started"
    default:
      // Most often no connection is meant, but a filesystem or a service that does not answer.
      let clause = error.errno.map { $0 == .timedOut ? $0.reason : $0.clause }
      let reason = clause ?? error.code.words
      return "cannot \(Escaped(error.operation))" + (subject.map { " \($0)" } ?? "") + ": \(reason)"
    }
  }
}

extension DeviceError.Code {
  /// The exit status that it leads to.
  fileprivate var exitStatus: ExitStatus {
    switch self {
    case .invalidPath: .usage
    case .notADevice, .noSubject, .maskedUnit: .absent
    case .refused: .refused
    case .exhausted: .internalError
    default: .undetermined
    }
  }

  /// What is wrong, as one clause.
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
