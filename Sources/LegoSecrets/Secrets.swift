public import LegoKit

/// Secrets by their names, in the stores of this machine.
///
/// Every function may be called from any task, and blocks no thread of tasks.
public struct Secrets: Service {
  private let stores: [SecretStore]

  /// Looks into stores in an order.
  ///
  /// - Parameter stores: The stores; a secret in one of them hides that of the same name in later
  ///   ones.
  public init(_ stores: [SecretStore]) {
    self.stores = stores
  }

  /// The stores of this machine: the credentials directory, the Secret Service and the kernel keyring.
  ///
  /// - Parameters:
  ///   - application: The program whose secrets these are; `nil` for the name of the executable.
  ///   - timeout: How long the Secret Service has to answer one call.
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

  /// What is in force where nothing else was chosen: ``standard(application:timeout:)``.
  public static let contractor = Secrets.standard()

  /// What a test gets that provides none: no store, so that no test reads or changes the secrets of
  /// the person who runs it.
  public static let testContractor: Secrets? = Secrets([SecretStore(backend: MissingStore())])

  /// Reads a secret.
  ///
  /// Stores are asked in their order until one has it. A store that is not there is passed over; one
  /// that is there and cannot answer ends the search with an error, because it might hide the rest.
  ///
  /// - Parameters:
  ///   - name: The name of the secret.
  ///   - type: What it is.
  ///   - format: How it is stored.
  ///   - prompt: Whether a person may be asked to unlock a store.
  /// - Returns: The secret, or `nil` if no store has one of that name and at least one is there.
  /// - Throws: Every code of ``SecretCode`` but `notEncodable` and `readOnly`.
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

  /// Keeps a secret in the first store that is there and can be written.
  ///
  /// - Parameters:
  ///   - name: The name of the secret.
  ///   - value: The secret.
  ///   - format: How it is stored. Whoever reads it needs the same.
  ///   - prompt: Whether a person may be asked to unlock a store.
  /// - Returns: The store that keeps it.
  /// - Throws: `readOnly` if an earlier store holds one of that name and cannot be written, since that
  ///   would hide this one; every other code of ``SecretCode`` but `notDecodable`.
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

  /// Removes a secret from every store that is there and can be written, so that no older one comes
  /// to light.
  ///
  /// The last store is the first that loses it. Where one fails, those before it still hide nothing
  /// that was removed.
  ///
  /// - Parameters:
  ///   - name: The name of the secret.
  ///   - prompt: Whether a person may be asked to unlock a store.
  /// - Returns: Whether there was one.
  /// - Throws: `readOnly` if a store holds it and cannot be written, and nothing is removed then;
  ///   every other code of ``SecretCode`` but `notDecodable` and `notEncodable`.
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
      throw SecretFailure(.readOnly, "holds it and cannot be written")
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

/// Whether a store may ask a person, such as for the password that unlocks it.
public struct SecretPrompt: Hashable, Sendable {
  /// How long a person has; `nil` if nobody may be asked.
  let time: Duration?

  /// Nobody is asked; what is locked is the error ``SecretCode/locked``.
  public static let never = SecretPrompt(time: nil)

  /// A person may be asked.
  ///
  /// - Parameter time: How long the person has to answer, before the prompt is taken away and the
  ///   error is ``SecretCode/timedOut``.
  /// - Returns: The permission.
  public static func within(_ time: Duration) -> SecretPrompt { SecretPrompt(time: time) }
}

/// A secret of this program, by its name.
///
/// ```swift
/// @StoredSecret<User>("user") var user
/// try await user.write(User(name: "Ines", age: 41))
/// ```
///
/// Each use goes to the ``Secrets`` that are in force where it happens; nothing is held in between.
@propertyWrapper
public struct StoredSecret<Value: Codable & Sendable>: Sendable {
  private let name: String
  private let format: SecretFormat

  /// Names a secret.
  ///
  /// - Parameters:
  ///   - name: The name; one that cannot be a name is an error of each use.
  ///   - format: How it is stored.
  public init(_ name: String, as format: SecretFormat = .automatic) {
    self.name = name
    self.format = format
  }

  /// The way to the secret.
  public var wrappedValue: StoredSecret { self }

  /// Reads the secret; see ``Secrets/read(_:_:as:prompt:)``.
  ///
  /// - Parameter prompt: Whether a person may be asked to unlock a store.
  /// - Returns: The secret, or `nil` if there is none.
  /// - Throws: ``SecretError``.
  public func read(prompt: SecretPrompt = .never) async throws(SecretError) -> Secret<Value>? {
    try await Contractors().secrets.read(name, Value.self, as: format, prompt: prompt)
  }

  /// Keeps a secret in place of the one there was; see ``Secrets/write(_:_:as:prompt:)``.
  ///
  /// - Parameters:
  ///   - value: The secret.
  ///   - prompt: Whether a person may be asked to unlock a store.
  /// - Returns: The store that keeps it.
  /// - Throws: ``SecretError``.
  @discardableResult
  public func write(
    _ value: Value, prompt: SecretPrompt = .never
  ) async throws(SecretError) -> SecretStore {
    try await Contractors().secrets.write(name, value, as: format, prompt: prompt)
  }

  /// Removes the secret; see ``Secrets/delete(_:prompt:)``.
  ///
  /// - Parameter prompt: Whether a person may be asked to unlock a store.
  /// - Returns: Whether there was one.
  /// - Throws: ``SecretError``.
  @discardableResult
  public func delete(prompt: SecretPrompt = .never) async throws(SecretError) -> Bool {
    try await Contractors().secrets.delete(name, prompt: prompt)
  }
}

/// What a search for a secret has met so far.
struct SecretSearch {
  private let operation: SecretError.Operation
  private let text: String
  private let name: SecretName
  /// Why the stores that were passed over are not there.
  private var missing: [String] = []
  private var isAnyAvailable = false

  init(_ operation: SecretError.Operation, _ text: String) throws(SecretError) {
    self.operation = operation
    self.text = text
    do throws(SecretFailure) { name = try SecretName(text) } catch {
      throw SecretError(operation, text, error)
    }
  }

  /// Asks one store.
  ///
  /// - Returns: The answer, or `nil` if the store is not there.
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

  /// Does something that asks no store.
  func rethrowing<Answer>(
    store: String?, _ body: () throws(SecretFailure) -> Answer
  ) throws(SecretError) -> Answer {
    do throws(SecretFailure) { return try body() } catch {
      throw SecretError(operation, text, error, in: store)
    }
  }

  /// Ends a search that has found nothing.
  ///
  /// - Throws: The error if no store is there.
  func finish() throws(SecretError) {
    if !isAnyAvailable { throw noStoreError }
  }

  /// The error for the want of a store, which names each.
  var noStoreError: SecretError {
    let reason = missing.isEmpty ? "there is no store" : missing.joined(separator: "; ")
    return SecretError(operation, text, SecretFailure(.unavailable, reason))
  }
}
