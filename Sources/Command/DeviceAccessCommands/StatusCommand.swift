internal import AccessModel
internal import DevicePermissions
internal import LegoKit
internal import LinuxDevices

/// The `devaccess status` command.
struct StatusCommand {
  /// The kinds whose status to show.
  var kinds = StatusCommand.usualKinds
  var subject = SubjectOptions()
}

extension StatusCommand: Command {
  static let declaration = CommandDeclaration(
    name: .status,
    summary: "summarize access to the camera and the album",
    operand: .optionalKinds,
    options: OptionName.subjectOptions + [.json],
    details: """
      Without KIND, shows the camera and the album. STATUS is authorized, limited, notDetermined, denied, \
      restricted, absent or unknown; devaccess-answers(7) defines these words. DEVICE shows whether the \
      device is present, and CERTAINTY how certain the answer is.
      """,
    examples: [
      ("devaccess", "show the camera and the album"),
      ("devaccess status serial microphone", "show other kinds"),
    ])

  /// The kinds to show if none is given.
  static let usualKinds = [DeviceKind.camera, .album]

  init(_ arguments: CommandArguments) throws(UsageError) {
    let named = try arguments.operands.map { (word) throws(UsageError) in
      try OperandReader.kind(word, for: .status)
    }
    if !named.isEmpty { kinds = named }
    subject = try arguments.subject()
  }

  func run(_ context: CommandRun) async throws -> ExitStatus {
    var entries: [StatusEntry] = []
    for kind in kinds { entries.append(try await entry(kind)) }
    let isWhole = entries.allSatisfy { $0.known.map { $0.explanation.status != .unknown } ?? false }
    let status = isWhole ? ExitStatus.allowed : .undetermined
    if context.json { return try context.show(json: StatusOutput(entries, status), status) }
    let text = StatusText(entries: entries, subject: subject, style: context.style).text
    return try context.show(text, status)
  }

  /// Returns the status of one kind; if the observation fails, the other kinds are still shown.
  private func entry(_ kind: DeviceKind) async throws -> StatusEntry {
    var question = Question(.kind(kind), subject: subject.selector, variation: subject.variation)
    question.names = .few
    do throws(DeviceError) {
      return StatusEntry(
        kind: kind, known: try await Contractors().devices.answer(question, withUse: true))
    } catch {
      let failure = CommandFailure(error)
      guard failure.status == .undetermined else { throw failure }
      return StatusEntry(kind: kind, failure: failure)
    }
  }
}

/// The status of one kind, or the reason why it could not be observed.
struct StatusEntry: Sendable {
  let kind: DeviceKind
  /// The answer; `nil` if nothing could be observed.
  var known: AnsweredFacts?
  /// The reason why nothing could be observed.
  var failure: CommandFailure?
}

/// The output of `devaccess status`: one line per kind, and commands that show more.
struct StatusText: Sendable {
  let entries: [StatusEntry]
  /// The subject, which the suggested commands select with the same options.
  let subject: SubjectOptions
  let style: Style

  var text: String {
    var columns = Columns()
    columns.add(["KIND", "STATUS", "DEVICE", "CERTAINTY"], tone: .heading)
    for entry in entries {
      let explanation = entry.known?.explanation
      columns.add([
        (style.safe(entry.kind.name, limit: 32), .heading),
        (
          (explanation?.status ?? .unknown).rawValue,
          (explanation?.answer ?? .undetermined).tone
        ),
        (
          explanation?.answer == .absent ? "-" : (explanation?.availability ?? .unknown).rawValue,
          nil
        ),
        (certainty(of: explanation), nil),
      ])
    }
    let rows = columns.lines(style: style)
    let widths = rows.map { Wrapping.width($0) }
    let column = (widths.max() ?? 0) + 2
    var lines: [String] = []
    let answers = entries.compactMap(\.known)
    if let facts = answers.first?.facts, facts.origin != nil {
      lines.append("for " + SubjectText(facts: facts, style: style).origin)
    }
    func add(_ text: String, at row: Int) {
      let padding = String(repeating: " ", count: column - widths[row])
      lines += Wrapping.lines(
        text, width: style.width, first: rows[row] + padding,
        rest: String(repeating: " ", count: column))
    }
    add(style.paint("REASON", .heading), at: 0)
    for (index, entry) in entries.enumerated() {
      add(
        entry.known.map { reason($0.explanation) } ?? entry.failure?.message ?? "", at: index + 1)
    }
    let unclear = answers.filter { $0.explanation.answer != .allowed }
    if !unclear.isEmpty { lines.append("") }
    let options = subject.words.map { " " + style.command($0.shellQuoted) }.joined()
    lines += unclear.map { answer in
      "See: devaccess explain \(style.safe(answer.explanation.kind ?? "", limit: 32))\(options)"
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// Returns the certainty of the answer; empty if access is allowed and no layer seems to deny it.
  private func certainty(of explanation: Explanation?) -> String {
    guard let explanation else { return Certainty.undecided.rawValue }
    let isPlain = explanation.answer == .allowed && explanation.doubts.isEmpty
    return isPlain && explanation.certainty == .predicted ? "" : explanation.certainty.rawValue
  }

  private func reason(_ explanation: Explanation) -> String {
    if let disagreement = explanation.disagreement { return style.safe(disagreement, limit: 512) }
    if let cause = explanation.cause { return style.safe(cause.summary, limit: 512) }
    if case .undecided(let reason) = explanation.decision.outcome {
      return style.safe(reason, limit: 512)
    }
    let path = style.safe(explanation.path)
    return OccupationText(explanation, style).remark.map { "\(path), \($0)" } ?? path
  }
}

/// The JSON object of `devaccess status`.
struct StatusOutput: Encodable {
  /// The status of one kind.
  struct Permission: Encodable {
    let kind: String?
    let answer: Answer
    let status: PermissionStatus
    let availability: Availability
    let certainty: Certainty
    let answerCertainty: Certainty
    /// The path; `nil` if nothing could be observed.
    let path: String?
    let cause: CauseOutput?
    let disagreement: String?
    /// The error message if nothing could be observed.
    let error: String?

    private enum CodingKeys: String, CodingKey {
      case kind, answer, status, availability, certainty, path, cause, disagreement, error
      case answerCertainty = "answer_certainty"
    }

    init(_ entry: StatusEntry) {
      kind = entry.kind.name
      let explanation = entry.known?.explanation
      answer = explanation?.answer ?? .undetermined
      status = explanation?.status ?? .unknown
      availability = explanation?.availability ?? .unknown
      certainty = explanation?.certainty ?? .undecided
      answerCertainty = explanation?.answerCertainty ?? .undecided
      path = explanation?.path
      cause = explanation?.cause.map(CauseOutput.init)
      disagreement = explanation?.disagreement
      error = entry.failure?.message
    }
  }

  let schema = Schema.name
  let command = CommandName.status
  let exitStatus: Int32
  let subject: SubjectOutput?
  let permissions: [Permission]

  private enum CodingKeys: String, CodingKey {
    case schema, command
    case exitStatus = "exit_status"
    case subject, permissions
  }

  init(_ entries: [StatusEntry], _ status: ExitStatus) {
    exitStatus = status.rawValue
    subject = entries.lazy.compactMap(\.known).first.map { SubjectOutput($0.facts) }
    permissions = entries.map(Permission.init)
  }
}
