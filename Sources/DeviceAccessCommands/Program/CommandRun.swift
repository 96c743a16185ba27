internal import AccessModel
internal import DevicePermissions
internal import JSONText
internal import LegoKit
internal import LinuxDevices

/// One run of one command: it builds changes on a store and renders the design.
struct CommandRun: Sendable {
  typealias Store = Lego<CommandBlueprint>

  let program: DeviceAccessProgram
  let invocation: Invocation
  let style: Style
  let store: Store

  init(program: DeviceAccessProgram, invocation: Invocation, style: Style) {
    self.program = program
    self.invocation = invocation
    self.style = style
    store = Lego(
      CommandBlueprint.Design(), blueprint: CommandBlueprint(),
      adaptors: [
        DeviceAdaptor(
          extract: { if case .devices(let change) = $0 { change } else { nil } },
          embed: { .devices($0) }, executor: program.executor),
        ProbeAdaptor(), WaitAdaptor(),
      ])
  }

  /// Does the work and turns every error into one line and an exit status.
  func run() async -> ExitStatus {
    do {
      return try await perform()
    } catch let failure as CommandFailure {
      program.complain(failure.message)
      return reportFailure(failure)
    } catch let error as InputError {
      program.complain(error.description)
      return reportFailure(CommandFailure(error.description, error.status))
    } catch OutputError.closed {
      // Nobody reads the rest, and it is nobody's fault.
      return .allowed
    } catch OutputError.failed(let number) {
      program.complain("cannot write to standard output: \(ErrorNumber.text(number))")
      return .internalError
    } catch {
      program.complain("internal error: \(Escaped("\(error)", limit: 512))")
      return .internalError
    }
  }

  private func perform() async throws -> ExitStatus {
    switch invocation.task {
    case .help(let command):
      return try show(HelpText.text(for: command, style: style))
    case .version:
      return try show("devaccess \(DeviceAccessProgram.version)\n")
    case .completion(let shell):
      return try show(CompletionScript.text(for: shell))
    case .status(let subject):
      return try await status(subject)
    case .list(let kind, let probe, let subject):
      return try await list(kind, probe: probe, subject)
    case .check(let source, let patience, let quiet):
      return try await check(source, patience, quiet: quiet)
    case .explain(let source):
      return try await explain(source)
    case .snapshot(let question, let redact, let file):
      return try await snapshots(
        [question] + invocation.furtherQuestions, redact: redact, file: file)
    case .decide(let input):
      return try await decide(input)
    }
  }

  /// Writes a finished text.
  func show(_ text: String, _ status: ExitStatus = .allowed) throws -> ExitStatus {
    do {
      try program.output.write(text)
    } catch OutputError.closed {
      // The exit status is an answer too.
    }
    return status
  }

  /// Writes one JSON object on a line.
  func show(json value: some Encodable, _ status: ExitStatus = .allowed) throws -> ExitStatus {
    try show(JSONWriter.encode(value) + "\n", status)
  }

  /// Tells a failure to programs that read the output, too.
  func reportFailure(_ failure: CommandFailure) -> ExitStatus {
    guard invocation.json, let command = invocation.command else { return failure.status }
    let output = ErrorOutput(
      command: command, error: failure.message, exitStatus: failure.status.rawValue)
    return (try? show(json: output, failure.status)) ?? failure.status
  }

  /// Builds a device change and waits for all that follows from it.
  ///
  /// - Throws: ``CommandFailure`` when the machine could not be observed.
  func build(_ change: DeviceBlueprint.Change) async throws(CommandFailure) {
    await store.build(.devices(change)).finished()
    if let failure = store.design.devices.failure { throw CommandFailure(failure) }
  }
}
