/// The secret service of the session, such as GNOME Keyring, KWallet or KeePassXC, by libsecret.
struct SecretServiceStore: SecretStoring {
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

  func read(_ name: SecretName, _ prompt: SecretPrompt) async throws(SecretProblem) -> SecretBytes?
  {
    try await call(prompt) { [application] session throws(SecretProblem) in
      try session.read(application, name.text, unlock: prompt.time != nil)
    }
  }

  func write(
    _ bytes: SecretBytes, _ content: SecretCoding.Content, _ name: SecretName,
    _ prompt: SecretPrompt
  ) async throws(SecretProblem) {
    try await call(prompt) { [application] session throws(SecretProblem) in
      try session.write(
        bytes, content.mediaType, application, name.text, unlock: prompt.time != nil)
    }
  }

  func delete(_ name: SecretName, _ prompt: SecretPrompt) async throws(SecretProblem) -> Bool {
    try await call(prompt) { [application] session throws(SecretProblem) in
      try session.delete(application, name.text, unlock: prompt.time != nil)
    }
  }

  /// Tries again what met an object that another program removed meanwhile.
  private static func repeating<Answer>(
    _ body: () throws(SecretProblem) -> Answer
  ) throws(SecretProblem) -> Answer {
    for _ in 0..<9 {
      do throws(SecretProblem) { return try body() } catch {
        guard error.isPassing else { throw error }
      }
    }
    return try body()
  }

  private func call<Answer: Sendable>(
    _ prompt: SecretPrompt,
    _ body: @escaping @Sendable (ServiceSession) throws(SecretProblem) -> Answer
  ) async throws(SecretProblem) -> Answer {
    try SecretName.check(application: application)
    let bus: String
    if let address { bus = address } else { bus = try SessionBus.address() }
    let time = prompt.time.map { max($0, timeout) } ?? timeout
    let cancellation = Cancellation()
    let work = { @Sendable () throws(SecretProblem) in
      try ServiceSession.with(bus: bus, prompts: prompt.time != nil, cancellation) {
        session throws(SecretProblem) in
        try Self.repeating { () throws(SecretProblem) in try body(session) }
      }
    }
    return try await threads.answer(within: time, stop: { cancellation.cancel() }, work)
  }
}
