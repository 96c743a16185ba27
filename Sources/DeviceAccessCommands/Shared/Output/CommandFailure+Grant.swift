internal import AccessModel

extension CommandFailure {
  /// What a refused grant means to a person.
  ///
  /// - Parameters:
  ///   - error: The error.
  ///   - operation: What was attempted, such as `grant access`.
  ///   - line: The arguments to run as root, where that is what is missing.
  init(_ error: GrantError, _ operation: String, _ line: String?) {
    let path = error.path.map { " \(Escaped($0, limit: 512))" } ?? ""
    var message = "cannot \(operation)\(path): \(Escaped(error.reason, limit: 1024))"
    if error.code == .notPermitted, let line {
      message += "; try 'sudo devaccess \(Escaped(line, limit: 1024))'"
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
