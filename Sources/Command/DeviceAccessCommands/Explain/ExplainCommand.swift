internal import AccessModel
internal import DevicePermissions

/// The `devaccess explain` command.
struct ExplainCommand {
  let source: AnswerSource
  /// The container engine to print options for.
  var engine: ContainerEngine?
  /// A Boolean value that indicates whether to show all details.
  var isVerbose = false
  var probing = Probing.none
}

extension ExplainCommand: Command {
  static let declaration = CommandDeclaration(
    name: .explain,
    summary: "show why access is allowed or refused, and how to change it",
    operand: .kindOrPath,
    options: [.verbose] + OptionName.accessOptions + OptionName.subjectOptions
      + [.probe, .force, .container, .from, .example, .json],
    details: """
      An arrow marks the entry that determined the answer. The cause and the best fix follow. ENGINE is docker, \
      podman, systemd or kubernetes.
      """,
    examples: [
      ("devaccess explain camera", "explain the answer on this machine"),
      ("devaccess explain camera --unit motion", "explain it for a systemd service"),
      ("devaccess explain camera --groups=+video", "explain it as if you were in the group"),
      ("devaccess explain camera --container=docker", "add the options for docker run"),
      ("devaccess explain --from snapshot.json", "explain a snapshot of another machine"),
    ])

  init(_ arguments: CommandArguments) throws(UsageError) {
    source = try arguments.source()
    engine = try Self.engine(arguments)
    isVerbose = arguments.contains(.verbose)
    probing = Probing(arguments)
  }

  private static func engine(_ arguments: CommandArguments) throws(UsageError) -> ContainerEngine? {
    guard let word = arguments.value(.container) else { return nil }
    guard let engine = ContainerEngine(rawValue: word) else {
      let list = ContainerEngine.allCases.map(\.rawValue).listed(with: "or")
      throw arguments.error("--container takes \(list), not '\(Escaped(word, limit: 80))'")
    }
    return engine
  }

  func run(_ context: CommandRun) async throws -> ExitStatus {
    var source = source
    if case .machine(var question) = source {
      question.rules = .whenRefused
      source = .machine(question)
    }
    return try await context.showAnswers(
      from: source, probing: probing, names: isVerbose || context.json ? .all : .few
    ) { answer, index in
      try show(answer, isFirst: index == 0, context)
    }
  }

  private func show(
    _ answer: AnsweredFacts, isFirst: Bool, _ context: CommandRun
  ) throws -> ExitStatus {
    let status = ExitStatus(answer.explanation.answer)
    if context.json {
      return try context.show(json: ExplainOutput(answer: answer, engine: engine), status)
    }
    // A typed path may be wrong, but a snapshot was made to be explained.
    if case .machine = source { try answer.throwIfPathIsMissing(showsFixes: true) }
    let text = ExplanationText(
      explanation: answer.explanation, facts: answer.facts, style: context.style,
      isVerbose: isVerbose, engine: engine
    ).text
    return try context.show((isFirst ? "" : "\n") + text, status)
  }
}
