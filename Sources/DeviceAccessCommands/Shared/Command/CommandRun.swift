internal import AccessModel
internal import DevicePermissions
internal import JSONText
internal import LegoKit
internal import LinuxDevices

/// One run of one command: the store that it builds changes on, and where it writes.
struct CommandRun: Sendable {
  typealias Store = Lego<CommandBlueprint>

  /// The command, to programs that read JSON; `nil` for what is no command.
  let name: CommandName?
  /// Every command, for those that tell of all; the others need not wait for them to be made.
  let commands: @Sendable () -> [CommandDeclaration]
  /// Whether the answer is JSON.
  let json: Bool
  let style: Style
  var streams: StandardStreams
  /// Where the machine is observed; `nil` for the system's pool of threads.
  let executor: (any TaskExecutor)?
  /// Tells when a command without an end is to end; `nil` where only its task is cancelled.
  let ending: ProgramEnding?
  let store: Store

  /// Creates a run; the machine is observed where `executor` runs tasks.
  init(
    of name: CommandName?, among commands: @escaping @Sendable () -> [CommandDeclaration],
    json: Bool, style: Style,
    streams: StandardStreams, executor: (any TaskExecutor)?,
    ending: ProgramEnding? = nil
  ) {
    self.name = name
    self.commands = commands
    self.json = json
    self.style = style
    self.streams = streams
    self.executor = executor
    self.ending = ending
    store = Lego(
      CommandBlueprint.Design(), blueprint: CommandBlueprint(),
      adaptors: Self.adaptors(for: name, executor))
  }

  /// What happens beside the changes of a command.
  ///
  /// The first adaptor of each blueprint has the run time look through the conformances of the whole
  /// program, so that those are left out that few commands need.
  private static func adaptors(
    for name: CommandName?, _ executor: (any TaskExecutor)?
  ) -> [Adaptor<CommandBlueprint>] {
    switch name {
    case .grant, .revoke, .grants:
      [
        GrantAdaptor(executor: executor).part(
          \.grants, .case(CommandBlueprint.Change.grants, \.grants))
      ]
    case .users: [UsersAdaptor()]
    default:
      [
        DeviceAdaptor(executor: executor).part(
          \.devices, .case(CommandBlueprint.Change.devices, \.devices)),
        ProbeAdaptor(), WaitAdaptor(executor: executor), UsersAdaptor(),
      ]
    }
  }

  /// Does work, and turns every error into one line and an exit status.
  func reportingErrors(of work: () async throws -> ExitStatus) async -> ExitStatus {
    func fail(_ failure: CommandFailure) -> ExitStatus {
      streams.report(failure.message)
      return reportFailure(failure)
    }
    do {
      return try await work()
    } catch let failure as CommandFailure {
      return fail(failure)
    } catch let error as DeviceError {
      return fail(CommandFailure(error))
    } catch let error as InputError {
      return fail(CommandFailure(error.description, error.status))
    } catch OutputError.closed {
      // Nobody reads the rest, and it is nobody's fault.
      return .allowed
    } catch OutputError.failed(let error) {
      streams.report("cannot write to standard output: \(error.clause)")
      return .internalError
    } catch {
      streams.report("internal error: \(Escaped("\(error)", limit: 512))")
      return .internalError
    }
  }

  /// Writes a finished text.
  func show(_ text: String, _ status: ExitStatus = .allowed) throws -> ExitStatus {
    do {
      try streams.output.write(text)
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
    guard json, let name else { return failure.status }
    let output = ErrorOutput(
      command: name, error: failure.message, exitStatus: failure.status.rawValue)
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
