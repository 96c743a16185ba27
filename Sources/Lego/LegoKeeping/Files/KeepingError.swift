internal import Glibc
internal import JSONText

/// An error that occurs while a value is saved or restored.
public struct KeepingError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of error.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    /// The name of the code.
    public let description: String

    /// The name is empty, begins with a period, contains a slash or a null character, or is longer
    /// than 100 bytes.
    public static let badName = Code(description: "badName")
    /// The path of the state directory cannot be determined, or the directory cannot be created or
    /// opened.
    public static let noDirectory = Code(description: "noDirectory")
    /// Another user owns the state directory, can write to it, or could redirect its path.
    public static let unsafeDirectory = Code(description: "unsafeDirectory")
    /// The file cannot be read, or its directory cannot be watched for changes.
    public static let unreadable = Code(description: "unreadable")
    /// A newer version of the program wrote the file.
    public static let newerVersion = Code(description: "newerVersion")
    /// The encoded value is larger than the size limit of the file.
    public static let tooLarge = Code(description: "tooLarge")
    /// The value cannot be encoded as JSON that can be decoded again.
    public static let notEncodable = Code(description: "notEncodable")
    /// The file cannot be written.
    public static let notWritten = Code(description: "notWritten")
    /// Another program has held the lock for ten seconds or keeps changing the file, or the store
    /// is about to end and will save its last value then.
    public static let busy = Code(description: "busy")
    /// A file cannot be set aside, for example because a hundred files have already been set aside.
    public static let notSetAside = Code(description: "notSetAside")
    /// No store uses the keeper yet.
    public static let notOpen = Code(description: "notOpen")
  }

  /// The kind of error.
  public let code: Code
  /// The path of the kept file, or its name if the path is not known.
  public let file: String
  /// The value of `errno`, if a system call failed.
  public let errno: Int32?
  /// A short description of the cause.
  public let reason: String

  init(_ code: Code, _ file: String, _ reason: String, errno: Int32? = nil) {
    self.code = code
    self.file = file
    self.reason = reason
    self.errno = errno
  }

  /// Creates an error from the failure of a system call.
  init(_ code: Code, _ file: String, _ failure: SystemCallError) {
    self.init(code, file, failure.description, errno: failure.errno)
  }

  /// A one-line description of the error, without control characters.
  public var description: String { "\(JSONQuotes.quoted(file)): \(reason)" }

  /// A Boolean value that indicates whether retrying is always pointless.
  var isPermanent: Bool { code == .newerVersion || code == .badName || code == .notOpen }

  /// A Boolean value that indicates whether retrying is pointless until the value changes.
  var dependsOnValue: Bool { code == .tooLarge || code == .notEncodable }
}
