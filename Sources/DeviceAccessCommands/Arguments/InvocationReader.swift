internal import AccessModel

/// Understands what follows the name of a command.
struct InvocationReader {
  let command: Command
  let parsed: ParsedArguments
  let operands: [String]
  let fileExists: (String) -> Bool

  /// What is to be done.
  ///
  /// - Throws: ``UsageError``.
  func task() throws(UsageError) -> Invocation.Task {
    try checkOptions()
    try checkOperands()
    switch command {
    case .status:
      return .status(try SubjectWords(parsed, command))
    case .list:
      let kind = try operands.first.map { (word) throws(UsageError) in
        try QuestionWord.kind(of: word, for: .list)
      }
      return .list(kind, probe: parsed.contains(.probe), try SubjectWords(parsed, command))
    case .check:
      let source = try source()
      return .check(source, try patience(source), quiet: parsed.contains(.quiet))
    case .explain:
      return .explain(try source())
    case .snapshot:
      return .snapshot(
        try question(), redact: parsed.contains(.redact), output: parsed.value(.output))
    case .decide:
      return .decide(input: parsed.value(.from) ?? "-")
    case .completion:
      return .completion(try shell())
    case .help:
      return .help(
        try operands.first.map { (word) throws(UsageError) in try Invocation.command(word) })
    }
  }

  private func checkOptions() throws(UsageError) {
    let own = command.options + Command.commonOptions
    if let (name, _) = parsed.options.first(where: { !own.contains($0.name) }) {
      throw error("'\(command.rawValue)' has no option '--\(name.rawValue)'")
    }
    if parsed.contains(.probe), try SubjectWords(parsed, command) != SubjectWords() {
      throw error("--probe opens devices as this process; it cannot answer for another subject")
    }
  }

  private func checkOperands() throws(UsageError) {
    if parsed.contains(.wait), parsed.value(.wait) == nil,
      let number = operands.first(where: Patience.isNumber),
      operands.count > 1 || operands == [number],
      !fileExists(number)
    {
      throw error("write --wait=\(Escaped(number, limit: 80)): the number follows '=' directly")
    }
    let most =
      switch command.operand {
      case .none: 0
      case .kindsOrPaths: Int.max
      default: 1
      }
    if operands.count > most {
      throw error("unexpected argument '\(Escaped(operands[most], limit: 80))'")
    }
  }

  private func shell() throws(UsageError) -> Shell {
    let list = "bash, zsh or fish"
    guard let word = operands.first else { throw error("say which shell: \(list)") }
    guard let shell = Shell(rawValue: word) else {
      throw error("no completions for '\(Escaped(word, limit: 80))': the shells are \(list)")
    }
    return shell
  }

  private func patience(_ source: Invocation.Source) throws(UsageError) -> Patience? {
    guard parsed.contains(.wait) else { return nil }
    guard !parsed.contains(.probe) else {
      throw error("--probe opens the device once; it cannot be used with --wait")
    }
    guard case .machine = source else {
      throw error("--wait cannot be used with a snapshot, which never changes")
    }
    return try Patience(parsed.value(.wait))
  }

  /// The engine of `--container`.
  ///
  /// - Throws: ``UsageError`` for any other word.
  func container() throws(UsageError) -> ContainerEngine? {
    guard let word = parsed.value(.container) else { return nil }
    guard let engine = ContainerEngine(rawValue: word) else {
      let list = ContainerEngine.allCases.map(\.rawValue).joined(separator: ", ")
      throw error("--container takes \(list), not '\(Escaped(word, limit: 80))'")
    }
    return engine
  }

  /// A usage error that points to the help of the command.
  func error(_ problem: String) -> UsageError {
    UsageError(problem, command: command)
  }
}
