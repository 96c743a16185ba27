/// Whether a store may ask a person, such as for the password that unlocks it.
public struct SecretPrompt: Hashable, Sendable {
  /// How long a person has; `nil` if nobody may be asked.
  let time: Duration?

  /// Nobody is asked; what is locked is the error ``SecretCode/locked``.
  public static let never = SecretPrompt(time: nil)

  /// A person may be asked.
  ///
  /// - Parameter time: How long the person has to answer, before the prompt is taken away and the
  ///   error is ``SecretCode/timedOut``.
  /// - Returns: The permission.
  public static func within(_ time: Duration) -> SecretPrompt { SecretPrompt(time: time) }
}
