internal import AccessModel
internal import DevicePermissions
internal import JSONText
internal import LinuxDevices

/// The context of one run of a command: its name, its output and its style.
struct CommandRun: Sendable {
  /// The name of the command in JSON output; `nil` if there is no command, as with `--version`.
  let name: CommandName?
  /// Returns all declarations; a closure, because only a few commands need them.
  let commands: @Sendable () -> [CommandDeclaration]
  /// A Boolean value that indicates whether the output is JSON.
  let json: Bool
  let style: Style
  var streams: StandardStreams
  /// Makes a stream that yields when the command should end; `nil` if only cancellation ends the
  /// command.
  let ending: ProgramEnding?

  init(
    of name: CommandName?, among commands: @escaping @Sendable () -> [CommandDeclaration],
    json: Bool, style: Style, streams: StandardStreams, ending: ProgramEnding? = nil
  ) {
    self.name = name
    self.commands = commands
    self.json = json
    self.style = style
    self.streams = streams
    self.ending = ending
  }

  /// Runs an operation, and turns every error into one line and an exit status.
  func reportingErrors(of work: () async throws -> ExitStatus) async -> ExitStatus {
    do {
      return try await work()
    } catch OutputError.closed {
      // A reader that closes the pipe early is not an error.
      return .allowed
    } catch OutputError.failed(let error) {
      streams.report("cannot write to standard output: \(error.clause)")
      return .internalError
    } catch {
      if let failure = CommandFailure(reporting: error) {
        streams.report(failure.message)
        return reportFailure(failure)
      }
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
}

/// Makes a stream that yields when a command that does not end by itself should end.
///
/// - Parameter isReadUntilThen: `true` if the command should also end when its output is closed.
/// - Returns: The stream.
public typealias ProgramEnding = @Sendable (_ isReadUntilThen: Bool) -> AsyncStream<Void>
