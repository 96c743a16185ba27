internal import Glibc
internal import JSONText

/// An error of reading, writing or deleting a secret.
///
/// It never contains any part of the secret.
public struct SecretError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The operation that failed.
  public struct Operation: Hashable, Sendable, CustomStringConvertible {
    /// The name of the operation, such as `read`.
    public let description: String

    /// ``Secrets/read(_:_:as:prompt:)``.
    public static let read = Operation(description: "read")
    /// ``Secrets/write(_:_:as:prompt:)``.
    public static let write = Operation(description: "write")
    /// ``Secrets/delete(_:prompt:)``.
    public static let delete = Operation(description: "delete")
  }

  /// The operation that failed.
  public let operation: Operation
  /// The kind of the error.
  public let code: SecretCode
  /// The name of the secret, as passed by the caller.
  public let secret: String
  /// The store that failed, such as `the Secret Service`; `nil` if no store was called or all are
  /// missing.
  public let store: String?
  /// The reason, as a clause.
  ///
  /// If all stores are missing, it names each of them.
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
    // An invalid name can have any length.
    let shown = JSONQuotes.quoted(secret, limit: 100)
    return "cannot \(operation) the secret \(shown): \(store.map { "\($0) " } ?? "")\(reason)"
  }
}

/// The kind of a ``SecretError``.
public struct SecretCode: Hashable, Sendable, CustomStringConvertible {
  /// The name of the code.
  public let description: String

  /// The name is empty, longer than 255 bytes, `.` or `..`, or has a character other than printable
  /// ASCII, a `/` or a `:`.
  public static let badName = SecretCode(description: "badName")
  /// All stores are missing.
  ///
  /// The reason lists them.
  public static let unavailable = SecretCode(description: "unavailable")
  /// The store is locked, or the user dismissed the prompt to unlock it.
  public static let locked = SecretCode(description: "locked")
  /// The store did not answer in time.
  ///
  /// The request may still take effect.
  public static let timedOut = SecretCode(description: "timedOut")
  /// The task was cancelled.
  ///
  /// The request may still take effect.
  public static let cancelled = SecretCode(description: "cancelled")
  /// A read-only store has the secret, and would hide the one in another store.
  public static let readOnly = SecretCode(description: "readOnly")
  /// The secret is larger than the limit of the store, or it is empty and the store does not allow
  /// that.
  public static let badSize = SecretCode(description: "badSize")
  /// The store has a secret with that name, but this process may not read it, or it is not a
  /// regular file.
  public static let unreadable = SecretCode(description: "unreadable")
  /// The stored secret is not a value of the requested type.
  public static let notDecodable = SecretCode(description: "notDecodable")
  /// The value cannot be encoded as bytes that can be decoded again.
  public static let notEncodable = SecretCode(description: "notEncodable")
  /// Any other error of the store.
  public static let failed = SecretCode(description: "failed")
}

/// The failure of one store, as a clause that follows its name.
struct SecretFailure: Error, Hashable, Sendable {
  let code: SecretCode
  let reason: String
  /// `true` if an object was removed between two steps, so that another attempt may succeed.
  let isTransient: Bool

  init(_ code: SecretCode, _ reason: String, transient isTransient: Bool = false) {
    self.code = code
    self.reason = reason
    self.isTransient = isTransient
  }

  /// Creates the failure of a system call from its error number, which may be negative.
  init(_ code: SecretCode, _ what: String, errno: Int32) {
    self.init(code, unsafe "\(what): \(String(cString: strerror(abs(errno))))")
  }
}
