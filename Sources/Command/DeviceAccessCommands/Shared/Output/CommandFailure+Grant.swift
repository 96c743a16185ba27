internal import AccessModel

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
