public import LegoKit

/// A service that reads, writes and deletes secrets by name.
///
/// You can call each method from any task. No method blocks the threads on which Swift runs tasks.
public struct Secrets: Service {
  private let stores: [SecretStore]

  /// Creates a service with an ordered list of stores.
  ///
  /// - Parameter stores: The stores, in order of precedence. A secret in one of them hides secrets
  ///   with the same name in later stores.
  public init(_ stores: [SecretStore]) {
    self.stores = stores
  }

  /// Returns a service with the stores of this machine: the credentials directory, the Secret
  /// Service and the kernel keyring.
  ///
  /// - Parameters:
  ///   - application: The name of the application that owns the secrets, or `nil` to use the name
  ///     of the executable.
  ///   - timeout: The maximum duration of a call to the Secret Service, unless a prompt allows more
  ///     time.
  /// - Returns: The service.
  public static func standard(
    application: String? = nil, timeout: Duration = .seconds(10)
  ) -> Secrets {
    let application = application ?? CurrentProcess.executableName ?? ""
    return Secrets([
      .credentialsDirectory(), .secretService(application: application, timeout: timeout),
      .kernelKeyring(application: application),
    ])
  }

  /// The default service, which is ``standard(application:timeout:)``.
  public static let contractor = Secrets.standard()

  /// The default service in tests, in which no store is available.
  ///
  /// Tests therefore cannot read or change the user's secrets by mistake.
  public static let testContractor: Secrets? = Secrets([SecretStore(backend: MissingStore())])

  /// Reads a secret.
  ///
  /// The stores are searched in order until one of them has the secret. Stores that are not
  /// available are skipped. If an available store cannot answer, the call fails, because that store
  /// might have a secret that takes precedence.
  ///
  /// - Parameters:
  ///   - name: The name of the secret.
  ///   - type: The type of the value.
  ///   - format: The format in which the value is stored.
  ///   - prompt: Specifies whether a store may prompt the user, for example to unlock it.
  /// - Returns: The secret, or `nil` if no available store has it.
  /// - Throws: A ``SecretError`` with any code except ``SecretCode/notEncodable`` and
  ///   ``SecretCode/readOnly``.
  public func read<Value: Decodable & Sendable>(
    _ name: String, _ type: Value.Type = Value.self, as format: SecretFormat = .automatic,
    prompt: SecretPrompt = .never
  ) async throws(SecretError) -> Secret<Value>? {
    var search = try SecretSearch(.read, name)
    for store in stores {
      let found = try await search.query(store) { backend, name throws(SecretFailure) in
        guard let bytes = try await backend.read(name, prompt) else { return Value?.none }
        return try SecretCoding(format: format).decode(
          type, from: bytes, strippingLineEnd: backend.isWrittenByHand)
      }
      if let value = found ?? nil { return Secret(value) }
    }
    try search.finish()
    return nil
  }

  /// Writes a secret to the first available store that is writable.
  ///
  /// - Parameters:
  ///   - name: The name of the secret.
  ///   - value: The value.
  ///   - format: The format in which to store the value. Use the same format to read it.
  ///   - prompt: Specifies whether a store may prompt the user, for example to unlock it.
  /// - Returns: The store that the secret was written to.
  /// - Throws: A ``SecretError`` with any code except ``SecretCode/notDecodable``. The code is
  ///   ``SecretCode/readOnly`` if a read-only store earlier in the list has a secret with this
  ///   name, because that secret would hide the new one.
  @discardableResult
  public func write<Value: Encodable & Sendable>(
    _ name: String, _ value: Value, as format: SecretFormat = .automatic,
    prompt: SecretPrompt = .never
  ) async throws(SecretError) -> SecretStore {
    var search = try SecretSearch(.write, name)
    let coding = SecretCoding(format: format)
    let bytes = try search.rethrowing(store: nil) { () throws(SecretFailure) in
      try coding.encode(value)
    }
    for store in stores {
      let isWritten = try await search.query(store) { backend, name throws(SecretFailure) in
        guard backend.isWritable else {
          try await Self.refuse(ifIn: backend, name, prompt)
          return false
        }
        try await backend.write(bytes, coding.content(of: Value.self), name, prompt)
        return true
      }
      if isWritten == true { return store }
    }
    throw search.noStoreError
  }

  /// Deletes a secret from every available store that is writable.
  ///
  /// The stores are processed in reverse order, so no hidden secret becomes visible if the call
  /// fails halfway.
  ///
  /// - Parameters:
  ///   - name: The name of the secret.
  ///   - prompt: Specifies whether a store may prompt the user, for example to unlock it.
  /// - Returns: `true` if the secret existed; otherwise, `false`.
  /// - Throws: A ``SecretError`` with any code except ``SecretCode/notDecodable`` and
  ///   ``SecretCode/notEncodable``. The code is ``SecretCode/readOnly`` if a read-only store has
  ///   the secret, in which case nothing is deleted.
  @discardableResult
  public func delete(
    _ name: String, prompt: SecretPrompt = .never
  ) async throws(SecretError) -> Bool {
    var search = try SecretSearch(.delete, name)
    for store in stores where !store.backend.isWritable {
      _ = try await search.query(store) { backend, name throws(SecretFailure) in
        try await Self.refuse(ifIn: backend, name, prompt)
      }
    }
    var isDeleted = false
    var isAnyAvailable = false
    for store in stores.reversed() where store.backend.isWritable {
      let answer = try await search.query(store) { backend, name throws(SecretFailure) in
        try await backend.delete(name, prompt)
      }
      isAnyAvailable = isAnyAvailable || answer != nil
      isDeleted = isDeleted || answer == true
    }
    guard isAnyAvailable else { throw search.noStoreError }
    return isDeleted
  }

