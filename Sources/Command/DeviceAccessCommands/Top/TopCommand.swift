internal import AccessModel
internal import Glibc
internal import LegoKit
internal import LinuxDevices
internal import TerminalScreen

/// The `devaccess top` command.
struct TopCommand {
  var questions: [TopQuestion] = []
  /// The recording to show instead of this machine.
  var recording: AnswerSource?
}

extension TopCommand: Command {
  static let declaration = CommandDeclaration(
    name: .top,
    summary: "show all devices and their users in a full-screen view",
    operand: .optionalKindsOrPaths,
    options: OptionName.accessOptions + OptionName.subjectOptions + [.from, .example],
    details: """
      Without KIND or PATH, shows the devices of every kind, and the album. Enter explains the selected \
      answer, / searches, s sorts, ? shows all keys, q quits. Requires a terminal.
      """,
    examples: [
      ("devaccess top", "show all devices of this machine"),
      ("devaccess top camera microphone", "show only these kinds"),
      ("devaccess top --example", "try the keys on a recorded machine"),
    ])

  init(_ arguments: CommandArguments) throws(UsageError) {
    if arguments.contains(.from) || arguments.contains(.example) {
      let source = try arguments.source()
      if case .file("-", _, _, _) = source {
        throw arguments.error("--from takes a file here: standard input is the keyboard")
      }
      if let option = OptionName.accessOptions.first(where: arguments.contains) {
        throw arguments.error("--\(option.rawValue) cannot be used with a snapshot here")
      }
      recording = source
      return
    }
    if !arguments.operands.isEmpty {
      questions = try arguments.questions().map { TopQuestion(question: $0, isNamed: true) }
    } else if let option = OptionName.accessOptions.first(where: arguments.contains) {
      throw arguments.error("--\(option.rawValue) needs a kind or path to show")
    } else {
      let subject = try arguments.subject()
      questions = DeviceKind.all.map { kind in
        TopQuestion(
          question: Question(
            .kind(kind), subject: subject.selector, variation: subject.variation),
          isNamed: false)
      }
    }
    // Look up the names of users and groups only for the row whose details are shown.
    for index in questions.indices { questions[index].question.names = .none }
  }

  func run(_ context: CommandRun) async throws -> ExitStatus {
    let input = context.streams.input
    guard let sink = context.streams.output as? DescriptorSink, sink.isTerminal else {
      throw CommandFailure(
        "top needs a terminal on standard output; use 'devaccess watch' instead", .usage)
    }
    guard isatty(input) == 1 else {
      throw CommandFailure(
        "top needs a terminal on standard input, from which it reads keys", .usage)
    }
    try CommandFailure.requireWaiting(to: "show a screen")
    let (lego, status) = try store(context)
    do {
      try await TopSession(
        lego: lego, input: input, output: sink.descriptor, wantsColors: context.style.color
      ).run()
    } catch let error as TerminalError {
      throw CommandFailure(error)
    } catch let error as Errno {
      throw CommandFailure("cannot follow the terminal: \(error.clause)", .internalError)
    }
    if let failure = lego.design.failure, !lego.design.hasScanned { throw failure }
    return status
  }

  /// Creates the store for this machine or a recording, and returns the exit status for reading the
  /// recording.
  private func store(_ context: CommandRun) throws -> (Lego<TopBlueprint>, ExitStatus) {
    var design = TopDesign(style: context.style, size: .standard)
    guard let recording else {
      if let question = questions.first?.question {
        design.subject = Self.subject(question, context.style)
      }
      let adaptor = TopAdaptor(questions)
      return (Lego(design, blueprint: TopBlueprint(), adaptors: [adaptor]), .allowed)
    }
    let (recorded, status) = try context.recorded(recording)
    design.takeRecording(recorded)
    let adaptor = RecordedAdaptor(recorded)
    return (Lego(design, blueprint: TopBlueprint(), adaptors: [adaptor]), status)
  }

  /// Returns a short description of the subject; `nil` for the calling process.
  private static func subject(_ question: Question, _ style: Style) -> String? {
    let who: String? =
      switch question.subject {
      case .ownProcess: nil
      case .user(let name): "user \(style.safe(name, limit: 32))"
      case .process(let id): "process \(id)"
      case .unit(let name): "unit \(style.safe(name, limit: 64))"
      }
    let isVaried = question.variation != SubjectVariation()
    return isVaried ? (who.map { "\($0), " } ?? "") + "hypothetical" : who
  }
}

extension CommandFailure {
  /// Creates a failure for a terminal that cannot show the screen.
  fileprivate init(_ error: TerminalError) {
    switch error {
    case .noLibrary:
      self.init("libncursesw is missing: install the package libncursesw6", .internalError)
    case .unsuitable:
      let type = unsafe getenv("TERM").map { unsafe String(cString: $0) } ?? ""
      let name = type.isEmpty ? "TERM is not set" : "TERM is '\(Escaped(type, limit: 64))'"
      self.init(
        "top cannot move the cursor of this terminal: \(name); use 'devaccess watch' instead",
        .usage)
    case .failed(let number):
      self.init(
        "cannot use the terminal: \(Errno(rawValue: number).clause)", .internalError)
    }
  }
}
