internal import AccessModel
internal import DevicePermissions

/// The `devaccess status` command.
struct StatusCommand {
  /// The kinds whose status to show.
  var kinds = StatusCommand.usualKinds
  var subject = SubjectOptions()
}

extension StatusCommand: Command {
  static let declaration = CommandDeclaration(
    name: .status,
    summary: "show permission status",
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

  func run(_ run: CommandRun) async throws -> ExitStatus {
    var entries: [StatusEntry] = []
    for kind in kinds { entries.append(try await entry(kind, run)) }
    let isWhole = entries.allSatisfy { $0.known.map { $0.explanation.status != .unknown } ?? false }
    let status = isWhole ? ExitStatus.allowed : .undetermined
    if run.json { return try run.show(json: StatusOutput(entries, status), status) }
    let text = StatusText(entries: entries, subject: subject, style: run.style).text
    return try run.show(text, status)
  }

  /// Returns the status of one kind; if the observation fails, the other kinds are still shown.
  private func entry(_ kind: DeviceKind, _ run: CommandRun) async throws -> StatusEntry {
    var question = Question(.kind(kind), subject: subject.selector, variation: subject.variation)
    question.names = .few
    do throws(CommandFailure) {
      let facts = run.observingUse(inAllowed: try await run.observe(question))
      return StatusEntry(kind: kind, known: AnsweredFacts(facts))
    } catch {
      guard error.status == .undetermined else { throw error }
      return StatusEntry(kind: kind, failure: error)
    }
  }
}
