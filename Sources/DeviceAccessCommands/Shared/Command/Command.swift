/// One command: what it takes, and what it does.
///
/// Each has a folder of its own, with its options, its run, its text and its JSON.
protocol Command: Equatable, Sendable {
  /// What the help, the completions and the reading of arguments are made from.
  static var declaration: CommandDeclaration { get }

  /// Refuses arguments that it can explain better than the general rules, which come next.
  ///
  /// - Throws: ``UsageError``.
  static func check(_ arguments: CommandArguments) throws(UsageError)

  /// Understands its arguments, of which only the declared ones are given.
  ///
  /// - Throws: ``UsageError``.
  init(_ arguments: CommandArguments) throws(UsageError)

  /// Does the work.
  ///
  /// - Throws: ``CommandFailure``, ``InputError`` or ``OutputError``.
  /// - Returns: The exit status of the process.
  func run(_ run: CommandRun) async throws -> ExitStatus
}

extension Command {
  static func check(_ arguments: CommandArguments) throws(UsageError) {}

  var name: CommandName { Self.declaration.name }

  /// Whether another one would do the same.
  func isEqual(to other: any Command) -> Bool { other as? Self == self }
}
