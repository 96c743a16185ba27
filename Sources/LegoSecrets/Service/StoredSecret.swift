internal import LegoKit

/// A secret of this program, by its name.
///
/// ```swift
/// @StoredSecret<User>("user") var user
/// try await user.write(User(name: "Mateo", age: 23))
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
