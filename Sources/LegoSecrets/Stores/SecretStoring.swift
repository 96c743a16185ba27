/// What every store can do.
///
/// Each function throws `unavailable` where there is no such store on this machine, so that the next
/// one is asked; every other problem ends the search.
protocol SecretStoring: Sendable {
  /// The name in messages, such as `the Secret Service`.
  var title: String { get }
  /// Whether it is ever written.
  var isWritable: Bool { get }
  /// Whether people write its secrets with an editor, so that a text ends with a line end.
  var isWrittenByHand: Bool { get }

  /// The secret of a name, or `nil` if the store is there and has none.
  func read(_ name: SecretName, _ prompt: SecretPrompt) async throws(SecretProblem) -> SecretBytes?

  /// Keeps a secret in place of the one of that name.
  func write(
    _ bytes: SecretBytes, _ content: SecretCoding.Content, _ name: SecretName,
    _ prompt: SecretPrompt
  ) async throws(SecretProblem)

  /// Removes the secret of a name.
  ///
  /// - Returns: Whether there was one.
  func delete(_ name: SecretName, _ prompt: SecretPrompt) async throws(SecretProblem) -> Bool
}

extension SecretStoring {
  var isWrittenByHand: Bool { false }
}
