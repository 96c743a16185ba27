/// What a search for a secret has met so far.
struct SecretSearch {
  private let operation: SecretError.Operation
  private let text: String
  private let name: SecretName
  /// Why the stores that were passed over are not there.
  private var missing: [String] = []
  private var isAnyThere = false

  init(_ operation: SecretError.Operation, _ text: String) throws(SecretError) {
    self.operation = operation
    self.text = text
    do throws(SecretProblem) { name = try SecretName(text) } catch {
      throw SecretError(operation, text, error)
    }
  }

  /// Asks one store.
  ///
  /// - Returns: The answer, or `nil` if the store is not there.
  mutating func ask<Answer>(
    _ store: SecretStore,
    _ question: (any SecretStoring, SecretName) async throws(SecretProblem) -> Answer
  ) async throws(SecretError) -> Answer? {
    do throws(SecretProblem) {
      let answer = try await question(store.base, name)
      isAnyThere = true
      return answer
    } catch {
      guard error.code == .unavailable else {
        throw SecretError(operation, text, error, in: store.base.title)
      }
      missing.append("\(store.base.title) \(error.reason)")
      return nil
    }
  }

  /// Does something that asks no store.
  func adding<Answer>(
    store: String?, _ body: () throws(SecretProblem) -> Answer
  ) throws(SecretError) -> Answer {
    do throws(SecretProblem) { return try body() } catch {
      throw SecretError(operation, text, error, in: store)
    }
  }

  /// Ends a search that has found nothing.
  ///
  /// - Throws: The error if no store is there.
  func finish() throws(SecretError) {
    if !isAnyThere { throw withoutStore }
  }

  /// The error for the want of a store, which names each.
  var withoutStore: SecretError {
    let reason = missing.isEmpty ? "there is no store" : missing.joined(separator: "; ")
    return SecretError(operation, text, SecretProblem(.unavailable, reason))
  }
}
