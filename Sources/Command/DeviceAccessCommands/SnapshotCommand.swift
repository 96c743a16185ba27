internal import AccessModel
internal import DevicePermissions
internal import JSONText
internal import LegoKit
internal import LinuxDevices

/// The `devaccess snapshot` command, which writes one document, or one per line for several
/// questions.
struct SnapshotCommand {
  let questions: [Question]
  var redacts = false
  /// The output file; `nil` for standard output.
  var output: String?
  var probing = Probing.none
}

extension SnapshotCommand: Command {
  static let declaration = CommandDeclaration(
    name: .snapshot,
    summary: "save everything that an answer depends on",
    operand: .kindsOrPaths,
    options: OptionName.accessOptions + OptionName.subjectOptions
      + [.probe, .force, .redact, .output, .json],
    details: """
      With several kinds or paths, writes one snapshot on each line. A snapshot contains names of users, \
      groups and devices: read it before you send it, or use --redact.
      """,
    examples: [
      ("devaccess snapshot camera -o snapshot.json", "save a snapshot for a bug report"),
      ("devaccess snapshot camera microphone -o all.jsonl", "save one snapshot per line"),
      ("devaccess snapshot album --redact", "print a snapshot without personal data"),
    ])

  init(_ arguments: CommandArguments) throws(UsageError) {
    questions = try arguments.questions()
    redacts = arguments.contains(.redact)
    output = arguments.value(.output)
    probing = Probing(arguments)
  }

  func run(_ context: CommandRun) async throws -> ExitStatus {
    // Write the file only after every observation has succeeded, so a failure preserves its
    // contents.
    var text = ""
    let layout: JSONWriter.Layout = questions.count > 1 ? .compact : .indented
    for question in questions {
      let facts = try await facts(for: question, context)
      if file == nil, context.json {
        _ = try context.show(json: SnapshotOutput(snapshot: facts, file: nil))
      } else {
        let line = try JSONWriter.encode(facts, layout: layout) + "\n"
        if file == nil { _ = try context.show(line) } else { text += line }
      }
    }
    if let file {
      try SnapshotFile.write(text, to: file)
      if context.json { _ = try context.show(json: SnapshotOutput(snapshot: nil, file: file)) }
    }
    return .allowed
  }

  private var file: String? { output == "-" ? nil : output }

  private func facts(for question: Question, _ context: CommandRun) async throws -> AccessFacts {
    var question = question
    question.rules = .all
    let devices = Contractors().devices
    var facts = devices.machine.observingUse(in: try await devices.facts(for: question))
    if probing.isOn {
      facts = context.probed(
        facts, isList: false, isAllowed: facts.answer == .allowed, probing)
    }
    guard redacts else { return facts }
    guard let redacted = facts.redacted() else {
      throw CommandFailure(
        "cannot redact: the answer depends on a name that --redact replaces",
        .undetermined)
    }
    return redacted
  }
}

/// The JSON object of `devaccess snapshot --json`.
struct SnapshotOutput: Encodable {
  let schema = Schema.name
  let command = CommandName.snapshot
  let exitStatus = ExitStatus.allowed.rawValue
  /// The snapshot; `nil` if it was written to a file.
  let snapshot: AccessFacts?
  /// The path of the file that contains the snapshot; `nil` for standard output.
  let file: String?

  private enum CodingKeys: String, CodingKey {
    case schema, command
    case exitStatus = "exit_status"
    case snapshot, file
  }
}
