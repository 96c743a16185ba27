/// A command: its declaration, its arguments and its implementation.
///
/// Each command has its own folder, which contains its options, its text output and its JSON
/// output.
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
  /// - Throws: ``CommandFailure``, ``InputError`` or ``OutputError``.
  /// - Returns: The exit status of the process.
  func run(_ run: CommandRun) async throws -> ExitStatus
}

extension Command {
  static func check(_ arguments: CommandArguments) throws(UsageError) {}

  var name: CommandName { Self.declaration.name }

  /// Returns whether the other command has the same type and the same arguments.
  func isEqual(to other: any Command) -> Bool { other as? Self == self }
}
