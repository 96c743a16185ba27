internal import AccessModel
internal import DevicePermissions
internal import JSONText

/// `devaccess snapshot`: one document, or for several questions a stream of them, one a line.
struct SnapshotCommand {
  let questions: [Question]
  var redacts = false
  /// The file; `nil` for standard output.
  var output: String?
  var probes = false
}

extension SnapshotCommand: Command {
  static let declaration = CommandDeclaration(
    name: .snapshot,
    summary: "save everything that an answer depends on",
    operand: .kindsOrPaths,
    options: OptionName.accessOptions + OptionName.subjectOptions
      + [.probe, .redact, .output, .json],
    details: """
      With several kinds or paths, writes a stream of snapshots for --from, one per line. A \
      snapshot contains names of users, groups and devices. Read it before you send it, or use \
      --redact.
      """,
    examples: [
      ("devaccess snapshot camera -o snapshot.json", "to send to somebody"),
      ("devaccess snapshot camera microphone -o all.jsonl", "a stream, one per line"),
      ("devaccess snapshot album --redact", "to publish"),
    ])

  init(_ arguments: CommandArguments) throws(UsageError) {
    questions = try arguments.questions()
    redacts = arguments.contains(.redact)
    output = arguments.value(.output)
    probes = arguments.contains(.probe)
  }

  func run(_ run: CommandRun) async throws -> ExitStatus {
    for (index, question) in questions.enumerated() {
      var question = question
      question.rules = .all
      try await write(question, line: questions.count > 1 ? index : nil, run)
    }
    return .allowed
  }

  private func write(_ question: Question, line: Int?, _ run: CommandRun) async throws {
    var facts = await run.observingUse(in: try await run.observe(question))
    if probes { facts = await run.probed(facts, isList: false) }
    if redacts {
      guard let redacted = facts.redacted() else {
        throw CommandFailure(
          "cannot redact: the answer depends on a name that --redact would replace",
          .undetermined)
      }
      facts = redacted
    }
    guard let output, output != "-" else {
      if run.json {
        _ = try run.show(json: SnapshotOutput(snapshot: facts, file: nil))
      } else {
        let layout: JSONWriter.Layout = line == nil ? .indented : .compact
        _ = try run.show(JSONWriter.encode(facts, layout: layout) + "\n")
      }
      return
    }
    try SnapshotFile.write(facts, to: output, line: line)
    if run.json { _ = try run.show(json: SnapshotOutput(snapshot: nil, file: output)) }
  }
}
