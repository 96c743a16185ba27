public import AccessModel

/// An error from observing the machine or opening a device.
///
/// A refused permission is a result, not an error. Only ``LinuxMachine/open(_:for:)`` throws an error
/// for it.
public struct DeviceError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of error.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    private enum Word: String {
      case unavailable, invalidPath, refused, notADevice, noSubject, maskedUnit, exhausted
    }

    private let word: Word

    /// A source of facts cannot be read at all.
    public static let unavailable = Code(word: .unavailable)
    /// The process or system lacks the descriptors or memory for an observation.
    public static let exhausted = Code(word: .exhausted)
    /// The path is empty, too long, or contains a NUL byte.
    public static let invalidPath = Code(word: .invalidPath)
    /// The system call failed.
    public static let refused = Code(word: .refused)
    /// The object at the path is not a device.
    public static let notADevice = Code(word: .notADevice)

    /// The user, group, process or unit in the question does not exist.
    public static let noSubject = Code(word: .noSubject)
    /// The unit is masked, so it cannot be started.
    public static let maskedUnit = Code(word: .maskedUnit)

    public var description: String { word.rawValue }
  }

  /// The kind of error.
  public var code: Code
  /// The attempted operation, such as `list devices`.
  public var operation: String
  /// The path, or the name of a user, group, process or unit.
  public var path: String?
  /// The error number, if a system call failed.
  public var errno: Errno?

  /// Creates an error for a failed operation.
  public init(_ code: Code, operation: String, path: String? = nil, errno: Errno? = nil) {
    self.code = code
    self.operation = operation
    self.path = path
    self.errno = errno
  }

  /// Creates an error for an object that could not be inspected.
  ///
  /// Such an object exists or may exist.
  init(unableTo operation: String, _ name: String, _ error: Errno) {
    self.init(
      error.isOfResources ? .exhausted : .unavailable, operation: operation, path: name,
      errno: error)
  }

  /// Creates an error for devices that cannot be listed.
  ///
  /// An empty list would mean that there are no devices.
  package init(unlistedBecause reason: String) {
    self.init(.unavailable, operation: "list devices, because \(reason)")
  }

  /// A Boolean value that indicates whether another attempt may succeed.
  ///
  /// It may if a source of facts was unavailable, or if descriptors or memory ran out.
  package var mayPass: Bool { code == .unavailable || code == .exhausted }

  /// A one-line message, in which the path is not escaped.
  public var description: String {
    var text = "cannot \(operation)"
    if let path { text += path.isEmpty ? " the empty path" : " \(path)" }
    text += ": \(code)"
    if let errno { text += " (\(errno.name))" }
    return text
  }
}

extension Unobserved {
  /// A Boolean value that indicates whether the cause may be temporary.
  ///
  /// No event reports the end of such a cause.
  package var isOfPassingError: Bool { Self.passingReasons.contains(reason) }

  private static let passingReasons = Set(
    [.inputOutput, .tooManyFiles, .noMemory, .tryAgain].map { (error: Errno) in error.reason })
}
