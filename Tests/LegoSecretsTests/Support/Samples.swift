@testable import LegoSecrets

/// What the tests keep.
struct User: Codable, Equatable, Sendable {
  var name: String
  var age: Int

  static let mateo = User(name: "Mateo", age: 23)
}

/// The code of the error that a call throws, or `nil` if it throws none.
func code<Result>(_ body: () async throws -> Result) async -> SecretCode? {
  await error(body)?.code
}

/// The error that a call throws, or `nil` if it throws none.
func error<Result>(_ body: () async throws -> Result) async -> SecretError? {
  do {
    _ = try await body()
    return nil
  } catch {
    return error as? SecretError
  }
}
