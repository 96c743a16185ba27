internal import AccessModel
internal import Glibc

/// The error number of a system call or library function.
///
/// Every C return convention is turned into Swift here, once.
struct Errno: Error, RawRepresentable, Hashable, Sendable {
  let rawValue: Int32

  init(rawValue: Int32) {
    self.rawValue = rawValue
  }

  static let permissionDenied = Errno(rawValue: EACCES)
  static let notPermitted = Errno(rawValue: EPERM)
  static let noSuchFile = Errno(rawValue: ENOENT)
  static let noData = Errno(rawValue: ENODATA)
  static let notADirectory = Errno(rawValue: ENOTDIR)
  static let notSupported = Errno(rawValue: ENOTSUP)
  static let noSystemCall = Errno(rawValue: ENOSYS)
  static let interrupted = Errno(rawValue: EINTR)
  static let nameTooLong = Errno(rawValue: ENAMETOOLONG)
  static let wrongObject = Errno(rawValue: EBADF)
  static let noSuchProcess = Errno(rawValue: ESRCH)
  static let tooBig = Errno(rawValue: E2BIG)

  static let noSuchDevice = Errno(rawValue: ENODEV)
  static let noSuchAddress = Errno(rawValue: ENXIO)
  /// A library that is loaded on demand cannot be.
  static let noLibrary = Errno(rawValue: ELIBACC)

  static let tooManyFiles = Errno(rawValue: EMFILE)

  /// Whether the process or the system lacks what looking takes, so that nothing was found out.
  var isOfResources: Bool {
    switch rawValue {
    case EMFILE, ENFILE, ENOMEM, EAGAIN: true
    default: false
    }
  }

  /// The error number of the last call on this thread; to be read in the expression after it.
  static var current: Errno { Errno(rawValue: Glibc.errno) }

  /// The convention of libc, libcap and libacl: -1 and `errno`.
  @discardableResult
  static func check(_ result: Int32) throws(Errno) -> Int32 {
    guard result != -1 else { throw .current }
    return result
  }

  /// The convention of libudev, libsystemd and the shims of this package: `-errno`.
  @discardableResult
  static func check(negated result: Int32) throws(Errno) -> Int32 {
    guard result >= 0 else { throw Errno(rawValue: 0 &- result) }
    return result
  }

  /// The convention of `…_r` functions and of POSIX threads: the error number itself.
  static func check(returned result: Int32) throws(Errno) {
    guard result == 0 else { throw Errno(rawValue: result) }
  }

  /// What strerror(3) calls it, in lower case, such as `permission denied`.
  var clause: String {
    switch rawValue {
    case EACCES: "permission denied"
    case EPERM: "operation not permitted"
    case ENOENT: "no such file or directory"
    case ENOTDIR: "not a directory"
    case ELOOP: "too many symbolic links"
    case ENAMETOOLONG: "name too long"
    case ENOSYS: "the kernel does not have the system call"
    case ENOTSUP: "not supported"
    case EIO: "input or output error"
    case ESRCH: "no such process"
    case E2BIG: "it is too long"
    case EMFILE, ENFILE: "too many open files"
    case ENOMEM: "out of memory"
    case ETIMEDOUT: "no answer in time"
    case ECONNREFUSED: "connection refused"
    case ELIBACC: "libsystemd is missing"
    default: ErrorNumber.name(rawValue)
    }
  }
}
