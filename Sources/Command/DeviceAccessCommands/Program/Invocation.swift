/// A valid command line.
struct Invocation: Sendable {
  /// The action that the command line requests.
  enum Action: Sendable {
    case run(any Command)
    case showVersion
  }

  var action: Action
  var json = false
  var color = Style.ColorChoice.auto

  /// Parses the arguments that follow the program's name.
  ///
  /// - Parameters:
  ///   - arguments: The arguments.
  ///   - fileExists: Returns whether a file exists, to distinguish file names from mistyped kinds.
  /// - Throws: ``UsageError``.
  init(
    _ arguments: [String], fileExists: @escaping (String) -> Bool = FileName.exists
  ) throws(UsageError) {
    let parsed = try OptionParser.parse(arguments)
    var operands = parsed.operands[...]
    let name = try operands.popFirst().map { (word) throws(UsageError) in
      try CommandName(typed: word)
    }
    if let word = parsed.value(.color) {
      guard let choice = Style.ColorChoice(rawValue: word) else {
        throw UsageError("--color takes auto, always or never, not '\(Escaped(word, limit: 80))'")
      }
      color = choice
    }
    if parsed.contains(.help) {
      action = .run(HelpCommand(subject: name))
      return
    }
    if parsed.contains(.version) {
      action = .showVersion
      return
    }
    let command = (name ?? .status).command
    let countAfterMark = command.declaration.takesProgram ? parsed.countAfterMark : nil
    let count = min(countAfterMark ?? 0, operands.count)
    let given = CommandArguments(
      declaration: command.declaration, parsed: parsed, operands: Array(operands.dropLast(count)),
      program: Array(operands.suffix(count)), fileExists: fileExists)
    try given.checkOptions()
    try command.check(given)
    try given.checkOperands()
    action = .run(try command.init(given))
    json = parsed.contains(.json) && !parsed.contains(.quiet)
  }
}
