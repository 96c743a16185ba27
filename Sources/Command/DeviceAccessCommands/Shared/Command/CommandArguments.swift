internal import AccessModel

/// The arguments of a command, separated but not yet interpreted.
struct CommandArguments {
  let declaration: CommandDeclaration
  let parsed: ParsedArguments
  let operands: [String]
  /// The program after `--`, with its arguments, if the command takes one.
  let program: [String]
  /// A closure that checks whether a file exists.
  let fileExists: (String) -> Bool

  func contains(_ name: OptionName) -> Bool { parsed.contains(name) }

  /// Returns the value of an option; if it is given more than once, the last value counts.
  func value(_ name: OptionName) -> String? { parsed.value(name) }

  /// Returns the subject whose access is in question.
  ///
  /// - Throws: ``UsageError``.
  func subject() throws(UsageError) -> SubjectOptions {
    try SubjectOptions(parsed, declaration.name)
  }

  /// Creates a usage error that points to the help of the command.
  func error(_ problem: String) -> UsageError {
    UsageError(problem, command: declaration.name)
  }

  /// The operands and options of the command, quoted for a shell.
  var commandLine: String {
    let options = parsed.options.map { name, value in
      "--\(name.rawValue)" + (value.map { "=\($0)" } ?? "")
    }
    return (operands + options).map(\.shellQuoted).joined(separator: " ")
  }

  /// Checks that the command declares all given options, and that they can be used together.
  ///
  /// - Throws: ``UsageError``.
  func checkOptions() throws(UsageError) {
    let own = declaration.options + OptionName.common
    if let (name, _) = parsed.options.first(where: { !own.contains($0.name) }) {
      let hint = name == .timeout && own.contains(.wait) ? "; --wait=SECONDS limits the wait" : ""
      let typed = name.typed(parsed.letters.contains(name))
      throw error("'\(declaration.name.rawValue)' has no option \(typed)\(hint)")
    }
    if declaration.takesProgram, parsed.countAfterMark == 0 {
      throw error("-- must be followed by the COMMAND to run")
    }
    if contains(.force), declaration.options.contains(.probe), !contains(.probe) {
      throw error("--force requires --probe")
    }
    if contains(.probe), try subject() != SubjectOptions() {
      throw error("--probe opens devices as this process, so it cannot be used for another subject")
    }
  }

  /// Checks that there are not more operands than the command accepts.
  ///
  /// - Throws: ``UsageError``.
  func checkOperands() throws(UsageError) {
    let most =
      switch declaration.operand {
      case .none: 0
      case .kindsOrPaths, .devicesOrPaths, .optionalKinds, .optionalKindsOrPaths: Int.max
      default: 1
      }
    if operands.count > most {
      let word = Escaped(operands[most], limit: 80)
      let readsFile = declaration.operand == .none && declaration.options.contains(.from)
      let hint = readsFile ? "; to read a file, use '--from \(word)'" : ""
      throw error("unexpected argument '\(word)'\(hint)")
    }
  }
}

/// The source of the facts for an answer.
enum AnswerSource: Equatable, Sendable {
  case machine(Question)
  /// The snapshots in a file, or on standard input for `-`.
  ///
  /// `wanted` and `purpose` replace the request of each snapshot. Only answers about the targets
  /// are shown; without targets, all are.
  case file(
    String, wanted: Permissions?, purpose: Question.Purpose = .use,
    about: [Question.Target] = [])
  /// The built-in example snapshot.
  case example
}

extension CommandArguments {
  /// Returns the source of the facts: this machine, a snapshot or the example.
  ///
  /// - Throws: ``UsageError``.
  func source() throws(UsageError) -> AnswerSource {
    let others = [OptionName.from, .example].filter(parsed.contains)
    guard let other = others.first else { return .machine(try questions()[0]) }
    if let name = OptionName.subjectOptions.first(where: parsed.contains) {
      throw error(
        "--\(name.rawValue) cannot be used with --\(other.rawValue): "
          + "the snapshot already names the subject")
    }
    guard others.count == 1 else { throw exclusion(.from, .example) }
    if other == .example {
      if let word = operands.first {
        throw error(
          "unexpected argument '\(Escaped(word, limit: 80))': "
            + "--example contains the question")
      }
      if let option = (OptionName.accessOptions + [.probe]).first(where: parsed.contains) {
        throw error("--example takes no --\(option.rawValue)")
      }
      return .example
    }
    if parsed.contains(.probe) {
      throw error("--probe opens devices of this machine; it cannot be used with a snapshot")
    }
    // A word without a slash must name a kind, because local files do not matter for a snapshot.
    let targets = try operands.map { (word) throws(UsageError) in
      let target = try OperandReader.target(word, for: declaration.name) { _ in false }
      if case .kind(let kind) = target { try checkAccess(to: kind, try purpose()) }
      return target
    }
    return .file(
      parsed.value(.from) ?? "-", wanted: wanted, purpose: try purpose(), about: targets)
  }

