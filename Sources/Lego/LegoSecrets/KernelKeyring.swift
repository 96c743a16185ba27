internal import CKeyring
internal import Glibc

/// A store in the user's persistent kernel keyring (persistent-keyring(7)).
struct KernelKeyring: SecretBackend {
  /// The maximum size of a key of the type `user`, in bytes.
  private static let limit = 32_767

  private let application: String
  private let threads = BlockingThreads()

  /// Creates a store.
  ///
  /// - Parameter application: The name of the application that owns the secrets.
  init(application: String) {
    self.application = application
  }

  var title: String { "the kernel keyring" }
  var isWritable: Bool { true }

  func read(_ name: SecretName, _ prompt: SecretPrompt) async throws(SecretFailure) -> SecretBytes?
  {
    let key = try keyName(name)
    return try await threads.answer { () throws(SecretFailure) in
      let keyring = try Self.keyring()
      guard let number = try Self.search(key, in: keyring) else { return nil }
      return try Self.content(of: number)
    }
  }

  func write(
    _ bytes: SecretBytes, _ content: SecretCoding.Content, _ name: SecretName,
    _ prompt: SecretPrompt
  ) async throws(SecretFailure) {
    let key = try keyName(name)
    guard (1...Self.limit).contains(bytes.count) else {
      throw SecretFailure(
        .badSize, "stores 1 to 32,767 bytes, but the secret has \(bytes.count)")
    }
    try await threads.answer { () throws(SecretFailure) in
      let keyring = try Self.keyring()
      let result = bytes.withBytes { bytes in
        unsafe bytes.withUnsafeBytes { buffer in
          unsafe ckeyring_write(keyring, key, buffer.baseAddress, buffer.count)
        }
      }
      if result < 0 { throw Self.failure(result, "cannot store it") }
    }
  }

  func delete(_ name: SecretName, _ prompt: SecretPrompt) async throws(SecretFailure) -> Bool {
    let key = try keyName(name)
    return try await threads.answer { () throws(SecretFailure) in
      let keyring = try Self.keyring()
      guard let number = try Self.search(key, in: keyring) else { return false }
      let result = ckeyring_unlink(number, keyring)
      // Another program may have removed the key first.
      if result == -Int(ENOENT) || Self.isMissing(result) { return false }
      if result < 0 { throw Self.failure(result, "cannot remove it") }
      return true
    }
  }

  /// Returns the name of the key for a secret.
  ///
  /// Neither the name of the application nor that of the secret can contain a colon, so different
  /// secrets have different keys.
  private func keyName(_ name: SecretName) throws(SecretFailure) -> String {
    try SecretName.check(application: application)
    return "lego-secret:\(application):\(name.text)"
  }

  /// Returns the persistent keyring.
  ///
  /// The call links the keyring to the calling thread, which can then search it and write to it.
  private static func keyring() throws(SecretFailure) -> Int32 {
    let result = ckeyring_persistent()
    guard result < 0 else { return Int32(truncatingIfNeeded: result) }
    switch Int32(-result) {
    // The kernel was built without keyrings, or a seccomp filter denies the call, for example in a
    // container.
    case ENOSYS, EOPNOTSUPP, EPERM, EACCES:
      throw SecretFailure(
        .unavailable, "is not available (the kernel refuses keyctl)", errno: Int32(-result))
    default: throw failure(result, "cannot be opened")
    }
  }

  private static func search(
    _ key: String, in keyring: Int32
  ) throws(SecretFailure) -> Int32? {
    let result = unsafe ckeyring_search(keyring, key)
    if result >= 0 { return Int32(truncatingIfNeeded: result) }
    if isMissing(result) { return nil }
    throw failure(result, "cannot be searched")
  }

  private static func content(of key: Int32) throws(SecretFailure) -> SecretBytes? {
    var isGone = false
    let bytes = try unsafe SecretBytes(capacity: limit) { buffer throws(SecretFailure) in
      let result = unsafe ckeyring_read(key, buffer.baseAddress, buffer.count)
      isGone = isMissing(result)
      if isGone { return 0 }
      if result < 0 { throw failure(result, "cannot be read") }
      guard result <= buffer.count else { throw SecretFailure(.badSize, "has a larger secret") }
      return result
    }
    return isGone ? nil : bytes
  }

  /// Returns a Boolean value that indicates whether a call failed because the key does not exist,
  /// has expired or was revoked.
  private static func isMissing(_ result: Int) -> Bool {
    [ENOKEY, EKEYEXPIRED, EKEYREVOKED].contains(Int32(truncatingIfNeeded: -result))
  }

  private static func failure(_ result: Int, _ what: String) -> SecretFailure {
    let number = Int32(-result)
    switch number {
    case EDQUOT, ENOMEM: return SecretFailure(.badSize, "is full", errno: number)
    case EACCES, EPERM:
      return SecretFailure(.unreadable, "denies access to this process", errno: number)
    default: return SecretFailure(.failed, what, errno: number)
    }
  }
}
