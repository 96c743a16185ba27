/// A place where secrets are stored.
public struct SecretStore: Sendable, CustomStringConvertible {
  let backend: any SecretBackend

  /// The name of the store in messages, such as `the Secret Service`.
  public var description: String { backend.title }

  /// Returns a read-only store with the unit's systemd credentials (`LoadCredential=`,
  /// `SetCredential=`).
  ///
  /// Each secret is a file in the credentials directory.
  ///
  /// - Parameter path: The path of the directory, or `nil` to use `$CREDENTIALS_DIRECTORY`. The
  ///   variable is read on each call. It is ignored if the program has more privileges than the
  ///   user who started it.
  /// - Returns: The store.
  public static func credentialsDirectory(_ path: String? = nil) -> SecretStore {
    SecretStore(backend: CredentialsDirectory(path))
  }

  /// Returns a store that uses the session's Secret Service through libsecret.
  ///
  /// Programs that provide the service include GNOME Keyring, KWallet and KeePassXC.
  ///
  /// - Parameters:
  ///   - application: The name of the application that owns the secrets. The same rules apply as
  ///     for names of secrets.
  ///   - timeout: The maximum duration of a call, unless a prompt allows more time. A call sends
  ///     several messages to the service, and GIO waits at most 25 seconds for each reply.
  /// - Returns: The store.
  public static func secretService(
    application: String, timeout: Duration = .seconds(10)
  ) -> SecretStore {
    secretService(application: application, timeout: timeout, at: nil)
  }

  /// Returns a store that uses the Secret Service on a specific bus.
  package static func secretService(
    application: String, timeout: Duration, at address: String?
  ) -> SecretStore {
    SecretStore(
      backend: SecretServiceStore(application: application, timeout: timeout, at: address))
  }

  /// Returns a store in the user's persistent kernel keyring.
  ///
  /// - Parameter application: The name of the application that owns the secrets. The same rules
  ///   apply as for names of secrets.
  /// - Returns: The store.
  public static func kernelKeyring(application: String) -> SecretStore {
    SecretStore(backend: KernelKeyring(application: application))
  }

  /// Returns a store that keeps secrets in memory, for tests.
  ///
  /// - Parameters:
  ///   - secrets: The secrets.
  ///   - isWritable: Pass `false` to make the store read-only, like the credentials directory.
  ///   - title: The name of the store in messages.
  /// - Returns: The store.
  public static func inMemory(
    _ secrets: SecretsInMemory, isWritable: Bool = true, title: String = "the memory"
  ) -> SecretStore {
    SecretStore(backend: MemoryStore(secrets: secrets, title: title, isWritable: isWritable))
  }
}

/// The implementation of a store.
///
/// A method throws `unavailable` if the store is not available, and the caller then tries the next
/// store. Any other error ends the search.
protocol SecretBackend: Sendable {
  /// The name of the store in messages, such as `the Secret Service`.
  var title: String { get }
  /// A Boolean value that indicates whether secrets can be written to the store and deleted from
  /// it.
  var isWritable: Bool { get }
  /// A Boolean value that indicates whether users write the secrets by hand, usually with an editor
  /// that appends a newline.
  var isWrittenByHand: Bool { get }

  /// Returns the secret with the given name, or `nil` if the store does not contain it.
  func read(_ name: SecretName, _ prompt: SecretPrompt) async throws(SecretFailure) -> SecretBytes?

  /// Writes a secret, replacing any secret with the same name.
  func write(
    _ bytes: SecretBytes, _ content: SecretCoding.Content, _ name: SecretName,
    _ prompt: SecretPrompt
  ) async throws(SecretFailure)

  /// Deletes the secret with the given name.
  ///
  /// - Returns: `true` if the secret existed; otherwise, `false`.
  func delete(_ name: SecretName, _ prompt: SecretPrompt) async throws(SecretFailure) -> Bool
}

extension SecretBackend {
  var isWrittenByHand: Bool { false }
}

/// The store that a test uses unless it provides its own.
///
/// Every method throws `unavailable`.
struct MissingStore: SecretBackend {
  var title: String { "the test" }
  var isWritable: Bool { true }

  private var problem: SecretFailure {
    SecretFailure(.unavailable, "has no store (set one: $0.secrets = Secrets(…))")
  }

  func read(_ name: SecretName, _ prompt: SecretPrompt) async throws(SecretFailure) -> SecretBytes?
  {
    throw problem
  }

  func write(
    _ bytes: SecretBytes, _ content: SecretCoding.Content, _ name: SecretName,
    _ prompt: SecretPrompt
  ) async throws(SecretFailure) {
    throw problem
  }

  func delete(_ name: SecretName, _ prompt: SecretPrompt) async throws(SecretFailure) -> Bool {
    throw problem
  }
}
