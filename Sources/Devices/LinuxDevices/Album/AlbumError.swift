public import AccessModel

/// An error from opening or creating a pictures directory, or from adding a picture.
public struct AlbumError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of error.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    private enum Word: String {
      case invalidName, absent, wrongObject, foreignPlace, refused, full, failed
    }

    private let word: Word

    /// The name is not valid.
    public static let invalidName = Code(word: .invalidName)
    /// The directory does not exist, or was removed.
    public static let absent = Code(word: .absent)
    /// The path leads to a symbolic link or another object of the wrong type.
    public static let wrongObject = Code(word: .wrongObject)
    /// The directory is not in the caller's home directory.
    public static let foreignPlace = Code(word: .foreignPlace)
    /// The kernel refused access to this process.
    public static let refused = Code(word: .refused)
    /// The filesystem is full, or the file would exceed a quota or a limit of the process.
    public static let full = Code(word: .full)
    /// A system call failed for another reason.
    public static let failed = Code(word: .failed)

    public var description: String { word.rawValue }
  }

  /// The kind of error.
  public var code: Code
  /// The path of the directory, or the requested name; it may contain untrusted text.
  public var path: String
  /// The reason, as one clause.
  public var reason: String
  /// The error number, if a system call failed.
  public var errno: Errno?

  /// A one-line message, in which the path is not escaped.
  public var description: String { "\(path): \(reason)" }

  /// Creates an error without an error number.
  public init(_ code: Code, at path: String, _ reason: String) {
    self.code = code
    self.path = path
    self.reason = reason
  }

  /// Creates an error for a failed system call.
  ///
  /// - Parameters:
  ///   - path: The path of the directory or file.
  ///   - operation: The attempted operation, such as `add a picture`.
  ///   - errno: The error number.
  init(at path: String, unableTo operation: String, _ errno: Errno) {
    self.path = path
    self.errno = errno
    reason = "cannot \(operation): \(errno.clause)"
    code =
      switch errno {
      case .noSuchFile: .absent
      case .tooManyLinks, .notDirectory: .wrongObject
      case .permissionDenied, .notPermitted, .readOnlyFilesystem: .refused
      case .noSpace, .fileTooLarge, .overQuota: .full
      case .nameTooLong: .invalidName
      default: .failed
      }
  }
}
