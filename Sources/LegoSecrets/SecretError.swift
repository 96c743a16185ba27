internal import Glibc
internal import JSONText

/// Why a secret could not be read, written or deleted.
///
/// It never holds any part of the secret.
public struct SecretError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What was asked for.
  public struct Operation: Hashable, Sendable, CustomStringConvertible {
    /// The word for it, such as `read`.
    public let description: String

    /// ``Secrets/read(_:_:as:prompt:)``.
    public static let read = Operation(description: "read")
    /// ``Secrets/write(_:_:as:prompt:)``.
    public static let write = Operation(description: "write")
    /// ``Secrets/delete(_:prompt:)``.
    public static let delete = Operation(description: "delete")
  }

  /// What was asked for.
  public let operation: Operation
  /// What kind of error it is.
  public let code: SecretCode
  /// The name of the secret, as it was given.
  public let secret: String
  /// The store that failed, such as `the Secret Service`; `nil` if no store was asked, or none is
  /// there.
  public let store: String?
  /// What is wrong, as a clause, which names every store where none is there.
  public let reason: String

  init(_ operation: Operation, _ secret: String, _ problem: SecretFailure, in store: String? = nil)
  {
    self.operation = operation
    self.secret = secret
    self.store = store
    code = problem.code
    reason = problem.reason
  }

  /// The error as one line, without control characters.
  public var description: String {
    // What is not a name can be of any length.
    let shown = JSONQuotes.quoted(secret, limit: 100)
    return "cannot \(operation) the secret \(shown): \(store.map { "\($0) " } ?? "")\(reason)"
  }
}

/// What kind of error a ``SecretError`` is.
public struct SecretCode: Hashable, Sendable, CustomStringConvertible {
  /// The name of the code.
  public let description: String

  /// The name is empty, longer than 255 bytes, `.` or `..`, or has a character other than printable
  /// ASCII, a `/` or a `:`.
  public static let badName = SecretCode(description: "badName")
  /// No store is there: the reason names each, and says why.
  public static let unavailable = SecretCode(description: "unavailable")
  /// The store is locked, or a person dismissed the prompt that would have unlocked it.
  public static let locked = SecretCode(description: "locked")
  /// The store has not answered in time.
  ///
  /// What was asked may still have been done.
  public static let timedOut = SecretCode(description: "timedOut")
  /// The task was cancelled.
  ///
  /// What was asked may still have been done.
  public static let cancelled = SecretCode(description: "cancelled")
  /// A store that cannot be written holds the secret, and would hide what another one is told.
  public static let readOnly = SecretCode(description: "readOnly")
  /// The secret is larger than the store takes, or empty where that cannot be kept.
  public static let badSize = SecretCode(description: "badSize")
  /// The store holds a secret of that name and does not give it to this process, or it is not what
  /// can be read: a directory, a symbolic link.
  public static let unreadable = SecretCode(description: "unreadable")
  /// What is stored is not a value of the type that was asked for.
  public static let notDecodable = SecretCode(description: "notDecodable")
  /// The value cannot be turned into bytes that can be read again.
  public static let notEncodable = SecretCode(description: "notEncodable")
  /// The store failed otherwise.
  public static let failed = SecretCode(description: "failed")
}

/// What is wrong with one store, as the clause after its name.
struct SecretFailure: Error, Hashable, Sendable {
  let code: SecretCode
  let reason: String
  /// Whether something went away between two steps, so that trying again can help.
  let isTransient: Bool

  init(_ code: SecretCode, _ reason: String, transient isTransient: Bool = false) {
    self.code = code
    self.reason = reason
    self.isTransient = isTransient
  }

  /// A system call that failed, with the number of its error, of either sign.
  init(_ code: SecretCode, _ what: String, errno: Int32) {
    self.init(code, unsafe "\(what): \(String(cString: strerror(abs(errno))))")
  }
}
