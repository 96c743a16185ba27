/// What a command is called and takes, and what the help says of it.
struct CommandDeclaration: Sendable {
  let name: CommandName
  /// What it does, as one clause.
  let summary: String
  var operand = Operand.none
  /// Its own options, in the order of the help; ``OptionName/common`` come on top.
  var options: [OptionName] = []
  /// What the help says beyond the options.
  let details: String
  /// Examples: a command line, and what it is for.
  var examples: [(line: String, purpose: String)] = []
  /// Whether the words after `--` are a program to run and its arguments.
  var takesProgram = false
}
