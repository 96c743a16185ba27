internal import AccessModel

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

  func run(_ context: CommandRun) throws -> ExitStatus {
    try context.show(CompletionScript(commands: context.commands()).text(for: shell))
  }
}

/// Generates shell completions from the declarations of the commands and options.
struct CompletionScript {
  let commands: [CommandDeclaration]

  /// Returns the completion script for a shell.
  func text(for shell: Shell) -> String {
    switch shell {
    case .bash: bash
    case .zsh: zsh
    case .fish: fish
    }
  }

  /// The names of capabilities, separated by spaces.
  var capabilities: String {
    CapabilitySet.all.members.map(\.name).joined(separator: " ")
  }

  /// A shell command that lists the services that can be started, one per line.
  let listUnits =
    "systemctl list-unit-files --type=service --no-legend --no-pager 2>/dev/null"

  /// A shell command that lists the grants; the line of each grant starts with its identifier.
  let listGrants = "devaccess grants 2>/dev/null"
}
