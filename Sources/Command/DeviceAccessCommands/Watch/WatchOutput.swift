internal import AccessModel
internal import DevicePermissions

/// The JSON object of one line of `devaccess watch --json`.
struct WatchOutput: Encodable {
  /// A difference between the current and the previous facts.
  struct Difference: Encodable {
    let code: FactsDifference.Code
    let object: String?
    let text: String
  }

  /// A fact whose changes no event reports.
  struct Gap: Encodable {
    let layer: String
    let at: String?
    let reason: String

    init(_ gap: Unobserved) {
      (layer, at, reason) = (gap.layer, gap.at, gap.reason)
    }
  }

  private let answer: AnswerOutput
  let time: String
  let before: Answer?
  let ruleBefore: Rule?
  let differences: [Difference]
  let gaps: [Gap]

  private enum CodingKeys: String, CodingKey {
    case time, before
    case ruleBefore = "rule_before"
    case differences, gaps
  }

  init(_ change: AnswerChange, at time: Timestamp) {
    answer = AnswerOutput(
      AnsweredFacts(change.facts, change.explanation), command: .watch)
    self.time = time.text
    before = change.before?.answer
    ruleBefore = change.before?.decision.rule
    differences = change.differences.map {
      Difference(code: $0.code, object: $0.object, text: $0.text)
    }
    gaps = change.gaps.map(Gap.init)
  }

  func encode(to encoder: any Encoder) throws {
    try answer.encode(to: encoder)
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(time, forKey: .time)
    try container.encodeIfPresent(before, forKey: .before)
    try container.encodeIfPresent(ruleBefore, forKey: .ruleBefore)
    try container.encode(differences, forKey: .differences)
    try container.encode(gaps, forKey: .gaps)
  }
}
