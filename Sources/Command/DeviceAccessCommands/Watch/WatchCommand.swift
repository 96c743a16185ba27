internal import AccessModel
internal import DevicePermissions
internal import JSONText
internal import LegoKit
internal import LinuxDevices

/// The `devaccess watch` command.
struct WatchCommand {
  /// The changes to watch.
  enum Subject: Equatable, Sendable {
    case answers([Question])
    case use([Question.Target])
  }

  let subject: Subject
  var format: WatchFormat?
  var notifies = false
  /// The command to run for each event.
  var command: String?
}

extension WatchCommand: Command {
  static let declaration = CommandDeclaration(
    name: .watch,
    summary: "report changes in the access to a device, or in the processes that use it",
    operand: .optionalKindsOrPaths,
    options: OptionName.accessOptions + OptionName.subjectOptions
      + [.use, .notify, .exec, .format, .json],
    details: """
      Without KIND or PATH, watches the camera and the album or, with --use, cameras and microphones. \
      Exits on SIGINT, SIGTERM or SIGHUP, or when its output is closed.
      """,
    examples: [
      ("devaccess watch camera", "report when access to the camera changes"),
      ("devaccess watch --use", "report programs that open a camera or microphone"),
      ("devaccess watch --notify", "also show a notification"),
      ("devaccess watch --use camera --exec ./on-air.sh", "run a script each time"),
      ("devaccess watch /dev/ttyUSB0 --json", "print one JSON object per line"),
    ])

  /// The kinds to watch if none is given.
  private static let usual = [DeviceKind.camera, .album]

  init(_ arguments: CommandArguments) throws(UsageError) {
    command = arguments.value(.exec)
    if command?.isEmpty == true { throw arguments.error("--exec needs a command") }
    if let word = arguments.value(.format) {
      guard let format = WatchFormat(rawValue: word) else {
        throw arguments.error(
          "--format: unknown format '\(Escaped(word, limit: 80))'; the only format is 'waybar'")
      }
      guard !arguments.contains(.json) else {
        throw arguments.error("--format and --json cannot be used together")
      }
      self.format = format
    }
    notifies = arguments.contains(.notify)
    // These options watch the use of devices, with or without --use.
    if let asking = [OptionName.notify, .format, .use].first(where: arguments.contains) {
      let others = OptionName.accessOptions + OptionName.subjectOptions
      if let option = others.first(where: arguments.contains) {
        throw arguments.error(
          "--\(asking.rawValue) is about every program; "
            + "it cannot be used with --\(option.rawValue)")
      }
      let devices = try arguments.devices()
      subject = .use(devices.isEmpty ? CommandArguments.usualDevices : devices)
      return
    }
    subject = .answers(try Self.questions(arguments))
  }

  private static func questions(_ arguments: CommandArguments) throws(UsageError) -> [Question] {
    var questions: [Question]
    if !arguments.operands.isEmpty {
      // A repeated question would print each line twice.
      questions = try arguments.questions().reduce(into: []) { all, question in
        if !all.contains(question) { all.append(question) }
      }
    } else if let option = OptionName.accessOptions.first(where: arguments.contains) {
      throw arguments.error("--\(option.rawValue) needs a kind or path to watch")
    } else {
      let subject = try arguments.subject()
      questions = usual.map { kind in
        Question(.kind(kind), subject: subject.selector, variation: subject.variation)
      }
    }
    let names: Question.NameLookup = arguments.contains(.json) ? .all : .few
    for index in questions.indices { questions[index].names = names }
    return questions
  }

  func run(_ context: CommandRun) async throws -> ExitStatus {
    // Events are delivered by a thread. Without one, no change would ever be reported.
    try CommandFailure.requireWaiting(to: "watch")
    // Do this before the first event, because the threads that it starts inherit the signal mask.
    let ending = context.ending?(true)
    if ending != nil { ForcedTermination.start() }
    // Notifications and commands must not wait for a slow reader of the output.
    let queued = command != nil || notifies ? QueuedStreams(context.streams) : nil
    defer { queued?.finish() }
    var context = context
    if let queued { context.streams = queued.streams }
    let notifier = notifies ? UseNotifier(context.streams) : nil
    do {
      try await follow(context, until: ending, queued, notifier)
    } catch {
      await notifier?.takeBack()
      throw error
    }
    await notifier?.takeBack()
    return .allowed
  }

  /// Reports changes until the end is requested, or until one of the tasks ends or fails.
  private func follow(
    _ context: CommandRun, until ending: AsyncStream<Void>?, _ queued: QueuedStreams?,
    _ notifier: UseNotifier?
  ) async throws {
    let commands = command.map { command in
      EventCommands(command, outputApart: context.json || format != nil, context.streams)
    }
    let bar = format == .waybar ? BarWriter(context.streams.output) : nil
    let contractors = Contractors()
    let (answers, use) = (contractors.devices, contractors.deviceUsage)
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        switch subject {
        case .answers(let questions):
          try await show(
            answers.changes(to: questions, in: context.json || command != nil ? .full : .brief),
            ofSeveral: questions.count > 1, context, commands)
        case .use(let targets):
          try await show(
            use.changes(of: targets, byOthers: true), of: targets, context, commands, notifier,
            bar)
        }
      }
      if let ending {
        group.addTask { for await _ in ending { return } }
      }
      if let commands {
        group.addTask { await commands.run() }
      }
      if let notifier {
        group.addTask { await notifier.run() }
      }
      if let bar {
        group.addTask { try await bar.run() }
      }
      if let queued {
        group.addTask { try await queued.writeOutput() }
        group.addTask { await queued.writeErrors() }
      }
      defer { group.cancelAll() }
      try await group.next()
    }
  }

  private func show(
    _ changes: AnswerChanges, ofSeveral isOfSeveral: Bool, _ context: CommandRun,
    _ commands: EventCommands?
  ) async throws {
    let events = AnswerEvents(
      changes: changes, isOfSeveral: isOfSeveral, context: context, consumers: consumers(context))
    var lines = WholeLines(context.streams.output)
    try await events.report { event, hasMore in
      try lines.add(text(of: event, context))
      if !hasMore { try lines.write() }
      commands?.add(event)
    }
  }

  private func show(
    _ changes: UseChanges, of targets: [Question.Target], _ context: CommandRun,
    _ commands: EventCommands?, _ notifier: UseNotifier?, _ bar: BarWriter?
  ) async throws {
    let events = UseEvents(
      changes: changes, targets: targets, context: context, consumers: consumers(context))
    var lines = WholeLines(context.streams.output)
    try await events.report { change, events in
      try bar?.take(change)
      notifier?.take(change)
      for event in events {
        if format == nil { try lines.add(text(of: event, context)) }
        commands?.add(event)
      }
      try lines.write()
    }
  }

  private func consumers(_ context: CommandRun) -> WatchedEvent.EventConsumers {
    var consumers: WatchedEvent.EventConsumers =
      format != nil ? [] : context.json ? .program : .person
    if command != nil { consumers.insert(.command) }
    return consumers
  }

  private func text(of event: WatchedEvent, _ context: CommandRun) -> String {
    context.json ? event.json + "\n" : event.text
  }
}
