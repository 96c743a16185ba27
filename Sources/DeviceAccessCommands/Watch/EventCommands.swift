internal import AccessModel
internal import LinuxDevices

/// Runs the command of `--exec` for one event after the other.
struct EventCommands: Sendable {
  /// More events than a slow command has to know; of more, the oldest are left out.
  static let mostWaiting = 256

  private let command: ShellCommand
  private let streams: StandardStreams
  private let events: AsyncStream<WatchedEvent>
  private let continuation: AsyncStream<WatchedEvent>.Continuation

  init(_ command: String, _ streams: StandardStreams) {
    self.command = ShellCommand(command)
    self.streams = streams
    (events, continuation) = AsyncStream.makeStream(
      of: WatchedEvent.self, bufferingPolicy: .bufferingNewest(Self.mostWaiting))
  }

  /// Has the command run for an event when it has run for those before.
  func add(_ event: WatchedEvent) {
    if case .dropped = continuation.yield(event) {
      streams.report("the command of --exec is too slow: it is not run for an event")
    }
  }

  /// Runs until the task is cancelled.
  ///
  /// A command that runs then goes on, and those that wait for it are left out.
  func run() async {
    var left = 0
    defer {
      if left > 0 {
        let events = left == 1 ? "the last event" : "the last \(left) events"
        streams.report("the command of --exec was still running: it is not run for \(events)")
      }
    }
    for await event in events {
      // A stream still hands out what it holds after the end.
      guard !Task.isCancelled else {
        left += 1
        continue
      }
      do {
        let status = try await command.run(
          adding: event.variables, prefix: WatchedEvent.prefix, input: event.json + "\n")
        if let status, status != 0 {
          streams.report("the command of --exec ended with status \(status)")
        }
      } catch {
        streams.report("cannot run the command of --exec: \(error.clause)")
      }
    }
  }
}
