internal import AccessModel
internal import CSystemd
internal import MessageBus

extension SystemdLibrary {
  /// Returns the functions of libsystemd, named as in sd-login(3).
  ///
  /// - Throws: `ELIBACC` if the library or one of its functions is missing.
  static func loaded() throws(Errno) -> csystemd {
    guard let functions else { throw .noLibrary }
    return functions
  }
}
