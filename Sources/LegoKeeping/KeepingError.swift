internal import Glibc
internal import JSONText

/// Why something could not be kept or restored.
public struct KeepingError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What kind of error it is.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    /// The name of the code.
    public let description: String

    /// The name of the file is not one name of a file, is hidden, or has more than 100 bytes.
    public static let badName = Code(description: "badName")
    /// There is no directory for state: no path is known, or it cannot be made or opened.
    public static let noDirectory = Code(description: "noDirectory")
    /// The directory, or one above it, belongs to somebody who could put another in its place.
    public static let unsafeDirectory = Code(description: "unsafeDirectory")
    /// The file cannot be read, or is not what was written there.
    public static let unreadable = Code(description: "unreadable")
    /// A newer version of the program wrote the file.
    public static let newerVersion = Code(description: "newerVersion")
    /// The value, or the file, is larger than was agreed.
    public static let tooLarge = Code(description: "tooLarge")
    /// The value cannot be turned into JSON that can be read again.
    public static let notEncodable = Code(description: "notEncodable")
    /// The file cannot be written.
    public static let notWritten = Code(description: "notWritten")
    /// Another program has held the lock for ten seconds, or changes the file again and again; or
    /// the store is just ending, and is saved then.
    public static let busy = Code(description: "busy")
    /// A file cannot be set aside, or a hundred of them lie there already.
    public static let notSetAside = Code(description: "notSetAside")
    /// No store uses the keeper yet.
    public static let notOpen = Code(description: "notOpen")
  }

  /// What kind of error it is.
  public let code: Code
  /// The file that is kept: its path, or its name where no path is known.
  public let file: String
  /// The number of the system's error (`errno`), if the system refused.
  public let errno: Int32?
  /// What is wrong, as a clause.
  public let reason: String

  init(_ code: Code, _ file: String, _ reason: String, errno: Int32? = nil) {
    self.code = code
    self.file = file
    self.reason = reason
    self.errno = errno
  }

  /// The error of a system call.
  init(_ code: Code, _ file: String, _ failure: SystemCallError) {
    self.init(code, file, failure.description, errno: failure.errno)
  }

  /// The error as one line, without control characters.
  public var description: String { "\(JSONQuotes.quoted(file)): \(reason)" }

  /// Whether trying again cannot help while the program runs.
  var isPermanent: Bool { code == .newerVersion || code == .badName || code == .notOpen }

  /// Whether trying again cannot help before the value is another one.
  var dependsOnValue: Bool { code == .tooLarge || code == .notEncodable }
}
