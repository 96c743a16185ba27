internal import AccessModel
internal import CSystemd
internal import Glibc
internal import MessageBus

/// Converts the return conventions of C functions.
extension Errno {
  /// The value of `errno` on this thread; read it in the expression after the call.
  static var current: Errno { Errno(rawValue: Glibc.errno) }

  /// Throws the current error if a function of libc, libcap or libacl returned -1.
  @discardableResult
  static func check(_ result: Int32) throws(Errno) -> Int32 {
    guard result != -1 else { throw .current }
    return result
  }

  /// Throws an error if a function of libudev, libsystemd or a shim returned `-errno`.
  @discardableResult
  static func check(negated result: Int32) throws(Errno) -> Int32 {
    guard result >= 0 else { throw Errno(negated: result) }
    return result
  }

  /// Throws an error if a reentrant function or a function of POSIX threads returned an error
  /// number.
  static func check(returned result: Int32) throws(Errno) {
    guard result == 0 else { throw Errno(rawValue: result) }
  }

  /// Creates an error from a result of the form `-errno`.
  init(negated result: Int32) {
    self.init(rawValue: 0 &- result)
  }

  /// A Boolean value that indicates whether the process or system lacks resources, such as memory.
  var isOfResources: Bool {
    switch self {
    case .tooManyFiles, .tooManyFilesInSystem, .noMemory, .tryAgain: true
    default: false
    }
  }

  /// A Boolean value that indicates whether access was refused, by permissions or any other check.
  var isOfRefusal: Bool { self == .permissionDenied || self == .notPermitted }

  /// The reason that an object could not be inspected, as a clause for a facts file.
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

extension BusFailure {
  /// What the failure says about the service that was called.
  enum Meaning {
    /// No answer arrived in time.
    case timedOut
    /// The caller's task was cancelled.
    case cancelled
    /// The service, object or method does not exist.
    case absent
    /// The connection failed because there is no bus.
    case missingBus
    /// The service exited before it answered.
    case exited
    /// Anything else.
    case other
  }

  /// What the failure says about the service that was called.
  var meaning: Meaning {
    if self == .timedOut || name == "org.freedesktop.DBus.Error.Timeout" { return .timedOut }
    if self == .cancelled { return .cancelled }
    if Self.absences.contains(name) { return .absent }
    if isMissingBus { return .missingBus }
    return name == "org.freedesktop.DBus.Error.NoReply" ? .exited : .other
  }

  /// A Boolean value that indicates whether the connection failed because there is no bus.
  var isMissingBus: Bool { name.isEmpty && Self.missingBus.contains(errno) }

  private static let absences = Set(
    [
      "ServiceUnknown", "NameHasNoOwner", "UnknownMethod", "UnknownInterface", "UnknownObject",
      "Spawn.ServiceNotFound",
    ]
    .map { "org.freedesktop.DBus.Error.\($0)" })

  private static let missingBus: Set<Int32> = [
    ENOMEDIUM, ENOENT, ECONNREFUSED, ENXIO, EINVAL, ELIBACC,
  ]
}

extension SystemdLibrary {
  /// Returns the functions of libsystemd, named as in sd-login(3).
  ///
  /// - Throws: `ELIBACC` if the library or one of its functions is missing.
  static func loaded() throws(Errno) -> csystemd {
    guard let functions else { throw .noLibrary }
    return functions
  }
}
