/// One place where secrets are looked for.
public struct SecretStore: Sendable, CustomStringConvertible {
  let backend: any SecretBackend

  /// The name in messages, such as `the Secret Service`.
  public var description: String { backend.title }

  /// The directory of credentials that systemd made for the unit (`LoadCredential=`,
  /// `SetCredential=`): one file for each secret, which nobody writes.
  ///
  /// - Parameter path: The directory; `nil` for `$CREDENTIALS_DIRECTORY`, which is read at each use
  ///   and ignored in a program that runs set-user-ID.
  /// - Returns: The store.
  public static func credentialsDirectory(_ path: String? = nil) -> SecretStore {
    SecretStore(backend: CredentialsDirectory(path))
  }

  /// The secret service of the session, by libsecret: GNOME Keyring, KWallet, KeePassXC and others.
  ///
  /// - Parameters:
  ///   - application: The name of the program whose secrets these are; it obeys the rules of secrets'
  ///     names.
  ///   - timeout: How long the service has to answer one call. GIO waits at most 25 seconds for each
  ///     message, and a call has several.
  /// - Returns: The store.
  public static func secretService(
    application: String, timeout: Duration = .seconds(10)
  ) -> SecretStore {
    secretService(application: application, timeout: timeout, at: nil)
  }

  /// The secret service on another bus than that of the environment.
  package static func secretService(
    application: String, timeout: Duration, at address: String?
  ) -> SecretStore {
    SecretStore(
      backend: SecretServiceStore(application: application, timeout: timeout, at: address))
  }

  /// The persistent keyring of the user, in the kernel.
  ///
  /// - Parameter application: The name of the program whose secrets these are; it obeys the rules of
  ///   secrets' names.
  /// - Returns: The store.
  public static func kernelKeyring(application: String) -> SecretStore {
    SecretStore(backend: KernelKeyring(application: application))
  }

  /// Secrets in memory, for tests.
  ///
  /// - Parameters:
  ///   - secrets: The secrets.
  ///   - isWritable: Whether it is written, as the credentials directory is not.
  ///   - title: The name in messages.
  /// - Returns: The store.
  public static func inMemory(
    _ secrets: SecretsInMemory, isWritable: Bool = true, title: String = "the memory"
  ) -> SecretStore {
    SecretStore(backend: MemoryStore(secrets: secrets, title: title, isWritable: isWritable))
  }
}

/// What every store can do.
///
/// Each function throws `unavailable` where there is no such store on this machine, so that the next
/// one is asked; every other problem ends the search.
protocol SecretBackend: Sendable {
  /// The name in messages, such as `the Secret Service`.
  var title: String { get }
  /// Whether it is ever written.
  var isWritable: Bool { get }
  /// Whether people write its secrets with an editor, so that a text ends with a line end.
  var isWrittenByHand: Bool { get }

  /// The secret of a name, or `nil` if the store is there and has none.
  func read(_ name: SecretName, _ prompt: SecretPrompt) async throws(SecretFailure) -> SecretBytes?

  /// Keeps a secret in place of the one of that name.
  func write(
    _ bytes: SecretBytes, _ content: SecretCoding.Content, _ name: SecretName,
    _ prompt: SecretPrompt
  ) async throws(SecretFailure)

  /// Removes the secret of a name.
  ///
  /// - Returns: Whether there was one.
  func delete(_ name: SecretName, _ prompt: SecretPrompt) async throws(SecretFailure) -> Bool
}

extension SecretBackend {
  var isWrittenByHand: Bool { false }
}

/// Stands for the stores that a test has not provided.
struct MissingStore: SecretBackend {
  var title: String { "the test" }
  var isWritable: Bool { true }

  private var problem: SecretFailure {
    SecretFailure(.unavailable, "has none (give it some: $0.secrets = Secrets(…))")
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
