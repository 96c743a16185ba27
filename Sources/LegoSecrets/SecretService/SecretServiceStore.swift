internal import CSecret

/// The secret service of the session, such as GNOME Keyring, KWallet or KeePassXC, by libsecret.
struct SecretServiceStore: SecretBackend {
  private let application: String
  /// The address of the bus, where it is not that of the environment.
  private let address: String?
  private let timeout: Duration
  private let threads = BlockingThreads()

  /// - Parameters:
  ///   - application: The program whose secrets these are.
  ///   - timeout: How long the service has to answer.
  ///   - address: The address of the bus; `nil` for that of the environment.
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

  /// Tries again what met an object that another program removed meanwhile.
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

/// Ends calls of GIO, from any thread (GCancellable).
final class Cancellation: Sendable {
  /// Where the object is: GIO lets every thread use it, which Swift cannot know of a pointer.
  private let address: UInt

  init() {
    address = unsafe UInt(bitPattern: g_cancellable_new())
  }

  deinit { unsafe g_object_unref(raw) }

  /// The object, which lives as long as this one.
  var raw: UnsafeMutablePointer<GCancellable>? { unsafe UnsafeMutablePointer(bitPattern: address) }

  /// Makes calls that run, and those that begin later, fail.
  func cancel() { unsafe g_cancellable_cancel(raw) }
}

/// Where the session bus is.
enum SessionBus {
  /// The address of the bus.
  ///
  /// GIO would also start a bus where there is none.
  ///
  /// - Throws: ``SecretCode/unavailable`` if there is none, or it is on another machine.
  static func address() throws(SecretFailure) -> String {
    if let address = CurrentProcess.environment("DBUS_SESSION_BUS_ADDRESS") {
      return try local(address)
    }
    guard let directory = CurrentProcess.environment("XDG_RUNTIME_DIR"), directory.hasPrefix("/")
    else {
      throw SecretFailure(
        .unavailable,
        "is not there (neither $DBUS_SESSION_BUS_ADDRESS nor $XDG_RUNTIME_DIR leads to a bus)")
    }
    let path = unsafe g_dbus_address_escape_value("\(directory)/bus")
    defer { unsafe g_free(path) }
    guard let path = unsafe path else {
      throw SecretFailure(.unavailable, "is not there ($XDG_RUNTIME_DIR leads to no bus)")
    }
    return unsafe "unix:path=\(String(cString: path))"
  }

  /// An address, if it leads to sockets of this machine.
  static func local(_ address: String) throws(SecretFailure) -> String {
    guard address.split(separator: ";").allSatisfy({ $0.hasPrefix("unix:") }) else {
      throw SecretFailure(
        .unavailable, "is not there ($DBUS_SESSION_BUS_ADDRESS names something else than a socket)")
    }
    return address
  }
}
