internal import AccessModel
internal import CLinux
internal import Glibc

/// Asks the kernel whether the calling thread may access a path.
///
/// This is the system call `faccessat2` with `AT_EACCESS` (Linux 5.8). The functions of glibc may
/// fall back to the mode bits.
enum FileAccessCheck {
  /// Asks the kernel about the object at a path.
  ///
  /// A sandbox may refuse the system call itself (`ENOSYS` or `EPERM`). To recognize this, `EPERM`
  /// is compared with the result for the root directory, whose existence every process may check.
  ///
  /// - Returns: Success if access is granted, the error if it is refused, or `nil` if the kernel
  ///   cannot be asked.
  static func ask(_ path: String, _ mode: Permissions) -> Errno? {
    meaning(of: unsafe clinux_access(ByteText(path).cString, Int32(mode.rawValue)))
  }

  /// Asks the kernel about an open object, whose descriptor may be opened with `O_PATH`.
  ///
  /// - Returns: The result, as for ``ask(_:_:)``.
  static func ask(held descriptor: Int32, _ mode: Permissions) -> Errno? {
    meaning(of: clinux_access_held(descriptor, Int32(mode.rawValue)))
  }

  private static func meaning(of answer: Int32) -> Errno? {
    let error = Errno(negated: answer)
    switch error {
    case .noSystemCall: return nil
    // The system call was interrupted before it came to a decision.
    case .interrupted: return nil
    case _ where error.isOfResources: return nil
    case .notPermitted where unsafe clinux_access("/", F_OK) != 0: return nil
    default: return error
    }
  }
}
