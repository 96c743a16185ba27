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
