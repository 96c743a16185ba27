internal import AccessModel
internal import DevicePermissions
internal import LegoKit
internal import LinuxDevices

/// The `devaccess check` command.
struct CheckCommand {
  let source: AnswerSource
  /// The questions after the first one, about this machine.
  var further: [Question] = []
  var goal: WaitGoal?
  var isQuiet = false
  var probing = Probing.none
}

extension CheckCommand: Command {
  static let declaration = CommandDeclaration(
    name: .check,
    summary: "report in one line and by exit status whether access is allowed",
    operand: .kindsOrPaths,
    options: OptionName.accessOptions + OptionName.subjectOptions
      + [.wait, .free, .probe, .force, .from, .quiet, .json],
    details: """
      Without an access option, checks the access that is usual for the kind or file, such as read and \
      write. With several kinds or paths, the exit status is the highest of the individual ones, so 0 \
      means that all are allowed.
      """,
    examples: [
      ("devaccess check camera && record", "record only if access is allowed"),
      ("devaccess check /dev/ttyUSB0 --read", "check only read access"),
      ("devaccess check camera --wait=30", "wait up to 30 seconds for access"),
      (
        "devaccess check camera --wait --free",
        "wait until access is allowed and the camera is free"
      ),
      ("devaccess check camera --user alice", "check for alice, as after a new login"),
      ("devaccess check camera microphone", "check two kinds"),
      ("devaccess check album --create", "check whether pictures can be added"),
      ("devaccess check Pictures", "check a file or directory by its name"),
    ])

  static func check(_ arguments: CommandArguments) throws(UsageError) {
    let operands = arguments.operands
    if arguments.contains(.wait), arguments.value(.wait) == nil,
      let number = operands.first(where: WaitLimit.isNumber),
      operands.count > 1 || operands == [number],
      !arguments.fileExists(number)
    {
      throw arguments.error(
        "use --wait=\(Escaped(number, limit: 80)): the number must directly follow '='")
    }
  }

  init(_ arguments: CommandArguments) throws(UsageError) {
    source = try arguments.source()
    isQuiet = arguments.contains(.quiet)
    probing = Probing(arguments)
    if case .machine = source { further = Array(try arguments.questions().dropFirst()) }
    if arguments.contains(.wait), !further.isEmpty {
      throw arguments.error("--wait is for one kind or path")
    }
    guard arguments.contains(.wait) || arguments.contains(.free) else { return }
    guard case .machine(let question) = source else {
      let option = arguments.contains(.wait) ? "--wait" : "--free"
      throw arguments.error("\(option) cannot be used with a snapshot, which never changes")
    }
    for question in [question] + further where arguments.contains(.free) {
      guard case .kind(let kind) = question.target, kind.subsystem == nil else { continue }
      throw arguments.error("--free is for devices; \(kind.name) is a directory")
    }
    goal = WaitGoal(
      // `--free` without `--wait` checks once.
      limit: arguments.contains(.wait) ? try WaitLimit(arguments.value(.wait)).duration : .zero,
      needsFree: arguments.contains(.free), probing: probing)
  }

  func run(_ context: CommandRun) async throws -> ExitStatus {
    var highest = try await check(source, context)
    for question in further {
      highest = max(highest, try await check(.machine(question), context))
    }
    return highest
  }

  /// Answers one question.
  ///
  /// If there are several questions, a failure is reported, and the next question is answered.
  private func check(_ source: AnswerSource, _ context: CommandRun) async throws -> ExitStatus {
    do {
      if let goal, case .machine(var question) = source {
        question.names = names(source, context)
        return try show(try await wait(for: question, goal, context), context)
      }
      return try await context.showAnswers(
        from: source, probing: probing, withUse: !isQuiet, names: names(source, context)
      ) { answer, _ in
        try show(answer, context)
      }
    } catch {
      guard !further.isEmpty, let failure = CommandFailure(reporting: error) else { throw error }
      context.streams.report(failure.message)
      return context.reportFailure(failure)
    }
  }

  /// Returns the names to look up.
  ///
  /// An answer that allows the caller access prints no names.
  private func names(_ source: AnswerSource, _ context: CommandRun) -> Question.NameLookup {
    if context.json { return .all }
    guard case .machine(let question) = source, question.subject == .ownProcess,
      question.variation.isEmpty, !probing.isOn
    else { return .few }
    return .fewWhenRefused
  }

