internal import AccessModel
internal import DevicePermissions
internal import LegoKit
internal import LinuxDevices

/// The `devaccess` command, independent of the process that it runs in.
///
/// The program uses the services of the calling task (`Contractors` of LegoKit), so tests can run
/// it on simulated machines.
public struct DeviceAccessProgram: Sendable {
  /// The version that `--version` prints.
  public static let version = "0.9.0"

  /// The environment variables that the output depends on.
  public static let environmentNames = [
    "NO_COLOR", "TERM", "COLUMNS", "LC_ALL", "LC_CTYPE", "LANG",
  ]

  private let environment: [String: String]
  private let streams: StandardStreams
  private let ending: ProgramEnding?
  private let programPath: String?

  /// Creates a program.
  ///
  /// - Parameters:
  ///   - environment: The environment; it must contain those of the ``environmentNames`` that are
  ///     set.
  ///   - input: The file descriptor of standard input, which the program does not close.
  ///   - output: The sink for answers.
  ///   - errors: The sink for error messages, one per line.
  ///   - ending: Returns a stream that yields when the command should end. It is called only by
  ///     commands that do not end by themselves.
  ///   - programPath: The absolute path of the program, which timers and udev rules run; `nil` if
  ///     they cannot run it.
  public init(
    environment: [String: String], input: Int32 = 0, output: any TextSink, errors: any TextSink,
    ending: ProgramEnding? = nil, programPath: String? = nil
  ) {
    self.environment = environment
    let style = Style(choice: .never, environment: environment, isTerminal: errors.isTerminal)
    streams = StandardStreams(
      input: input, output: output, errors: errors, showsUnicode: style.unicode)
    self.ending = ending
    self.programPath = programPath
  }

  /// Runs one command line.
  ///
  /// The call may block while it reads files, queries logind or writes output. It needs no
  /// privileges.
  ///
  /// - Parameter arguments: The arguments after the program's name.
  /// - Returns: The exit status of the process.
  public func run(_ arguments: [String]) async -> ExitStatus {
    let invocation: Invocation
    do {
      invocation = try Invocation(arguments)
    } catch {
      streams.report(error.description)
      return .usage
    }
    let style = Style(
      choice: invocation.color, environment: environment, isTerminal: streams.output.isTerminal,
      columns: streams.output.columns)
    // Diagnostics go to standard error, so they do not mix with answers.
    return await withContractors {
      $0.problemSink = LogSink { streams.report($0) }
      if let programPath { $0.grants.program = programPath }
    } operation: {
      await perform(invocation.action, json: invocation.json, style)
    }
  }

  private func perform(
    _ action: Invocation.Action, json: Bool, _ style: Style
  ) async -> ExitStatus {
    switch action {
    case .run(let command):
      let context = context(of: command.name, json: json, style)
      return await context.reportingErrors { try await command.run(context) }
    case .showVersion:
      let context = context(of: nil, json: json, style)
      return await context.reportingErrors { try context.show("devaccess \(Self.version)\n") }
    }
  }

  private func context(of command: CommandName?, json: Bool, _ style: Style) -> CommandRun {
    CommandRun(
      of: command, among: { CommandName.declarations }, json: json, style: style,
      streams: streams, ending: ending)
  }
}

/// A valid command line.
struct Invocation: Sendable {
  /// The action that the command line requests.
  enum Action: Sendable {
    case run(any Command)
    case showVersion
  }

  var action: Action
  var json = false
  var color = Style.ColorChoice.auto

  /// Parses the arguments that follow the program's name.
  ///
  /// - Parameters:
  ///   - arguments: The arguments.
  ///   - fileExists: Returns whether a file exists, to distinguish file names from mistyped kinds.
  /// - Throws: ``UsageError``.
  init(
    _ arguments: [String], fileExists: @escaping (String) -> Bool = FileName.exists
  ) throws(UsageError) {
    let parsed = try OptionParser.parse(arguments)
    var operands = parsed.operands[...]
    let name = try operands.popFirst().map { (word) throws(UsageError) in
      try CommandName(typed: word)
    }
    if let word = parsed.value(.color) {
      guard let choice = Style.ColorChoice(rawValue: word) else {
        throw UsageError("--color takes auto, always or never, not '\(Escaped(word, limit: 80))'")
      }
      color = choice
    }
    if parsed.contains(.help) {
      action = .run(HelpCommand(subject: name))
      return
    }
    if parsed.contains(.version) {
      action = .showVersion
      return
    }
    let command = (name ?? .status).command
    let countAfterMark = command.declaration.takesProgram ? parsed.countAfterMark : nil
    let count = min(countAfterMark ?? 0, operands.count)
    let given = CommandArguments(
      declaration: command.declaration, parsed: parsed, operands: Array(operands.dropLast(count)),
      program: Array(operands.suffix(count)), fileExists: fileExists)
    try given.checkOptions()
    try command.check(given)
    try given.checkOperands()
    action = .run(try command.init(given))
    json = parsed.contains(.json) && !parsed.contains(.quiet)
  }
}

extension CommandName {
  /// The type that implements the command.
  var command: any Command.Type {
    switch self {
    case .status: StatusCommand.self
    case .list: ListCommand.self
    case .check: CheckCommand.self
    case .explain: ExplainCommand.self
    case .rules: RulesCommand.self
    case .users: UsersCommand.self
    case .watch: WatchCommand.self
    case .top: TopCommand.self
    case .request: RequestCommand.self
    case .grant: GrantCommand.self
    case .revoke: RevokeCommand.self
    case .grants: GrantsCommand.self
    case .snapshot: SnapshotCommand.self
    case .decide: DecideCommand.self
    case .completion: CompletionCommand.self
    case .help: HelpCommand.self
    }
  }

  /// The declarations of all commands, in the order of the help.
  static var declarations: [CommandDeclaration] {
    // With a key path into the metatype, the compiler crashes.
    allCases.map { name in name.command.declaration }
  }
}
