internal import AccessModel
internal import LinuxDevices

/// The reason why a command cannot answer.
struct CommandFailure: Error, Hashable, Sendable {
  /// The message, one line in which untrusted parts are already escaped.
  var message: String
  var status: ExitStatus

  init(_ message: String, _ status: ExitStatus) {
    self.message = message
    self.status = status
  }

  /// Checks that this process can wait for events.
  ///
  /// - Parameter purpose: The purpose of the wait as a verb, such as `watch`.
  /// - Throws: ``CommandFailure`` with the status `internalError` if no event can reach this
  ///   process, so a command would wait forever.
  static func requireWaiting(to purpose: String) throws(CommandFailure) {
    guard let refusal = WaitingNeeds.refusal() else { return }
    throw CommandFailure(
      "cannot \(purpose): \(refusal.words): \(refusal.error.clause)", .internalError)
  }

  /// Creates a failure from an error that a command may report in one line; returns `nil` for other
  /// errors.
  init?(reporting error: any Error) {
    switch error {
    case let failure as CommandFailure: self = failure
    case let error as DeviceError: self.init(error)
    case let error as InputError: self.init(error.description, error.status)
    default: return nil
    }
  }

  /// Creates a failure that explains an observation error to the user.
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
      // A user manager may have a unit with this name.
      case "unit":
        "no system unit named \(subject) (for a user unit, use --pid with the PID of its main process)"
      default: "no \(Escaped(noun)) named \(subject)"
      }
    case (.maskedUnit, let subject?):
      return "unit \(subject) is masked, so it cannot be started"
    default:
      // A timeout is rarely about a connection; usually a filesystem or service does not respond.
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

extension CommandFailure {
  /// Creates a failure that explains an error of a grant to the user.
  ///
  /// - Parameters:
  ///   - error: The error.
  ///   - operation: The operation that failed, such as `grant access to`.
  ///   - line: The arguments to run as root if the operation was not permitted; `nil` for no
  ///     suggestion.
  init(_ error: GrantError, _ operation: String, _ line: String? = nil) {
    let attempt =
      error.path.map { "\(operation) \(Escaped($0, limit: 512))" }
      ?? (operation.hasSuffix(" to") ? String(operation.dropLast(3)) : operation)
    var message = "cannot \(attempt): \(Escaped(error.reason, limit: 1024))"
    if error.code == .notPermitted, let line {
      message += "; try 'sudo devaccess \(Style(color: false, unicode: false).command(line))'"
    }
    if error.code == .unknown, operation.hasPrefix("revoke") {
      message += "; 'devaccess grants' lists the grants"
    }
    self.init(message, error.code.exitStatus)
  }
}

extension GrantError.Code {
  /// The exit status for the error.
  fileprivate var exitStatus: ExitStatus {
    switch self {
    case .notPermitted, .wrongObject, .useless: .refused
    case .changed, .undetermined: .undetermined
    case .absent, .unknown: .absent
    default: .internalError
    }
  }
}
