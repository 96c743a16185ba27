internal import AccessModel
internal import CSystemd
internal import MessageBus

extension SystemdLibrary {
  /// The functions, under the names of sd-login(3).
  ///
  /// - Throws: `ELIBACC` where the library, or one of the functions, is missing.
  static func loaded() throws(Errno) -> csystemd {
    guard let functions else { throw .noLibrary }
    return functions
  }
}
