internal import AccessModel
internal import DevicePermissions
internal import JSONText
internal import LegoKit
internal import LinuxDevices

/// `devaccess watch`.
struct WatchCommand {
  var questions: [Question] = []
}

extension WatchCommand: Command {
  static let declaration = CommandDeclaration(
    name: .watch,
    summary: "print the answer now, and each time it changes",
    operand: .optionalKindsOrPaths,
    options: OptionName.accessOptions + OptionName.subjectOptions + [.json],
    details: """
      Without KIND or PATH, watches the camera and the album. Prints a line with the time for each, \
      and another when an answer has changed, with the reason. Events say when to look; what is not \
      told by events is reported on standard error and looked at once a second. Ends at SIGINT and \
      SIGTERM, and when nobody reads its output.
      """,
    examples: [
      ("devaccess watch camera", "when may I use it, and why not any more?"),
      ("devaccess watch /dev/ttyUSB0 --json", "one JSON object a line"),
    ])

  /// What has a permission on every machine.
  private static let usual = [DeviceKind.camera, .album]

  init(_ arguments: CommandArguments) throws(UsageError) {
    if !arguments.operands.isEmpty {
      questions = try arguments.questions()
    } else if let option = OptionName.accessOptions.first(where: arguments.contains) {
      throw arguments.error("--\(option.rawValue) needs a kind or path to watch")
    } else {
      let subject = try arguments.subject()
      questions = Self.usual.map { kind in
        Question(.kind(kind), subject: subject.selector, variation: subject.variation)
      }
    }
    let names: Question.NameLookup = arguments.contains(.json) ? .all : .few
    for index in questions.indices { questions[index].names = names }
  }

  func run(_ run: CommandRun) async throws -> ExitStatus {
    // Events need a thread, and without any nothing would ever be told.
    if let error = ThreadLimit.refusal() {
      throw CommandFailure(
        "cannot watch: no thread can be started: \(error.clause)", .internalError)
    }
    let changes = Contractors().devices.changes(to: questions)
    let ending = run.ending?()
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { try await show(changes, run) }
      if let ending {
        group.addTask { for await _ in ending { return } }
      }
      defer { group.cancelAll() }
      try await group.next()
    }
    return .allowed
  }

  /// Prints each answer as it comes; a reader who was slow is told the latest.
  private func show(_ changes: AnswerChanges, _ run: CommandRun) async throws {
    var gaps: [Unobserved] = []
    do {
      for try await change in changes {
        if change.gaps != gaps, !run.json { report(change.gaps, run) }
        gaps = change.gaps
        let now = Timestamp.now
        let line =
          run.json
          ? try JSONWriter.encode(WatchOutput(change, at: now)) + "\n"
          : WatchText(change: change, time: now, style: run.style).text
        // Each line is one write: whoever reads it never sees a part of it.
        try run.streams.output.write(line)
      }
    } catch let error as DeviceError {
      throw CommandFailure(error)
    }
  }

  /// Says what is not told by events.
  private func report(_ gaps: [Unobserved], _ run: CommandRun) {
    guard !gaps.isEmpty else { return run.streams.report("everything is told by events again") }
    for gap in gaps {
      let place = gap.at.map { " of \(run.style.safe($0, limit: 512))" } ?? ""
      run.streams.report(
        "no \(run.style.safe(gap.layer))\(place) (\(run.style.safe(gap.reason))): "
          + "looking once a second")
    }
  }
}
