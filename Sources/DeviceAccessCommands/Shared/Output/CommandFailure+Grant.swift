internal import AccessModel

extension CommandFailure {
  /// What a refused grant means to a person.
  ///
  /// - Parameters:
  ///   - error: The error.
  ///   - operation: What was attempted with the object of the error, such as `grant access to`.
  ///   - line: The arguments to run as root, where that is what is missing.
  init(_ error: GrantError, _ operation: String, _ line: String?) {
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
  /// The exit status that it leads to.
  fileprivate var exitStatus: ExitStatus {
    switch self {
    case .notPermitted, .wrongObject, .useless: .refused
    case .changed, .undetermined: .undetermined
    case .absent, .unknown: .absent
    default: .internalError
    }
  }
}
