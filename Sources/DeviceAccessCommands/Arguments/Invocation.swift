internal import AccessModel

/// A command line that was understood.
struct Invocation: Equatable, Sendable {
  /// What is to be done.
  enum Task: Equatable, Sendable {
    case help(Command?)
    case version
    case status(SubjectWords)
    case list(DeviceKind, probe: Bool, SubjectWords)
    case check(Source, Patience?, quiet: Bool)
    case explain(Source)
    case snapshot(Question, redact: Bool, output: String?)
    case decide(input: String)
    case completion
  }

  /// Where the facts of an answer come from.
  enum Source: Equatable, Sendable {
    case machine(Question)
    /// A snapshot in a file, or on standard input for `-`; `wanted` replaces its request.
    case file(String, wanted: Permissions?, purpose: Question.Purpose = .use)
    /// The snapshot that is built in.
    case example
  }

  var task: Task
  /// What a stream of snapshots is asked about beside the first question.
  var furtherQuestions: [Question] = []
  var json = false
  /// Whether the object is opened once.
  var probes = false
  /// Whose words the way into a container is told in.
  var container: ContainerEngine?
  var color = Style.ColorChoice.auto
}

extension Invocation {
  /// Understands the arguments that follow the program's name.
  ///
  /// - Throws: ``UsageError``.
  init(_ arguments: [String]) throws(UsageError) {
    let parsed = try OptionParser.parse(arguments)
    var operands = parsed.operands[...]
    var command: Command?
    if let word = operands.popFirst() {
      guard let known = Command(rawValue: word) else {
        let list = Command.allCases.map(\.rawValue).joined(separator: ", ")
        throw UsageError("unknown command '\(Escaped(word, limit: 80))': use \(list)")
      }
      command = known
    }
    if command == .snapshot, operands.count > 1 {
      furtherQuestions = try operands.dropFirst().map { (word) throws(UsageError) in
        try Self.question(.snapshot, parsed, [word])
      }
      operands = operands.prefix(1)
    }
    if let word = parsed.value(.color) {
      guard let choice = Style.ColorChoice(rawValue: word) else {
        throw UsageError("--color takes auto, always or never, not '\(Escaped(word, limit: 80))'")
      }
      color = choice
    }
    if parsed.contains(.help) {
      task = .help(command)
      return
    }
    if parsed.contains(.version) {
      task = .version
      return
    }
    json = parsed.contains(.json)
    probes = parsed.contains(.probe)
    container = try Self.container(parsed)
    task = try Self.task(command ?? .status, parsed, Array(operands))
  }

  private static func task(
    _ command: Command, _ parsed: ParsedArguments, _ operands: [String]
  ) throws(UsageError) -> Task {
    for (name, _) in parsed.options
    where !command.options.contains(name) && !Command.commonOptions.contains(name) {
      throw UsageError("'\(command.rawValue)' has no option '--\(name.rawValue)'", command: command)
    }
    let most = command.operand == .none ? 0 : 1
    if operands.count > most {
      throw UsageError(
        "unexpected argument '\(Escaped(operands[most], limit: 80))'", command: command)
    }
    if parsed.contains(.probe), try SubjectWords(parsed, command) != SubjectWords() {
      throw UsageError(
        "--probe opens devices as this process and goes with no other subject", command: command)
    }
    switch command {
    case .status:
      return .status(try SubjectWords(parsed, command))
    case .list:
      let kind = try operands.first.map { (word) throws(UsageError) in
        try QuestionWord.kind(of: word, for: .list)
      }
      let subject = try SubjectWords(parsed, command)
      return .list(kind ?? .camera, probe: parsed.contains(.probe), subject)
    case .check:
      let source = try source(command, parsed, operands)
      return .check(source, try patience(parsed, source), quiet: parsed.contains(.quiet))
    case .explain:
      return .explain(try source(command, parsed, operands))
    case .snapshot:
      return .snapshot(
        try question(command, parsed, operands), redact: parsed.contains(.redact),
        output: parsed.value(.output))
    case .decide:
      return .decide(input: parsed.value(.from) ?? "-")
    case .completion:
      guard operands == ["bash"] else {
        throw UsageError("name the shell: bash is the only one known", command: command)
      }
      return .completion
    }
  }

