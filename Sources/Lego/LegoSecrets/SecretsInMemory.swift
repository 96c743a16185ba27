internal import Synchronization

/// Secrets in memory, for tests.
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

  /// Creates a store.
  ///
  /// - Parameter texts: The initial secrets as they are stored: text or JSON.
  public init(_ texts: [String: String] = [:]) {
    state.withLock { $0.secrets = texts.mapValues { SecretBytes(Array($0.utf8)) } }
  }

  /// The sorted names of the secrets.
  public var names: [String] { state.withLock { $0.secrets.keys.sorted() } }

  /// The stored text of a secret; `nil` if it does not exist or is not text.
  public func text(_ name: String) -> String? {
    state.withLock { $0.secrets[name] }?.withBytes { String(validating: $0, as: UTF8.self) }
  }

  /// Makes every following call fail, or succeed again.
  ///
  /// - Parameter code: The code of the error, such as ``SecretCode/locked``; `nil` to succeed. A
  ///   store with ``SecretCode/unavailable`` is skipped.
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

/// A store that contains secrets in memory.
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
