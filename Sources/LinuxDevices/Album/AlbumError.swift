public import AccessModel

/// Why a pictures directory could not be opened or made, or a picture not be added.
public struct AlbumError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What kind of failure it is.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    private enum Word: String {
      case invalidName, absent, wrongObject, foreignPlace, refused, full, failed
    }

    private let word: Word

    /// No file can have the name.
    public static let invalidName = Code(word: .invalidName)
    /// There is no directory, or it was removed.
    public static let absent = Code(word: .absent)
    /// A symbolic link or a file is in its place.
    public static let wrongObject = Code(word: .wrongObject)
    /// It is not in the caller's own home directory.
    public static let foreignPlace = Code(word: .foreignPlace)
    /// The kernel refuses it to this process.
    public static let refused = Code(word: .refused)
    /// The filesystem, the quota or the limit of the process leaves no room.
    public static let full = Code(word: .full)
    /// Anything else that a system call answers.
    public static let failed = Code(word: .failed)

    public var description: String { word.rawValue }
  }

  /// What kind of failure it is, for a program to branch on.
  public var code: Code
  /// The directory, or the name that was asked for; it may hold untrusted text.
  public var path: String
  /// What is wrong, as one clause.
  public var reason: String
  /// The error number of the system call, when there was one.
  public var errno: Errno?

  /// One line for a person; the path in it is not escaped.
  public var description: String { "\(path): \(reason)" }

  /// Creates an error without an error number.
  public init(_ code: Code, at path: String, _ reason: String) {
    self.code = code
    self.path = path
    self.reason = reason
  }

  /// What a system call answered about a directory.
  ///
  /// - Parameters:
  ///   - path: The directory.
  ///   - operation: What was attempted, such as `add a picture`.
  ///   - errno: The answer.
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
