/// A command: its declaration, its arguments and its implementation.
///
/// Each command has its own file, or a folder if it needs more: for its options, its text output and
/// its JSON output.
protocol Command: Equatable, Sendable {
  /// The declaration from which the help, the completions and the argument checks are derived.
  static var declaration: CommandDeclaration { get }

  /// Rejects arguments for which this command has a better message than the general checks.
  ///
  /// The general check of the operands follows this call.
  ///
  /// - Throws: ``UsageError``.
  static func check(_ arguments: CommandArguments) throws(UsageError)

  /// Interprets the arguments, which contain only declared options and operands.
  ///
  /// - Throws: ``UsageError``.
  init(_ arguments: CommandArguments) throws(UsageError)

  /// Runs the command.
  ///
  /// - Throws: ``CommandFailure``, ``InputError``, ``OutputError`` or `DeviceError`.
  /// - Returns: The exit status of the process.
  func run(_ context: CommandRun) async throws -> ExitStatus
}

extension Command {
  static func check(_ arguments: CommandArguments) throws(UsageError) {}

  var name: CommandName { Self.declaration.name }

  /// Returns whether the other command has the same type and the same arguments.
  func isEqual(to other: any Command) -> Bool { other as? Self == self }
}

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
