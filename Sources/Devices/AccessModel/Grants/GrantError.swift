/// An error that occurs when access cannot be granted or revoked.
public struct GrantError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of error.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    private enum Word: String {
      case notPermitted, wrongObject, changed, useless, undetermined, absent, unknown, full, failed
    }

    private let word: Word

    /// The caller is neither root nor the owner, and may not change the list.
    public static let notPermitted = Code(word: .notPermitted)
    /// Access to the object cannot be granted, for example because it is a symbolic link, is not in
    /// the caller's album, or belongs to another user.
    public static let wrongObject = Code(word: .wrongObject)
    /// The object changed while it was inspected.
    public static let changed = Code(word: .changed)
    /// An entry would not give the user access, or a udev rule would have no effect.
    public static let useless = Code(word: .useless)
    /// It cannot be determined whether an entry would give the user access.
    public static let undetermined = Code(word: .undetermined)
    /// The device or path does not exist.
    public static let absent = Code(word: .absent)
    /// The grant does not exist.
    public static let unknown = Code(word: .unknown)
    /// The maximum number of grants has been reached.
    public static let full = Code(word: .full)
    /// A system call failed.
    public static let failed = Code(word: .failed)

    public var description: String { word.rawValue }
  }

  /// The kind of error, for programs to handle.
  public var code: Code
  /// The path, without escaping.
  public var path: String?
  /// The reason for the error, as one clause.
  public var reason: String

  /// Creates an error.
  public init(_ code: Code, at path: String? = nil, _ reason: String) {
    self.code = code
    self.path = path
    self.reason = reason
  }

  /// Creates an error from a failed system call.
  public init(at path: String?, unableTo operation: String, _ errno: Errno) {
    self.init(
      errno == .notPermitted || errno == .permissionDenied ? .notPermitted : .failed, at: path,
      "cannot \(operation): \(errno.clause)")
  }

  /// The path and the reason in one line; the path is not escaped.
  public var description: String { (path.map { "\($0): " } ?? "") + reason }
}
