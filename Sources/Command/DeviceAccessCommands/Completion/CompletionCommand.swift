/// The `devaccess completion` command.
struct CompletionCommand {
  let shell: Shell
}

extension CompletionCommand: Command {
  static let declaration = CommandDeclaration(
    name: .completion,
    summary: "print the completions for a shell",
    operand: .shell,
    details: "SHELL is bash, zsh or fish.",
    examples: [("source <(devaccess completion bash)", "load the completions in bash")])

  init(_ arguments: CommandArguments) throws(UsageError) {
    let list = "bash, zsh or fish"
    guard let word = arguments.operands.first else {
      throw arguments.error("specify a shell: \(list)")
    }
    guard let shell = Shell(rawValue: word) else {
      throw arguments.error(
        "no completions for '\(Escaped(word, limit: 80))'; supported shells: bash, zsh, fish")
    }
    self.shell = shell
  }

  func run(_ run: CommandRun) throws -> ExitStatus {
    try run.show(CompletionScript(commands: run.commands()).text(for: shell))
  }
}
