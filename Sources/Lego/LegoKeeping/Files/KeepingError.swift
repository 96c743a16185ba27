internal import Glibc
internal import JSONText

/// An error of saving or restoring a value.
public struct KeepingError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of an error.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    /// The name of the code.
    public let description: String

    /// The name is not a valid file name, is hidden, or has more than 100 bytes.
    public static let badName = Code(description: "badName")
    /// There is no state directory: its path is unknown, or it cannot be created or opened.
    public static let noDirectory = Code(description: "noDirectory")
    /// Another user owns the directory, can write to it, or could redirect its path.
    public static let unsafeDirectory = Code(description: "unsafeDirectory")
    /// The file cannot be read, or its content is not valid.
    public static let unreadable = Code(description: "unreadable")
    /// A newer version of the program wrote the file.
    public static let newerVersion = Code(description: "newerVersion")
    /// The value or the file is larger than the limit.
    public static let tooLarge = Code(description: "tooLarge")
    /// The value cannot be encoded as JSON that can be decoded again.
    public static let notEncodable = Code(description: "notEncodable")
    /// The file cannot be written.
    public static let notWritten = Code(description: "notWritten")
    /// Another program has held the lock for ten seconds or changes the file repeatedly, or the
    /// store is ending and will be saved at its end.
    public static let busy = Code(description: "busy")
    /// A file cannot be set aside, or a hundred files have been set aside already.
    public static let notSetAside = Code(description: "notSetAside")
    /// No store uses the keeper yet.
    public static let notOpen = Code(description: "notOpen")
  }

  /// The kind of the error.
  public let code: Code
  /// The path of the kept file, or its name if the path is unknown.
  public let file: String
  /// The error number of the system (`errno`), if a system call failed.
  public let errno: Int32?
  /// The reason, as a clause.
  public let reason: String

  init(_ code: Code, _ file: String, _ reason: String, errno: Int32? = nil) {
    self.code = code
    self.file = file
    self.reason = reason
    self.errno = errno
  }

  /// Creates the error of a system call.
  init(_ code: Code, _ file: String, _ failure: SystemCallError) {
    self.init(code, file, failure.description, errno: failure.errno)
  }

  /// The error as one line, without control characters.
  public var description: String { "\(JSONQuotes.quoted(file)): \(reason)" }

  /// A Boolean value that indicates whether further attempts are useless while the program runs.
  var isPermanent: Bool { code == .newerVersion || code == .badName || code == .notOpen }

  /// A Boolean value that indicates whether further attempts are useless until the value changes.
  var dependsOnValue: Bool { code == .tooLarge || code == .notEncodable }
}
