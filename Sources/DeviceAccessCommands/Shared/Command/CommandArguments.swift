internal import AccessModel

/// What follows the name of a command, sorted but not yet understood.
struct CommandArguments {
  let declaration: CommandDeclaration
  let parsed: ParsedArguments
  let operands: [String]
  /// The program that follows `--`, with its arguments, where the command takes one.
  let program: [String]
  /// Whether there is a file of a name.
  let fileExists: (String) -> Bool

  func contains(_ name: OptionName) -> Bool { parsed.contains(name) }

  /// The value of an option; the last one counts when it is given twice.
  func value(_ name: OptionName) -> String? { parsed.value(name) }

  /// Whose access it is about.
  ///
  /// - Throws: ``UsageError``.
  func subject() throws(UsageError) -> SubjectOptions {
    try SubjectOptions(parsed, declaration.name)
  }

  /// A usage error that points to the help of the command.
  func error(_ problem: String) -> UsageError {
    UsageError(problem, command: declaration.name)
  }

  /// What followed the name of the command, as words of a shell.
  var commandLine: String {
    let options = parsed.options.map { name, value in
      "--\(name.rawValue)" + (value.map { "=\($0)" } ?? "")
    }
    return (operands + options).map(\.shellQuoted).joined(separator: " ")
  }

  /// Refuses what the command does not declare.
  ///
  /// - Throws: ``UsageError``.
  func checkOptions() throws(UsageError) {
    let own = declaration.options + OptionName.common
    if let (name, _) = parsed.options.first(where: { !own.contains($0.name) }) {
      throw error("'\(declaration.name.rawValue)' has no option '--\(name.rawValue)'")
    }
    if declaration.takesProgram, parsed.countAfterMark == 0 {
      throw error("-- must be followed by the COMMAND to run")
    }
    if contains(.force), declaration.options.contains(.probe), !contains(.probe) {
      throw error("--force requires --probe")
    }
    if contains(.probe), try subject() != SubjectOptions() {
      throw error("--probe opens devices as this process, so it cannot be used for another subject")
    }
  }

  /// Refuses more operands than the command declares.
  ///
  /// - Throws: ``UsageError``.
  func checkOperands() throws(UsageError) {
    let most =
      switch declaration.operand {
      case .none: 0
      case .kindsOrPaths, .devicesOrPaths, .optionalKinds, .optionalKindsOrPaths: Int.max
      default: 1
      }
    if operands.count > most {
      throw error("unexpected argument '\(Escaped(operands[most], limit: 80))'")
    }
  }
}
