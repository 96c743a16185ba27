internal import AccessModel

/// A command line that was understood.
struct Invocation: Equatable, Sendable {
  /// What is to be done.
  enum Task: Equatable, Sendable {
    case help(Command?)
    case version
    case status(SubjectWords)
    /// A kind, or every kind.
    case list(DeviceKind?, probe: Bool, SubjectWords)
    case check(Source, Patience?, quiet: Bool)
    case explain(Source)
    case snapshot(Question, redact: Bool, output: String?)
    case decide(input: String)
    case completion(Shell)
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
  /// The questions after the first one, for a stream of snapshots.
  var furtherQuestions: [Question] = []
  var json = false
  /// Whether everything is shown, and not only what matters most.
  var isVerbose = false
  /// Whether the object is opened once.
  var probes = false
  /// Whose words the way into a container is told in.
  var container: ContainerEngine?
  var color = Style.ColorChoice.auto
}

extension Invocation {
  /// Understands the arguments that follow the program's name.
  ///
  /// - Parameters:
  ///   - arguments: The arguments.
  ///   - fileExists: Whether there is a file of a name; tells a name from a mistyped kind.
  /// - Throws: ``UsageError``.
  init(
    _ arguments: [String], fileExists: @escaping (String) -> Bool = FileName.exists
  ) throws(UsageError) {
    let parsed = try OptionParser.parse(arguments)
    var operands = parsed.operands[...]
    let command = try operands.popFirst().map { (word) throws(UsageError) in
      try Self.command(word)
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
    let reader = InvocationReader(
      command: command ?? .status, parsed: parsed, operands: Array(operands),
      fileExists: fileExists)
    task = try reader.task()
    furtherQuestions = try reader.furtherQuestions()
    container = try reader.container()
    json = parsed.contains(.json)
    isVerbose = parsed.contains(.verbose)
    probes = parsed.contains(.probe)
  }

  /// The command of a name.
  ///
  /// - Throws: ``UsageError`` for any other word, with what was probably meant.
  static func command(_ word: String) throws(UsageError) -> Command {
    if let command = Command(rawValue: word) { return command }
    let names = Command.allCases.map(\.rawValue)
    let shown = Escaped(word, limit: 80)
    if DeviceKind.named(word) != nil || word.utf8.contains(UInt8(ascii: "/")) {
      throw UsageError("unknown command '\(shown)'; did you mean 'devaccess check \(shown)'?")
    }
    if let near = Suggestion.nearest(to: word, in: names) {
      throw UsageError("unknown command '\(shown)'; did you mean '\(near)'?")
    }
    throw UsageError(
      "unknown command '\(shown)'; the commands are \(names.joined(separator: ", "))")
  }
}