  /// Returns the questions about this machine, one for each operand.
  ///
  /// - Throws: ``UsageError``, also if there are no operands.
  func questions() throws(UsageError) -> [Question] {
    guard !operands.isEmpty else {
      throw error(
        "specify a kind or path, for example: 'devaccess \(declaration.name.rawValue) camera'")
    }
    return try operands.map { (word) throws(UsageError) in try question(about: word) }
  }

  private func question(about word: String) throws(UsageError) -> Question {
    let purpose = try purpose()
    // A file that is to be created need not exist.
    let target = try OperandReader.target(word, for: declaration.name) {
      purpose == .create || fileExists($0)
    }
    var wanted = wanted
    if case .kind(let kind) = target {
      try checkAccess(to: kind, purpose)
      // To read or write files below a directory, a program also needs search permission on it.
      if kind.subsystem == nil, wanted != nil { wanted?.insert(.search) }
    }
    let subject = try subject()
    return Question(
      target, wanted: wanted, purpose: purpose, subject: subject.selector,
      variation: subject.variation)
  }

  private func checkAccess(
    to kind: DeviceKind, _ purpose: Question.Purpose
  ) throws(UsageError) {
    let noun = kind.subsystem == nil ? "directory" : "device"
    let forFiles = [OptionName.append, .execute].first(where: parsed.contains)
    if let option = forFiles {
      throw error("--\(option.rawValue) is for files, and \(kind.name) is a \(noun)")
    }
    let forDirectories = [OptionName.list, .create].first(where: parsed.contains)
    if let option = forDirectories, kind.subsystem != nil {
      throw error(
        "--\(option.rawValue) is for directories and files, and \(kind.name) is a \(noun)")
    }
  }

  /// Returns the purpose that the options name.
  private func purpose() throws(UsageError) -> Question.Purpose {
    let purposes: [(OptionName, Question.Purpose)] = [
      (.list, .list), (.create, .create), (.append, .append),
    ]
    let given = purposes.filter { parsed.contains($0.0) }
    guard let (name, purpose) = given.first else {
      return parsed.contains(.search) ? .search : .use
    }
    // Appending includes writing, and a file can be opened for both reading and appending.
    let others: [OptionName] =
      purpose == .append ? [.search, .execute] : [.read, .write, .search, .execute]
    if let other = (given.dropFirst().map(\.0) + others.filter(parsed.contains)).first {
      throw exclusion(name, other)
    }
    return purpose
  }

  /// The access that the options name; `nil` without such an option.
  private var wanted: Permissions? {
    var wanted: Permissions = []
    if parsed.contains(.read) { wanted.insert(.read) }
    if parsed.contains(.write) || parsed.contains(.append) { wanted.insert(.write) }
    if parsed.contains(.search) { wanted.insert(.search) }
    if parsed.contains(.execute) { wanted.insert(.execute) }
    return wanted.isEmpty ? nil : wanted
  }

  private func exclusion(_ one: OptionName, _ other: OptionName) -> UsageError {
    error("--\(one.rawValue) and --\(other.rawValue) cannot be used together")
  }
}

extension CommandArguments {
  /// The kinds of device whose users are shown by default.
  static let usualDevices = [DeviceKind.camera, .microphone].map { Question.Target.kind($0) }

  /// Returns the devices that the operands name, without duplicates; empty without operands.
  ///
  /// - Throws: ``UsageError``.
  func devices() throws(UsageError) -> [Question.Target] {
    var seen: Set<Question.Target> = []
    return try operands.map { (word) throws(UsageError) in
      let target = try OperandReader.target(word, for: declaration.name, fileExists: fileExists)
      guard case .kind = target else { return target }
      return .kind(try OperandReader.device(word, for: declaration.name))
    }
    .filter { seen.insert($0).inserted }
  }
}
