internal import CSecret

/// A store that uses the session's Secret Service through libsecret.
///
/// Programs that provide the service include GNOME Keyring, KWallet and KeePassXC.
struct SecretServiceStore: SecretBackend {
  private let application: String
  /// The address of the bus, or `nil` to find the session bus through the environment.
  private let address: String?
  private let timeout: Duration
  private let threads = BlockingThreads()

  /// Creates a store.
  ///
  /// - Parameters:
  ///   - application: The name of the application that owns the secrets.
  ///   - timeout: The maximum duration of a call, unless a prompt allows more time.
  ///   - address: The address of the bus, or `nil` to find the session bus through the environment.
  init(application: String, timeout: Duration, at address: String? = nil) {
    self.application = application
    self.timeout = timeout
    self.address = address
  }

  var title: String { "the Secret Service" }
  var isWritable: Bool { true }

  func read(_ name: SecretName, _ prompt: SecretPrompt) async throws(SecretFailure) -> SecretBytes?
  {
    try await call(prompt) { [application] session throws(SecretFailure) in
      try session.read(application, name.text, unlock: prompt.time != nil)
    }
  }

  func write(
    _ bytes: SecretBytes, _ content: SecretCoding.Content, _ name: SecretName,
    _ prompt: SecretPrompt
  ) async throws(SecretFailure) {
    try await call(prompt) { [application] session throws(SecretFailure) in
      try session.write(
        bytes, content.mediaType, application, name.text, unlock: prompt.time != nil)
    }
  }

  func delete(_ name: SecretName, _ prompt: SecretPrompt) async throws(SecretFailure) -> Bool {
    try await call(prompt) { [application] session throws(SecretFailure) in
      try session.delete(application, name.text, unlock: prompt.time != nil)
    }
  }

  /// Calls a closure, retrying if it fails because another program has removed an object.
  ///
  /// After ten failed attempts, the last error is thrown.
  private static func retrying<Answer>(
    _ body: () throws(SecretFailure) -> Answer
  ) throws(SecretFailure) -> Answer {
    for _ in 0..<9 {
      do throws(SecretFailure) { return try body() } catch {
        guard error.isTransient else { throw error }
      }
    }
    return try body()
  }

  private func call<Answer: Sendable>(
    _ prompt: SecretPrompt,
    _ body: @escaping @Sendable (ServiceSession) throws(SecretFailure) -> Answer
  ) async throws(SecretFailure) -> Answer {
    try SecretName.check(application: application)
    let bus: String
    if let address { bus = address } else { bus = try SessionBus.address() }
    let time = prompt.time.map { max($0, timeout) } ?? timeout
    let cancellation = Cancellation()
    let work = { @Sendable () throws(SecretFailure) in
      try ServiceSession.with(bus: bus, prompts: prompt.time != nil, cancellation) {
        session throws(SecretFailure) in
        try Self.retrying { () throws(SecretFailure) in try body(session) }
      }
    }
    return try await threads.answer(within: time, stop: { cancellation.cancel() }, work)
  }
}

/// Cancels GIO calls from any thread (GCancellable).
final class Cancellation: Sendable {
  /// The address of the GCancellable, as an integer.
  ///
  /// GIO allows the object to be used on any thread, but Swift pointers are not `Sendable`.
  private let address: UInt

  init() {
    address = unsafe UInt(bitPattern: g_cancellable_new())
  }

  deinit { unsafe g_object_unref(raw) }

  /// A pointer to the GCancellable, which is valid for the lifetime of this instance.
  var raw: UnsafeMutablePointer<GCancellable>? { unsafe UnsafeMutablePointer(bitPattern: address) }

  /// Cancels the calls in progress and all later calls.
  func cancel() { unsafe g_cancellable_cancel(raw) }
}

/// Determines the address of the session bus.
enum SessionBus {
  /// Returns the address of the session bus.
  ///
  /// Passing this address keeps GIO from starting a bus if none is running.
  ///
  /// - Throws: ``SecretCode/unavailable`` if the environment does not specify a local bus.
  static func address() throws(SecretFailure) -> String {
    if let address = CurrentProcess.environment("DBUS_SESSION_BUS_ADDRESS") {
      return try local(address)
    }
    guard let directory = CurrentProcess.environment("XDG_RUNTIME_DIR"), directory.hasPrefix("/")
    else {
      throw SecretFailure(
        .unavailable,
        "is not available (neither $DBUS_SESSION_BUS_ADDRESS nor $XDG_RUNTIME_DIR names a bus)")
    }
    let path = unsafe g_dbus_address_escape_value("\(directory)/bus")
    defer { unsafe g_free(path) }
    guard let path = unsafe path else {
      throw SecretFailure(
        .unavailable, "is not available (the path in $XDG_RUNTIME_DIR cannot be used)")
    }
    return unsafe "unix:path=\(String(cString: path))"
  }

  /// Returns the address if it refers only to local sockets; otherwise, throws an error.
  static func local(_ address: String) throws(SecretFailure) -> String {
    guard address.split(separator: ";").allSatisfy({ $0.hasPrefix("unix:") }) else {
      throw SecretFailure(
        .unavailable,
        "is not available ($DBUS_SESSION_BUS_ADDRESS is not the address of a local socket)")
    }
    return address
  }
}
