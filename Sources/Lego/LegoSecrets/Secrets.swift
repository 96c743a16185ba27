public import LegoKit

/// Reads, writes and deletes secrets by name in the stores of this machine.
///
/// You can call every function from any task. It does not block the threads of tasks.
public struct Secrets: Service {
  private let stores: [SecretStore]

  /// Creates a service with an ordered list of stores.
  ///
  /// - Parameter stores: The stores. A secret in one of them hides a secret with the same name in
  ///   later stores.
  public init(_ stores: [SecretStore]) {
    self.stores = stores
  }

  /// The stores of this machine: the credentials directory, the Secret Service and the kernel
  /// keyring.
  ///
  /// - Parameters:
  ///   - application: The application that owns the secrets; `nil` for the name of the executable.
  ///   - timeout: The time that the Secret Service has to answer one call.
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

  /// The default service: ``standard(application:timeout:)``.
  public static let contractor = Secrets.standard()

  /// The default service in tests: it has no store, so no test reads or changes the secrets of the
  /// user.
  public static let testContractor: Secrets? = Secrets([SecretStore(backend: MissingStore())])

  /// Reads a secret.
  ///
  /// The stores are searched in order until one has the secret. Missing stores are skipped. If a
  /// store exists but cannot answer, the call fails, because that store might have a secret that
  /// takes precedence.
  ///
  /// - Parameters:
  ///   - name: The name of the secret.
  ///   - type: The type of the value.
  ///   - format: The encoding of the value.
  ///   - prompt: The permission to prompt the user to unlock a store.
  /// - Returns: The secret; `nil` if at least one store exists and none has the secret.
  /// - Throws: Every code of ``SecretCode`` except `notEncodable` and `readOnly`.
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

  /// Writes a secret to the first store that exists and is writable.
  ///
  /// - Parameters:
  ///   - name: The name of the secret.
  ///   - value: The value.
  ///   - format: The encoding of the value. Reading requires the same one.
  ///   - prompt: The permission to prompt the user to unlock a store.
  /// - Returns: The store with the secret.
  /// - Throws: `readOnly` if an earlier, read-only store has the name, because it would hide this
  ///   secret; every other code of ``SecretCode`` except `notDecodable`.
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

  /// Removes a secret from every store that exists and is writable.
  ///
  /// The stores are processed in reverse order, so no older secret reappears, even if the call
  /// fails halfway.
  ///
  /// - Parameters:
  ///   - name: The name of the secret.
  ///   - prompt: The permission to prompt the user to unlock a store.
  /// - Returns: `true` if the secret existed.
  /// - Throws: `readOnly` if a read-only store has the name, and then nothing is removed; every
  ///   other code of ``SecretCode`` except `notDecodable` and `notEncodable`.
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
  /// The secrets of this program.
  public var secrets: Secrets {
    get { Self[Secrets.self] }
    set { Self[Secrets.self] = newValue }
  }
}

/// The permission for a store to prompt the user, such as for the password that unlocks it.
public struct SecretPrompt: Hashable, Sendable {
  /// The time that the user has to answer; `nil` if no prompt is allowed.
  let time: Duration?

  /// No prompt.
  ///
  /// The error for a locked store is ``SecretCode/locked``.
  public static let never = SecretPrompt(time: nil)

  /// Allows a prompt.
  ///
  /// - Parameter time: The time that the user has to answer. After it, the prompt is closed and the
  ///   error is ``SecretCode/timedOut``.
  /// - Returns: The permission.
  public static func within(_ time: Duration) -> SecretPrompt { SecretPrompt(time: time) }
}

/// A secret of this program, identified by its name.
///
/// ```swift
/// @StoredSecret<User>("user") var user
/// try await user.write(User(name: "Ines", age: 41))
/// ```
///
/// Each call uses the ``Secrets`` that are current at the call. Nothing is cached.
@propertyWrapper
public struct StoredSecret<Value: Codable & Sendable>: Sendable {
  private let name: String
  private let format: SecretFormat

  /// Creates a property for a secret.
  ///
  /// - Parameters:
  ///   - name: The name. If it is not valid, every call fails.
  ///   - format: The encoding of the value.
  public init(_ name: String, as format: SecretFormat = .automatic) {
    self.name = name
    self.format = format
  }

  /// The property wrapper itself, with the functions for the secret.
  public var wrappedValue: StoredSecret { self }

  /// Reads the secret; see ``Secrets/read(_:_:as:prompt:)``.
  ///
  /// - Parameter prompt: The permission to prompt the user to unlock a store.
  /// - Returns: The secret; `nil` if it does not exist.
  /// - Throws: ``SecretError``.
  public func read(prompt: SecretPrompt = .never) async throws(SecretError) -> Secret<Value>? {
    try await Contractors().secrets.read(name, Value.self, as: format, prompt: prompt)
  }

  /// Writes the secret, and replaces an existing one; see ``Secrets/write(_:_:as:prompt:)``.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - prompt: The permission to prompt the user to unlock a store.
  /// - Returns: The store with the secret.
  /// - Throws: ``SecretError``.
  @discardableResult
  public func write(
    _ value: Value, prompt: SecretPrompt = .never
  ) async throws(SecretError) -> SecretStore {
    try await Contractors().secrets.write(name, value, as: format, prompt: prompt)
  }

  /// Removes the secret; see ``Secrets/delete(_:prompt:)``.
  ///
  /// - Parameter prompt: The permission to prompt the user to unlock a store.
  /// - Returns: `true` if the secret existed.
  /// - Throws: ``SecretError``.
  @discardableResult
  public func delete(prompt: SecretPrompt = .never) async throws(SecretError) -> Bool {
    try await Contractors().secrets.delete(name, prompt: prompt)
  }
}

/// A search for a secret in several stores, and the failures so far.
struct SecretSearch {
  private let operation: SecretError.Operation
  private let text: String
  private let name: SecretName
  /// The reasons why stores are missing.
  private var missing: [String] = []
  private var isAnyAvailable = false

  init(_ operation: SecretError.Operation, _ text: String) throws(SecretError) {
    self.operation = operation
    self.text = text
    do throws(SecretFailure) { name = try SecretName(text) } catch {
      throw SecretError(operation, text, error)
    }
  }

  /// Calls one store.
  ///
  /// - Returns: The answer; `nil` if the store is missing.
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

  /// Runs a closure that calls no store, and converts its error.
  func rethrowing<Answer>(
    store: String?, _ body: () throws(SecretFailure) -> Answer
  ) throws(SecretError) -> Answer {
    do throws(SecretFailure) { return try body() } catch {
      throw SecretError(operation, text, error, in: store)
    }
  }

  /// Ends a search without a result.
  ///
  /// - Throws: An error if all stores are missing.
  func finish() throws(SecretError) {
    if !isAnyAvailable { throw noStoreError }
  }

  /// The error if all stores are missing, with a reason for each.
  var noStoreError: SecretError {
    let reason = missing.isEmpty ? "there is no store" : missing.joined(separator: "; ")
    return SecretError(operation, text, SecretFailure(.unavailable, reason))
  }
}
