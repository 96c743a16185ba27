public import AccessModel

/// Why the machine could not be observed or a device not be opened.
///
/// A refused permission is a decision and no error; only ``Machine/open(_:for:)`` throws it.
public struct DeviceError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What kind of failure it is.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    private enum Word: String {
      case unavailable, invalidPath, refused, notADevice, noSubject, maskedUnit, exhausted
    }

    private let word: Word

    /// A source of facts cannot be read at all.
    public static let unavailable = Code(word: .unavailable)
    /// The process or the system lacks descriptors or memory to look.
    public static let exhausted = Code(word: .exhausted)
    /// The path is empty, too long, or holds a NUL byte.
    public static let invalidPath = Code(word: .invalidPath)
    /// The system call failed.
    public static let refused = Code(word: .refused)
    /// The object at the path is not a device.
    public static let notADevice = Code(word: .notADevice)

    /// The user, group, process or unit that the question names does not exist.
    public static let noSubject = Code(word: .noSubject)
    /// The unit is masked, so that it cannot be started.
    public static let maskedUnit = Code(word: .maskedUnit)

    public var description: String { word.rawValue }
  }

  /// What kind of failure it is, for a program to branch on.
  public var code: Code
  /// What was attempted, such as `list devices`.
  public var operation: String
  /// The path, or the name of a user, group, process or unit.
  public var path: String?
  /// The error number of the system call, when there was one.
  public var errno: Errno?

  /// Creates an error of one failed operation.
  public init(_ code: Code, operation: String, path: String? = nil, errno: Errno? = nil) {
    self.code = code
    self.operation = operation
    self.path = path
    self.errno = errno
  }

  /// Something that is there, or may be, and that could not be looked at.
  init(unableTo operation: String, _ name: String, _ error: Errno) {
    self.init(
      error.isOfResources ? .exhausted : .unavailable, operation: operation, path: name,
      errno: error)
  }

  /// Devices of which nothing tells whether there are any; an empty list would say that there are none.
  package init(unlistedBecause reason: String) {
    self.init(.unavailable, operation: "list devices, because \(reason)")
  }

  /// Whether looking again may succeed: what is missing is a source of facts, descriptors or memory.
  package var mayPass: Bool { code == .unavailable || code == .exhausted }

  /// One line for a person; the path in it is not escaped.
  public var description: String {
    var text = "cannot \(operation)"
    if let path { text += path.isEmpty ? " the empty path" : " \(path)" }
    text += ": \(code)"
    if let errno { text += " (\(errno.name))" }
    return text
  }
}
