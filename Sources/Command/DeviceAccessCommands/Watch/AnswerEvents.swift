internal import AccessModel
internal import DevicePermissions
internal import JSONText

/// One event of `devaccess watch`, formatted for users, programs and the `--exec` command.
///
/// Formats that are not needed are empty.
struct WatchedEvent: Sendable {
  /// The consumers of an event.
  struct EventConsumers: OptionSet, Sendable {
    let rawValue: Int

    /// A person, who reads the text.
    static let person = EventConsumers(rawValue: 1)
    /// A program, which reads the JSON.
    static let program = EventConsumers(rawValue: 2)
    /// The `--exec` command, which gets the JSON and the variables.
    static let command = EventConsumers(rawValue: 4)
  }

  /// The line for a person, including its newline.
  var text: String
  /// The JSON object, without a newline.
  var json: String
  /// The environment variables for the `--exec` command.
  var variables: [(name: String, value: String)]

  /// The prefix of all names in ``variables``.
  static let prefix = "DEVACCESS_"

  /// Creates an event, and omits variables without a value.
  ///
  /// - Throws: An error thrown by the JSON encoder.
  init(
    for consumers: EventConsumers, text: @autoclosure () -> String,
    json: @autoclosure () -> some Encodable,
    variables: @autoclosure () -> KeyValuePairs<String, String?>
  ) throws {
    self.text = consumers.contains(.person) ? text() : ""
    self.json =
      consumers.isDisjoint(with: [.program, .command]) ? "" : try JSONWriter.encode(json())
    self.variables =
      !consumers.contains(.command)
      ? []
      : variables().compactMap { name, value in
        value.map { (Self.prefix + name, $0.filter { $0 != "\0" }) }
      }
  }
}

/// The lines of `devaccess watch` that report answers.
struct AnswerEvents {
  let changes: AnswerChanges
  /// A Boolean value that indicates whether several questions are answered.
  let isOfSeveral: Bool
  let context: CommandRun
  let consumers: WatchedEvent.EventConsumers

  /// Passes each answer to a closure, along with whether another one is already available.
  ///
  /// If the closure is slow, intermediate answers may be skipped, but never the latest one.
  func report(to body: (WatchedEvent, _ hasMore: Bool) throws -> Void) async throws {
    var gaps = GapReport(context)
    var answers = changes.makeAsyncIterator()
    while let change = try await answers.next() {
      gaps.report(change.gaps)
      let now = Timestamp.now
      try body(
        WatchedEvent(
          for: consumers,
          text: WatchText(
            change: change, time: now, style: context.style, isOneOfSeveral: isOfSeveral
          ).text,
          json: WatchOutput(change, at: now), variables: variables(change, now)),
        answers.hasMore)
    }
  }

  private func variables(
    _ change: AnswerChange, _ time: Timestamp
  ) -> KeyValuePairs<String, String?> {
    let explanation = change.explanation
    return [
      "EVENT": "answer",
      "TIME": time.text,
      "PATH": explanation.path,
      "KIND": explanation.kind,
      "NAME": explanation.device?.name.map { Escaped($0).description },
      "ANSWER": explanation.answer.rawValue,
      "BEFORE": change.before?.answer.rawValue,
      "RULE": explanation.decision.rule?.rawValue,
      "REASON": change.differences.first.map { Escaped($0.text, limit: 512).description },
    ]
  }
}

/// A line of `devaccess watch`: the time, the answer, and the reason for the change.
struct WatchText: Sendable {
  let change: AnswerChange
  let time: Timestamp
  let style: Style
  /// A Boolean value that indicates whether several questions are watched.
  ///
  /// If so, the line names the kind as well as the path.
  var isOneOfSeveral = false

  var text: String {
    let line = CheckText(
      explanation: change.explanation, facts: change.facts, style: style,
      namesKind: isOneOfSeveral
    ).line
    let reason = change.differences.first.map { difference in
      " (\(style.safe(difference.text, limit: 512)))"
    }
    return "\(style.paint(time.localText(), .faint)) \(line)\(reason ?? "")\n"
  }
}

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