  private func show(_ answer: AnsweredFacts, _ context: CommandRun) throws -> ExitStatus {
    if needsFree, !isAboutDevice(answer) {
      throw CommandFailure(
        "--free is for devices; \(Escaped(answer.explanation.path)) is not one", .usage)
    }
    let status = ExitStatus(decisiveAnswer(of: answer))
    if context.json {
      let output = AnswerOutput(answer, command: .check, needsFree: needsFree)
      return try context.show(json: output, status)
    }
    try answer.throwIfPathIsMissing()
    return isQuiet ? status : try context.show(text(answer, context), status)
  }

  private func text(_ answer: AnsweredFacts, _ context: CommandRun) -> String {
    CheckText(
      explanation: answer.explanation, facts: answer.facts, style: context.style,
      needsFree: needsFree,
      namesKind: !further.isEmpty
    ).text
  }

  private var needsFree: Bool { goal?.needsFree ?? false }

  /// Returns the answer that determines the exit status: with `--free`, the device must also be free.
  private func decisiveAnswer(of answer: AnsweredFacts) -> Answer {
    needsFree ? answer.explanation.answerIfFree : answer.explanation.answer
  }

  /// Returns `true` if the answer is about a device or an object of unknown type.
  ///
  /// The users of other files and directories are unknown, so `--free` does not apply to them.
  private func isAboutDevice(_ answer: AnsweredFacts) -> Bool {
    guard let object = answer.facts.access.object(at: answer.explanation.path),
      !object.unobserved.contains(.status)
    else { return true }
    return object.type.isDevice
  }

  /// Waits until access is allowed or the time is up, and returns the last answer.
  ///
  /// Each new reason to wait and each missing event source is reported on standard error.
  private func wait(
    for question: Question, _ goal: WaitGoal, _ context: CommandRun
  ) async throws -> AnsweredFacts {
    if goal.limit != .zero { try CommandFailure.requireWaiting(to: "wait") }
    var reported = ""
    var report = GapReport(context)
    let wait = Wait(
      question: question, goal: goal, service: Contractors().devices,
      usage: Contractors().deviceUsage)
    let answer = try await wait.run { answer, gaps in
      guard goal.limit != .zero, !isQuiet, !context.json, decisiveAnswer(of: answer) != .allowed,
        !needsFree || isAboutDevice(answer)
      else { return }
      let text = text(answer, context)
      if reported != text { context.streams.report("waiting: \(text.dropLast())") }
      reported = text
      report.report(gaps)
    }
    if goal.probing.isOn, answer.facts.withheldOpening(at: answer.explanation.path) != nil {
      context.reportOpening(of: answer.facts, isList: false, goal.probing)
    }
    return answer
  }
}

/// The time limit of `check --wait`.
enum WaitLimit: Hashable, Sendable {
  /// The command waits until access is allowed.
  case forever
  case seconds(Double)

  /// The longest limit that the option accepts, which is one year.
  static let longest = 31_536_000.0

  /// Parses the value of the option; without a value, the limit is ``forever``.
  ///
  /// - Throws: ``UsageError`` if the value is not a number of seconds or exceeds ``longest``.
  init(_ text: String?) throws(UsageError) {
    guard let text else {
      self = .forever
      return
    }
    guard Self.isNumber(text), let seconds = Double(text), seconds <= Self.longest else {
      throw UsageError(
        "--wait takes a number of seconds from 0 to \(Int(Self.longest)), "
          + "not '\(Escaped(text, limit: 80))'",
        command: .check)
    }
    self = .seconds(seconds)
  }

  /// Returns `true` if a word consists of digits and at most one decimal point.
  ///
  /// Signs, exponents, `inf` and `nan` are not accepted.
  static func isNumber(_ text: String) -> Bool {
    text.utf8.allSatisfy { $0 == UInt8(ascii: ".") || (0x30...0x39).contains($0) }
      && Double(text) != nil
  }

  /// The limit as a duration; `nil` for ``forever``.
  var duration: Duration? {
    switch self {
    case .forever: nil
    case .seconds(let seconds): .seconds(seconds)
    }
  }
}
