package import AccessModel
package import LinuxDevices

extension GrantError {
  /// Creates the error for an object or user that cannot be observed.
  ///
  /// - Parameters:
  ///   - error: The error of the observation.
  ///   - path: The path of the object, used if the error has none.
  package init(observing error: DeviceError, at path: String? = nil) {
    let path = error.path ?? path
    let clause = error.errno?.clause ?? "\(error.code)"
    switch error.code {
    case .noSubject: self.init(.absent, error.path.map { "no user named \($0)" } ?? "no such user")
    case .exhausted: self.init(.failed, at: path, clause)
    default: self.init(.undetermined, at: path, clause)
    }
  }
}
