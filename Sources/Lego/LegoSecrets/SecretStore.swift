/// A place that stores secrets.
public struct SecretStore: Sendable, CustomStringConvertible {
  let backend: any SecretBackend

  /// The name to use in messages, such as `the Secret Service`.
  public var description: String { backend.title }

  /// The directory of the unit's systemd credentials (`LoadCredential=`, `SetCredential=`), with
  /// one file per secret.
  ///
  /// It is read-only.
  ///
  /// - Parameter path: The directory; `nil` for `$CREDENTIALS_DIRECTORY`, which is read at each
  ///   call and ignored in a set-user-ID program.
  /// - Returns: The store.
  public static func credentialsDirectory(_ path: String? = nil) -> SecretStore {
    SecretStore(backend: CredentialsDirectory(path))
  }

  /// The Secret Service of the session, through libsecret: GNOME Keyring, KWallet, KeePassXC and
  /// others.
  ///
  /// - Parameters:
  ///   - application: The application that owns the secrets. Its name obeys the rules for names of
  ///     secrets.
  ///   - timeout: The time that the service has to answer one call. GIO waits at most 25 seconds
  ///     for each message, and a call has several.
  /// - Returns: The store.
  public static func secretService(
    application: String, timeout: Duration = .seconds(10)
  ) -> SecretStore {
    secretService(application: application, timeout: timeout, at: nil)
  }

  /// The Secret Service on a specific bus.
  package static func secretService(
    application: String, timeout: Duration, at address: String?
  ) -> SecretStore {
    SecretStore(
      backend: SecretServiceStore(application: application, timeout: timeout, at: address))
  }

  /// The persistent keyring of the user, in the kernel.
  ///
  /// - Parameter application: The application that owns the secrets. Its name obeys the rules for
  ///   names of secrets.
  /// - Returns: The store.
  public static func kernelKeyring(application: String) -> SecretStore {
    SecretStore(backend: KernelKeyring(application: application))
  }

  /// Secrets in memory, for tests.
  ///
  /// - Parameters:
  ///   - secrets: The secrets.
  ///   - isWritable: `false` for a read-only store, such as the credentials directory.
  ///   - title: The name in messages.
  /// - Returns: The store.
  public static func inMemory(
    _ secrets: SecretsInMemory, isWritable: Bool = true, title: String = "the memory"
  ) -> SecretStore {
    SecretStore(backend: MemoryStore(secrets: secrets, title: title, isWritable: isWritable))
  }
}

/// The implementation of a store.
///
/// Each function throws `unavailable` if this machine does not have the store, and the caller then
/// tries the next store. Every other failure ends the search.
protocol SecretBackend: Sendable {
  /// The name in messages, such as `the Secret Service`.
  var title: String { get }
  /// `false` if the store is read-only.
  var isWritable: Bool { get }
  /// `true` if users write its secrets with an editor, which adds a trailing newline to text.
  var isWrittenByHand: Bool { get }

  /// The secret with a name; `nil` if the store exists but does not have it.
  func read(_ name: SecretName, _ prompt: SecretPrompt) async throws(SecretFailure) -> SecretBytes?

  /// Writes a secret, and replaces one with the same name.
  func write(
    _ bytes: SecretBytes, _ content: SecretCoding.Content, _ name: SecretName,
    _ prompt: SecretPrompt
  ) async throws(SecretFailure)

  /// Removes the secret with a name.
  ///
  /// - Returns: `true` if it existed.
  func delete(_ name: SecretName, _ prompt: SecretPrompt) async throws(SecretFailure) -> Bool
}

extension SecretBackend {
  var isWrittenByHand: Bool { false }
}

/// The only store in tests that provide none.
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
