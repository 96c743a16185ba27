/// Stands for the stores that a test has not provided.
struct MissingStore: SecretStoring {
  var title: String { "the test" }
  var isWritable: Bool { true }

  private var problem: SecretProblem {
    SecretProblem(.unavailable, "has none (give it some: $0.secrets = Secrets(…))")
  }

  func read(_ name: SecretName, _ prompt: SecretPrompt) async throws(SecretProblem) -> SecretBytes?
  {
    throw problem
  }

  func write(
    _ bytes: SecretBytes, _ content: SecretCoding.Content, _ name: SecretName,
    _ prompt: SecretPrompt
  ) async throws(SecretProblem) {
    throw problem
  }

  func delete(_ name: SecretName, _ prompt: SecretPrompt) async throws(SecretProblem) -> Bool {
    throw problem
  }
}
