/// `devaccess help`, and the option `--help` of every command.
struct HelpCommand {
  /// The command; `nil` for the general help.
  let subject: CommandName?
}

extension HelpCommand: Command {
  static let declaration = CommandDeclaration(
    name: .help,
    summary: "show the help for a command",
    operand: .optionalCommand,
    details: "Without COMMAND, shows the general help.",
    examples: [("devaccess help explain", "the same as devaccess explain --help")])

  init(_ arguments: CommandArguments) throws(UsageError) {
    subject = try arguments.operands.first.map { (word) throws(UsageError) in
      try CommandName(typed: word)
    }
  }

  func run(_ run: CommandRun) throws -> ExitStatus {
    try run.show(HelpText(commands: run.commands(), style: run.style).text(for: subject))
  }
}