  private static func refuse(
    ifIn store: any SecretBackend, _ name: SecretName, _ prompt: SecretPrompt
  ) async throws(SecretFailure) {
    if try await store.read(name, prompt) != nil {
      throw SecretFailure(.readOnly, "has it and is read-only")
    }
  }
}

extension Contractors {
  /// The current service for secrets.
  public var secrets: Secrets {
    get { Self[Secrets.self] }
    set { Self[Secrets.self] = newValue }
  }
}

/// A rule that determines whether a store may prompt the user, for example for a password.
public struct SecretPrompt: Hashable, Sendable {
  /// The time that the user has to answer, or `nil` if prompts are not allowed.
  let time: Duration?

  /// Allows no prompts.
  ///
  /// If a store is locked, the call fails with ``SecretCode/locked``.
  public static let never = SecretPrompt(time: nil)

  /// Allows a prompt for a limited time.
  ///
  /// - Parameter time: The time that the user has to answer. After this time, the prompt is closed
  ///   and the call fails with ``SecretCode/timedOut``. If the time is shorter than the store's own
  ///   timeout, that timeout applies instead.
  /// - Returns: The rule.
  public static func within(_ time: Duration) -> SecretPrompt { SecretPrompt(time: time) }
}

/// A property wrapper that provides access to the secret with a given name.
///
/// ```swift
/// @StoredSecret<User>("user") var user
/// try await user.write(User(name: "Ines", age: 41))
/// ```
///
/// Each call uses the ``Secrets`` service that is current at that moment. Nothing is cached.
@propertyWrapper
public struct StoredSecret<Value: Codable & Sendable>: Sendable {
  private let name: String
  private let format: SecretFormat

  /// Creates a property for the secret with the given name.
  ///
  /// - Parameters:
  ///   - name: The name of the secret. If it is not valid, every call fails.
  ///   - format: The format in which the value is stored.
  public init(_ name: String, as format: SecretFormat = .automatic) {
    self.name = name
    self.format = format
  }

  /// The wrapper itself, whose methods read, write and delete the secret.
  public var wrappedValue: StoredSecret { self }

  /// Reads the secret, as described in ``Secrets/read(_:_:as:prompt:)``.
  ///
  /// - Parameter prompt: Specifies whether a store may prompt the user, for example to unlock it.
  /// - Returns: The secret, or `nil` if it does not exist.
  /// - Throws: A ``SecretError``.
  public func read(prompt: SecretPrompt = .never) async throws(SecretError) -> Secret<Value>? {
    try await Contractors().secrets.read(name, Value.self, as: format, prompt: prompt)
  }

  /// Writes the secret, as described in ``Secrets/write(_:_:as:prompt:)``.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - prompt: Specifies whether a store may prompt the user, for example to unlock it.
  /// - Returns: The store that the secret was written to.
  /// - Throws: A ``SecretError``.
  @discardableResult
  public func write(
    _ value: Value, prompt: SecretPrompt = .never
  ) async throws(SecretError) -> SecretStore {
    try await Contractors().secrets.write(name, value, as: format, prompt: prompt)
  }

  /// Deletes the secret, as described in ``Secrets/delete(_:prompt:)``.
  ///
  /// - Parameter prompt: Specifies whether a store may prompt the user, for example to unlock it.
  /// - Returns: `true` if the secret existed; otherwise, `false`.
  /// - Throws: A ``SecretError``.
  @discardableResult
  public func delete(prompt: SecretPrompt = .never) async throws(SecretError) -> Bool {
    try await Contractors().secrets.delete(name, prompt: prompt)
  }
}

/// An operation on several stores, and the reasons why some of them were skipped.
struct SecretSearch {
  private let operation: SecretError.Operation
  private let text: String
  private let name: SecretName
  /// The reasons why the skipped stores are unavailable.
  private var missing: [String] = []
  private var isAnyAvailable = false

  init(_ operation: SecretError.Operation, _ text: String) throws(SecretError) {
    self.operation = operation
    self.text = text
    do throws(SecretFailure) { name = try SecretName(text) } catch {
      throw SecretError(operation, text, error)
    }
  }

  /// Calls a closure with a store.
  ///
  /// - Returns: The result of the closure, or `nil` if the store is unavailable.
  mutating func query<Answer>(
    _ store: SecretStore,
    _ body: (any SecretBackend, SecretName) async throws(SecretFailure) -> Answer
  ) async throws(SecretError) -> Answer? {
    do throws(SecretFailure) {
      let answer = try await body(store.backend, name)
      isAnyAvailable = true
      return answer
    } catch {
      guard error.code == .unavailable else {
        throw SecretError(operation, text, error, in: store.backend.title)
      }
      missing.append("\(store.backend.title) \(error.reason)")
      return nil
    }
  }

  /// Calls a closure, and converts the error that it throws to a ``SecretError``.
  func rethrowing<Answer>(
    store: String?, _ body: () throws(SecretFailure) -> Answer
  ) throws(SecretError) -> Answer {
    do throws(SecretFailure) { return try body() } catch {
      throw SecretError(operation, text, error, in: store)
    }
  }

  /// Ends a search that has found nothing.
  ///
  /// - Throws: An error if no store was available.
  func finish() throws(SecretError) {
    if !isAnyAvailable { throw noStoreError }
  }

  /// The error for an operation without a suitable store, with a reason for each unavailable store.
  var noStoreError: SecretError {
    let reason = missing.isEmpty ? "there is no store" : missing.joined(separator: "; ")
    return SecretError(operation, text, SecretFailure(.unavailable, reason))
  }
}
