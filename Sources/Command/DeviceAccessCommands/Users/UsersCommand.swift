internal import AccessModel
internal import DevicePermissions
internal import LegoKit

/// The `devaccess users` command.
struct UsersCommand {
  /// The targets as the user typed them; empty for the default ones.
  var words: [String] = []
  var targets: [Question.Target] = []
  var isVerbose = false
}

extension UsersCommand: Command {
  static let declaration = CommandDeclaration(
    name: .users,
    summary: "show which processes have a device open",
    operand: .devicesOrPaths,
    options: [.verbose, .json],
    details: """
      Without KIND or PATH, examines cameras and microphones. Does not open any device. Without root, \
      processes of other users are counted but not listed.
      """,
    examples: [
      ("devaccess users camera", "show which processes have a camera open"),
      ("sudo devaccess users /dev/ttyUSB0", "include processes of other users"),
    ])

  init(_ arguments: CommandArguments) throws(UsageError) {
    words = arguments.operands
    targets = try arguments.devices()
    isVerbose = arguments.contains(.verbose)
  }

  func run(_ run: CommandRun) async throws -> ExitStatus {
    let kinds = CommandArguments.usualDevices
    let use = try await Contractors().deviceUsage.useByOthers(
      of: targets.isEmpty ? kinds : targets)
    let answer = UsersAnswer(
      facts: use.facts, targets: targets.isEmpty ? kinds : targets, failures: use.failures,
      isUsual: targets.isEmpty)
    for failure in use.failures { run.streams.report(CommandFailure(failure).message) }
    if run.json { return try run.show(json: UsersOutput(answer), answer.status) }
    let text = UsersText(answer: answer, words: words, isVerbose: isVerbose, style: run.style)
    return try run.show(text.text, answer.status)
  }
}
