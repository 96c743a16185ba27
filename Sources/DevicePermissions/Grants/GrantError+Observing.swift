package import AccessModel
package import LinuxDevices

extension GrantError {
  /// Why a grant cannot be worked out, where its object or user cannot be observed.
  ///
  /// - Parameters:
  ///   - error: What kept it from being observed.
  ///   - path: The object, where the error names none.
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
