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
    let application = application ?? ProgramName.current ?? ""
    return Secrets([
      .credentialsDirectory(), .secretService(application: application, timeout: timeout),
      .kernelKeyring(application: application),
    ])
  }

  /// What is in force where nothing else was chosen: ``standard(application:timeout:)``.
  public static let contractor = Secrets.standard()

  /// What a test gets that provides none: no store, so that no test reads or changes the secrets of
  /// the person who runs it.
  public static let testContractor: Secrets? = Secrets([SecretStore(base: MissingStore())])

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
      let found = try await search.ask(store) { base, name throws(SecretProblem) in
        guard let bytes = try await base.read(name, prompt) else { return Value?.none }
        return try SecretCoding(format: format).decode(
          type, from: bytes, strippingLineEnd: base.isWrittenByHand)
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
    let bytes = try search.adding(store: nil) { () throws(SecretProblem) in try coding.encode(value)
    }
    for store in stores {
      let isWritten = try await search.ask(store) { base, name throws(SecretProblem) in
        guard base.isWritable else {
          try await Self.refuse(ifIn: base, name, prompt)
          return false
        }
        try await base.write(bytes, coding.content(of: Value.self), name, prompt)
        return true
      }
      if isWritten == true { return store }
    }
    throw search.withoutStore
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
    for store in stores where !store.base.isWritable {
      _ = try await search.ask(store) { base, name throws(SecretProblem) in
        try await Self.refuse(ifIn: base, name, prompt)
      }
    }
    var isDeleted = false
    var isAnyThere = false
    for store in stores.reversed() where store.base.isWritable {
      let answer = try await search.ask(store) { base, name throws(SecretProblem) in
        try await base.delete(name, prompt)
      }
      isAnyThere = isAnyThere || answer != nil
      isDeleted = isDeleted || answer == true
    }
    guard isAnyThere else { throw search.withoutStore }
    return isDeleted
  }

  private static func refuse(
    ifIn store: any SecretStoring, _ name: SecretName, _ prompt: SecretPrompt
  ) async throws(SecretProblem) {
    if try await store.read(name, prompt) != nil {
      throw SecretProblem(.readOnly, "holds it and cannot be written")
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
