package import AccessModel
package import LinuxDevices

extension GrantError {
  /// Why a grant cannot be worked out, where its object or user cannot be observed.
  package init(observing error: DeviceError) {
    if error.code == .noSubject {
      self.init(.absent, "there is no user \(error.path ?? "of that name")")
    } else {
      self.init(.undetermined, at: error.path, error.errno?.clause ?? "\(error.code)")
    }
  }
}
