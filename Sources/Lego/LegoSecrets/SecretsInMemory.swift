internal import Synchronization

/// A collection of secrets in memory, for tests.
///
/// ```swift
/// let memory = SecretsInMemory(["token": "abc"])
/// let secrets = Secrets([.inMemory(memory)])
/// ```
///
/// You can use it from any thread.
public final class SecretsInMemory: Sendable {
  private struct State {
    var secrets: [String: SecretBytes] = [:]
    var failure: SecretFailure?
  }

  private let state = Mutex(State())

  /// Creates a collection of secrets.
  ///
  /// - Parameter texts: The initial secrets, keyed by name. Each value is the stored form, such as
  ///   text or JSON.
  public init(_ texts: [String: String] = [:]) {
    state.withLock { $0.secrets = texts.mapValues { SecretBytes(Array($0.utf8)) } }
  }

  /// The names of the secrets in ascending order.
  public var names: [String] { state.withLock { $0.secrets.keys.sorted() } }

  /// Returns the stored text of a secret, or `nil` if the secret does not exist or is not text.
  public func text(_ name: String) -> String? {
    state.withLock { $0.secrets[name] }?.withBytes { String(validating: $0, as: UTF8.self) }
  }

  /// Makes all further calls fail, or succeed again.
  ///
  /// - Parameter code: The code of the error, such as ``SecretCode/locked``, or `nil` to let calls
  ///   succeed. A store that fails with ``SecretCode/unavailable`` is skipped.
  public func fail(with code: SecretCode?) {
    state.withLock {
      $0.failure = code.map { SecretFailure($0, "fails as requested by the test (\($0))") }
    }
  }

  fileprivate func use<Result: Sendable>(
    _ body: (inout [String: SecretBytes]) -> Result
  ) throws(SecretFailure) -> Result {
    try state.withLock { state throws(SecretFailure) in
      if let failure = state.failure { throw failure }
      return body(&state.secrets)
    }
  }
}

/// A store that keeps its secrets in memory.
struct MemoryStore: SecretBackend {
  let secrets: SecretsInMemory
  let title: String
  let isWritable: Bool

  func read(_ name: SecretName, _ prompt: SecretPrompt) async throws(SecretFailure) -> SecretBytes?
  {
    try secrets.use { $0[name.text] }
  }

  func write(
    _ bytes: SecretBytes, _ content: SecretCoding.Content, _ name: SecretName,
    _ prompt: SecretPrompt
  ) async throws(SecretFailure) {
    try secrets.use { $0[name.text] = bytes }
  }

  func delete(_ name: SecretName, _ prompt: SecretPrompt) async throws(SecretFailure) -> Bool {
    try secrets.use { $0.removeValue(forKey: name.text) != nil }
  }
}
