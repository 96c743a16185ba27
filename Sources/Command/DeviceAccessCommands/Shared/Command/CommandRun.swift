internal import AccessModel
internal import DevicePermissions
internal import JSONText
internal import LegoKit
internal import LinuxDevices

/// The context of one run of a command: its store, its output and its style.
struct CommandRun: Sendable {
  typealias Store = Lego<CommandBlueprint>

  /// The name of the command in JSON output; `nil` if there is no command, as with `--version`.
  let name: CommandName?
  /// Returns all declarations; a closure, because only a few commands need them.
  let commands: @Sendable () -> [CommandDeclaration]
  /// A Boolean value that indicates whether the output is JSON.
  let json: Bool
  let style: Style
  var streams: StandardStreams
  /// The executor on which the machine is observed; `nil` for the system's thread pool.
  let executor: (any TaskExecutor)?
  /// Makes a stream that yields when the command should end; `nil` if only cancellation ends it.
  let ending: ProgramEnding?
  let store: Store

  /// Creates a run, whose adaptors observe the machine on the given executor.
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

  /// Returns the adaptors that a command needs.
  ///
  /// When the first adaptor for a blueprint is created, the Swift runtime scans the protocol
  /// conformances of the whole program. Adaptors that few commands need are therefore left out.
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

  /// Runs an operation, and turns every error into one line and an exit status.
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
      // A reader that closes the pipe early is not an error.
      return .allowed
    } catch OutputError.failed(let error) {
      streams.report("cannot write to standard output: \(error.clause)")
      return .internalError
    } catch {
      streams.report("internal error: \(Escaped("\(error)", limit: 512))")
      return .internalError
    }
  }

  /// Writes a complete text and returns the status; a closed output is not an error.
  func show(_ text: String, _ status: ExitStatus = .allowed) throws -> ExitStatus {
    do {
      try streams.output.write(text)
    } catch OutputError.closed {
      // The caller may still use the exit status.
    }
    return status
  }

  /// Writes one JSON object on one line.
  func show(json value: some Encodable, _ status: ExitStatus = .allowed) throws -> ExitStatus {
    try show(JSONWriter.encode(value) + "\n", status)
  }

  /// Reports a failure in the JSON output as well, and returns its status.
  func reportFailure(_ failure: CommandFailure) -> ExitStatus {
    guard json, let name else { return failure.status }
    let output = ErrorOutput(
      command: name, error: failure.message, exitStatus: failure.status.rawValue)
    return (try? show(json: output, failure.status)) ?? failure.status
  }

  /// Builds a change to devices and waits for all of its effects.
  ///
  /// - Throws: ``CommandFailure`` if the machine could not be observed.
  func build(_ change: DeviceBlueprint.Change) async throws(CommandFailure) {
    await store.build(.devices(change)).finished()
    if let failure = store.design.devices.failure { throw CommandFailure(failure) }
  }
}
