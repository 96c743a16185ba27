internal import AccessModel

/// A cause as JSON.
struct CauseOutput: Encodable {
  let code: CauseCode
  let summary: String
  let at: String?
  let proven: Bool

  init(_ cause: Cause) {
    code = cause.code
    summary = cause.summary
    at = cause.at
    proven = cause.isProven
  }
}