  private static func patience(
    _ parsed: ParsedArguments, _ source: Source
  ) throws(UsageError) -> Patience? {
    guard parsed.contains(.wait) else { return nil }
    guard !parsed.contains(.probe) else {
      throw UsageError("--probe opens once and does not go with --wait", command: .check)
    }
    guard case .machine = source else {
      throw UsageError("--wait waits for this machine; a snapshot never changes", command: .check)
    }
    return try Patience(parsed.value(.wait))
  }

  private static func source(
    _ command: Command, _ parsed: ParsedArguments, _ operands: [String]
  ) throws(UsageError) -> Source {
    let others = [OptionName.from, .example].filter(parsed.contains)
    guard let other = others.first else {
      return .machine(try question(command, parsed, operands))
    }
    if let name = Command.subjectOptions.first(where: parsed.contains) {
      throw UsageError(
        "--\(name.rawValue) does not go with --\(other.rawValue): the snapshot has its subject",
        command: command)
    }
    guard others.count == 1 else {
      throw UsageError("--from and --example exclude each other", command: command)
    }
    if let word = operands.first {
      throw UsageError(
        "unexpected argument '\(Escaped(word, limit: 80))': "
          + "with --\(other.rawValue) the snapshot holds the question",
        command: command)
    }
    if other == .example {
      let asked = [OptionName.read, .write, .search, .list, .create, .probe]
      if let option = asked.first(where: parsed.contains) {
        throw UsageError("--example takes no --\(option.rawValue)", command: command)
      }
      return .example
    }
    if parsed.contains(.probe) {
      throw UsageError("--probe is for this machine, not for a snapshot", command: command)
    }
    return .file(
      parsed.value(.from) ?? "-", wanted: wanted(parsed), purpose: try purpose(command, parsed))
  }

  private static func question(
    _ command: Command, _ parsed: ParsedArguments, _ operands: [String]
  ) throws(UsageError) -> Question {
    guard let word = operands.first else {
      throw UsageError(
        "say which kind or path to \(command.rawValue), such as "
          + "'devaccess \(command.rawValue) camera'",
        command: command)
    }
    let target = try QuestionWord.target(of: word, for: command)
    var wanted = wanted(parsed)
    // Reading or writing files below a directory takes search permission on it as well.
    if target == .kind(.album), wanted != nil { wanted?.insert(.search) }
    let purpose = try purpose(command, parsed)
    if purpose != .use, case .kind(let kind) = target, kind.subsystem != nil {
      throw UsageError(
        "--\(purpose == .list ? "list" : "create") is for directories and files, and \(kind.name) "
          + "is a device", command: command)
    }
    let subject = try SubjectWords(parsed, command)
    return Question(
      target, wanted: wanted, purpose: purpose, subject: subject.selector,
      variation: subject.variation)
  }

  private static func purpose(
    _ command: Command, _ parsed: ParsedArguments
  ) throws(UsageError) -> Question.Purpose {
    let purposes = [OptionName.list, .create].filter(parsed.contains)
    guard let name = purposes.first else { return .use }
    let others = [OptionName.read, .write, .search].filter(parsed.contains)
    if let other = (purposes.dropFirst() + others).first {
      throw UsageError(
        "--\(name.rawValue) and --\(other.rawValue) exclude each other", command: command)
    }
    return name == .list ? .list : .create
  }

  private static func container(
    _ parsed: ParsedArguments
  ) throws(UsageError) -> ContainerEngine? {
    guard let word = parsed.value(.container) else { return nil }
    guard let engine = ContainerEngine(rawValue: word) else {
      let list = ContainerEngine.allCases.map(\.rawValue).joined(separator: ", ")
      throw UsageError("--container takes \(list), not '\(Escaped(word, limit: 80))'")
    }
    return engine
  }

  private static func wanted(_ parsed: ParsedArguments) -> Permissions? {
    var wanted: Permissions = []
    if parsed.contains(.read) { wanted.insert(.read) }
    if parsed.contains(.write) { wanted.insert(.write) }
    if parsed.contains(.search) { wanted.insert(.search) }
    return wanted.isEmpty ? nil : wanted
  }
}
