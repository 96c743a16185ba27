internal import AccessModel
internal import CLinux
internal import Glibc

/// Asks the kernel itself whether the calling thread may access a path.
///
/// It is the raw system call `faccessat2` with `AT_EACCESS` of Linux 5.8: glibc's functions may
/// answer from the mode bits alone.
enum FileAccessCheck {
  /// Success when granted, the error when refused, `nil` when the kernel cannot be asked.
  ///
  /// A sandbox may refuse the call itself (`ENOSYS` or `EPERM`); the root directory, which
  /// everybody may ask about, tells this from a refused path.
  static func ask(_ path: String, _ mode: Permissions) -> Errno? {
    meaning(of: unsafe clinux_access(ByteText(path).cString, Int32(mode.rawValue)))
  }

  /// The same about what a descriptor holds, which may be one that only names it (`O_PATH`).
  static func ask(held descriptor: Int32, _ mode: Permissions) -> Errno? {
    meaning(of: clinux_access_held(descriptor, Int32(mode.rawValue)))
  }

  private static func meaning(of answer: Int32) -> Errno? {
    let error = Errno(negated: answer)
    switch error {
    case .noSystemCall: return nil
    // The call was not finished, and so refused nothing.
    case .interrupted: return nil
    case _ where error.isOfResources: return nil
    case .notPermitted where unsafe clinux_access("/", F_OK) != 0: return nil
    default: return error
    }
  }
}
