internal import AccessModel

/// The `devaccess help` command, which also implements the option `--help` of every command.
struct HelpCommand {
  /// The command to describe; `nil` for the general help.
  let subject: CommandName?
  /// The cause to describe instead of a command.
  var cause: CauseCode?
}

extension HelpCommand: Command {
  static let declaration = CommandDeclaration(
    name: .help,
    summary: "describe a command or a cause code",
    operand: .optionalTopic,
    details: """
      Without COMMAND, shows the general help. A cause has a code such as GROUP_NOT_MEMBER, which \
      explain prints.
      """,
    examples: [
      ("devaccess help explain", "describe a command"),
      ("devaccess help GROUP_NOT_MEMBER", "describe a cause"),
    ])

  init(_ arguments: CommandArguments) throws(UsageError) {
    guard let word = arguments.operands.first else {
      subject = nil
      return
    }
    cause = CauseCode(rawValue: word.uppercased())
    subject = cause == nil ? try Self.command(word) : nil
  }

  private static func command(_ word: String) throws(UsageError) -> CommandName {
    if let name = CommandName(rawValue: word) { return name }
    let shown = Escaped(word, limit: 80)
    // Compare in lowercase.
    let near =
      Suggestion.nearest(to: word, in: CommandName.allCases.map(\.rawValue))
      ?? Suggestion.nearest(to: word, in: CauseCode.allCases.map { $0.rawValue.lowercased() })?
      .uppercased()
    throw UsageError(
      "unknown command or cause '\(shown)'" + (near.map { "; did you mean '\($0)'?" } ?? ""))
  }

  func run(_ run: CommandRun) throws -> ExitStatus {
    if let cause { return try run.show(CauseText(cause, style: run.style).text) }
    return try run.show(HelpText(commands: run.commands(), style: run.style).text(for: subject))
  }
}
