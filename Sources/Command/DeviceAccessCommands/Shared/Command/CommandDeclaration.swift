/// The name, the options and the help of a command.
struct CommandDeclaration: Sendable {
  let name: CommandName
  /// The effect of the command, as one clause.
  let summary: String
  var operand = Operand.none
  /// The command's own options in the order of the help, in addition to ``OptionName/common``.
  var options: [OptionName] = []
  /// The sentences that follow the summary in the help.
  let details: String
  /// Examples, each with a command line and its purpose.
  var examples: [(line: String, purpose: String)] = []
  /// A Boolean value that indicates whether a program and its arguments may follow `--`.
  var takesProgram = false
}
