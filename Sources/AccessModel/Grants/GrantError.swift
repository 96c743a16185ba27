/// Why access was not granted or not taken back.
public struct GrantError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What kind of failure it is.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    private enum Word: String {
      case notPermitted, wrongObject, changed, useless, undetermined, absent, unknown, full, failed
    }

    private let word: Word

    /// The caller may not change the list: neither root nor the owner.
    public static let notPermitted = Code(word: .notPermitted)
    /// The object is none that access is granted to: a link, another file, another's home.
    public static let wrongObject = Code(word: .wrongObject)
    /// The object changed while it was looked at.
    public static let changed = Code(word: .changed)
    /// An entry would not let the user in, or a rule of udev would have no effect.
    public static let useless = Code(word: .useless)
    /// Whether an entry lets the user in cannot be told.
    public static let undetermined = Code(word: .undetermined)
    /// There is no such device or path.
    public static let absent = Code(word: .absent)
    /// There is no such grant.
    public static let unknown = Code(word: .unknown)
    /// There are as many grants as can be kept.
    public static let full = Code(word: .full)
    /// The system refused a step.
    public static let failed = Code(word: .failed)

    public var description: String { word.rawValue }
  }

  /// What kind of failure it is, for a program to branch on.
  public var code: Code
  /// The path, which nothing has escaped.
  public var path: String?
  /// What was wrong, as one clause.
  public var reason: String

  /// Creates an error.
  public init(_ code: Code, at path: String? = nil, _ reason: String) {
    self.code = code
    self.path = path
    self.reason = reason
  }

  /// A step that the system refused.
  public init(at path: String?, unableTo operation: String, _ errno: Errno) {
    self.init(
      errno == .notPermitted || errno == .permissionDenied ? .notPermitted : .failed, at: path,
      "cannot \(operation): \(errno.clause)")
  }

  /// One line for a person; the path in it is not escaped.
  public var description: String { (path.map { "\($0): " } ?? "") + reason }
}
