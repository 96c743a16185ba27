internal import AccessModel

/// The result of opening a device, as JSON.
struct AttemptOutput: Encodable {
  let path: String
  let operation: Attempt.Operation
  let systemCall: String?
  let flags: [OpenFlag]?
  /// The name of the error; `nil` if the attempt succeeded.
  let error: String?

  private enum CodingKeys: String, CodingKey {
    case path, operation, flags, error
    case systemCall = "system_call"
  }

  init(_ attempt: Attempt) {
    path = attempt.path
    operation = attempt.operation
    systemCall = attempt.systemCall
    flags = attempt.flags?.sorted { $0.rawValue < $1.rawValue }
    error = attempt.errno == 0 ? nil : attempt.errno.name
  }

  /// Returns the output for all attempts; `nil` if there are none.
  static func all(_ attempts: [Attempt]) -> [AttemptOutput]? {
    attempts.isEmpty ? nil : attempts.map(AttemptOutput.init)
  }
}
