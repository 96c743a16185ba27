internal import AccessModel
internal import Glibc

/// Every C return convention is turned into Swift here, once.
extension Errno {
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
    guard result >= 0 else { throw Errno(negated: result) }
    return result
  }

  /// The convention of `…_r` functions and of POSIX threads: the error number itself.
  static func check(returned result: Int32) throws(Errno) {
    guard result == 0 else { throw Errno(rawValue: result) }
  }

  /// The error number in a result that is `-errno`.
  init(negated result: Int32) {
    self.init(rawValue: 0 &- result)
  }

  /// Whether the process or the system lacks what looking takes, so that nothing was found out.
  var isOfResources: Bool {
    switch self {
    case .tooManyFiles, .tooManyFilesInSystem, .noMemory, .tryAgain: true
    default: false
    }
  }

  /// Whether it was refused: by permissions, or by whatever else answers with one of the two errors.
  var isOfRefusal: Bool { self == .permissionDenied || self == .notPermitted }

  /// Why something could not be looked at, as a clause: what a facts file says of it.
  package var reason: String {
    switch self {
    case .permissionDenied, .notPermitted, .noSuchFile, .notDirectory, .noSuchProcess,
      .connectionRefused:
      clause
    case .tooManyLinks: "too many symbolic links"
    case .nameTooLong: "name too long"
    case .noSystemCall: "the kernel lacks the system call"
    case .notSupported: "not supported"
    case .inputOutput: "input or output error"
    case .tooBig: "it is too long"
    case .tooManyFiles, .tooManyFilesInSystem: "too many open files"
    case .noMemory: "out of memory"
    case .timedOut: "no answer in time"
    case .noLibrary: "libsystemd cannot be loaded"
    default: name
    }
  }
}
