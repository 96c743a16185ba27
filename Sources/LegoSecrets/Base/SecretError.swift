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

  init(_ operation: Operation, _ secret: String, _ problem: SecretProblem, in store: String? = nil)
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
