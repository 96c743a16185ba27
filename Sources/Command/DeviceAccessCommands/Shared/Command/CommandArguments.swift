internal import AccessModel

/// The arguments of a command, separated but not yet interpreted.
struct CommandArguments {
  let declaration: CommandDeclaration
  let parsed: ParsedArguments
  let operands: [String]
  /// The program after `--`, with its arguments, if the command takes one.
  let program: [String]
  /// A closure that checks whether a file exists.
  let fileExists: (String) -> Bool

  func contains(_ name: OptionName) -> Bool { parsed.contains(name) }

  /// Returns the value of an option; if it is given more than once, the last value counts.
  func value(_ name: OptionName) -> String? { parsed.value(name) }

  /// Returns the subject whose access is in question.
  ///
  /// - Throws: ``UsageError``.
  func subject() throws(UsageError) -> SubjectOptions {
    try SubjectOptions(parsed, declaration.name)
  }

  /// Creates a usage error that points to the help of the command.
  func error(_ problem: String) -> UsageError {
    UsageError(problem, command: declaration.name)
  }

  /// The operands and options of the command, quoted for a shell.
  var commandLine: String {
    let options = parsed.options.map { name, value in
      "--\(name.rawValue)" + (value.map { "=\($0)" } ?? "")
    }
    return (operands + options).map(\.shellQuoted).joined(separator: " ")
  }

  /// Checks that the command declares all given options, and that they can be used together.
  ///
  /// - Throws: ``UsageError``.
  func checkOptions() throws(UsageError) {
    let own = declaration.options + OptionName.common
    if let (name, _) = parsed.options.first(where: { !own.contains($0.name) }) {
      let hint = name == .timeout && own.contains(.wait) ? "; --wait=SECONDS limits the wait" : ""
      let typed = name.typed(parsed.letters.contains(name))
      throw error("'\(declaration.name.rawValue)' has no option \(typed)\(hint)")
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

  /// Checks that there are not more operands than the command accepts.
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
      let word = Escaped(operands[most], limit: 80)
      let readsFile = declaration.operand == .none && declaration.options.contains(.from)
      let hint = readsFile ? "; to read a file, use '--from \(word)'" : ""
      throw error("unexpected argument '\(word)'\(hint)")
    }
  }
}
