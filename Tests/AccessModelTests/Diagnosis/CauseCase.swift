import AccessModel
import Testing

/// One row of the table of causes: facts, and the expected explanation.
struct CauseCase: CustomTestStringConvertible, Sendable {
  var name: String
  var facts: AccessFacts
  var cause: CauseCode?
  var status: PermissionStatus
  var answer: Answer
  var certainty: Certainty
  /// The first command of the first remedy that has one.
  var command: String?

  /// Creates a row; without a status, it expects the status of an absent or undetermined answer.
  init(
    _ name: String, _ cause: CauseCode?, _ status: PermissionStatus?,
    _ answer: Answer = .refused,
    _ certainty: Certainty = .predicted, command: String? = nil, from: Fixtures = .camera,
    _ change: (inout Fixtures) -> Void
  ) {
    self.name = name
    facts = from.with(change).facts
    self.cause = cause
    self.status = status ?? (answer == .absent ? .absent : .unknown)
    self.answer = answer
    self.certainty = certainty
    self.command = command
  }

  var testDescription: String { name }
}
