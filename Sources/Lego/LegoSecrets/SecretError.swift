internal import Glibc
internal import JSONText

/// An error that occurs while a secret is read, written or deleted.
///
/// The error never contains any part of the secret's value.
public struct SecretError: Error, Hashable, Sendable, CustomStringConvertible {
  /// An operation on a secret.
  public struct Operation: Hashable, Sendable, CustomStringConvertible {
    /// The name of the operation, such as `read`.
    public let description: String

    /// Reading a secret with ``Secrets/read(_:_:as:prompt:)``.
    public static let read = Operation(description: "read")
    /// Writing a secret with ``Secrets/write(_:_:as:prompt:)``.
    public static let write = Operation(description: "write")
    /// Deleting a secret with ``Secrets/delete(_:prompt:)``.
    public static let delete = Operation(description: "delete")
  }

  /// The operation that failed.
  public let operation: Operation
  /// The kind of error.
  public let code: SecretCode
  /// The name of the secret, as passed by the caller.
  public let secret: String
  /// The name of the store that failed, such as `the Secret Service`, or `nil` if the error does
  /// not come from a single store.
  public let store: String?
  /// A short description of the cause.
  ///
  /// If no suitable store is available, the text gives a reason for each unavailable store.
  public let reason: String

  init(_ operation: Operation, _ secret: String, _ problem: SecretFailure, in store: String? = nil)
  {
    self.operation = operation
    self.secret = secret
    self.store = store
    code = problem.code
    reason = problem.reason
  }

  /// A one-line description of the error, without control characters.
  public var description: String {
    // The length is limited, because an invalid name can have any length.
    let shown = JSONQuotes.quoted(secret, limit: 100)
    return "cannot \(operation) the secret \(shown): \(store.map { "\($0) " } ?? "")\(reason)"
  }
}

/// A code that indicates the kind of error.
public struct SecretCode: Hashable, Sendable, CustomStringConvertible {
  /// The name of the code.
  public let description: String

  /// The name of the secret or of the application is not valid.
  ///
  /// A valid name has 1 to 255 printable ASCII characters. It contains neither a slash nor a colon,
  /// and is not `.` or `..`.
  public static let badName = SecretCode(description: "badName")
  /// No store that could perform the operation is available.
  ///
  /// ``SecretError/reason`` gives a reason for each unavailable store.
  public static let unavailable = SecretCode(description: "unavailable")
  /// The store is locked, and prompts are not allowed or the user has dismissed the prompt.
  public static let locked = SecretCode(description: "locked")
  /// The store did not answer in time.
  ///
  /// The operation may still take effect.
  public static let timedOut = SecretCode(description: "timedOut")
  /// The task was cancelled.
  ///
  /// The operation may still take effect.
  public static let cancelled = SecretCode(description: "cancelled")
  /// A read-only store contains the secret, so the secret can be neither replaced nor deleted.
  public static let readOnly = SecretCode(description: "readOnly")
  /// The secret is too large for the store, the store is full, or the store does not allow empty
  /// secrets.
  public static let badSize = SecretCode(description: "badSize")
  /// This process may not access the store or the secret, or the secret's file is not a regular
  /// file.
  public static let unreadable = SecretCode(description: "unreadable")
  /// The stored secret cannot be decoded as the requested type.
  public static let notDecodable = SecretCode(description: "notDecodable")
  /// The value cannot be encoded.
  public static let notEncodable = SecretCode(description: "notEncodable")
  /// The operation failed for another reason.
  public static let failed = SecretCode(description: "failed")
}

/// The failure of a single store, with a reason that can follow the name of the store in a
/// sentence.
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

  /// Creates a failure from the error number of a system call.
  ///
  /// The number may be negated, as in the result of a raw system call.
  init(_ code: SecretCode, _ what: String, errno: Int32) {
    self.init(code, unsafe "\(what): \(String(cString: strerror(abs(errno))))")
  }
}
