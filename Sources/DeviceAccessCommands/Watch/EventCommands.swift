internal import AccessModel
internal import LinuxDevices
internal import Synchronization

/// Runs the command of `--exec` for one event after the other.
final class EventCommands: Sendable {
  /// How far the command is behind.
  private struct Delay {
    /// Events that it is still to be run for, with the one that it runs for.
    var waiting = 0
    /// Whether it has run for longer than most commands do.
    var isLate = false
    /// Events that it is not run for, since it was last up to date.
    var dropped = 0
  }

  /// More events than a slow command has to know; of more, the oldest are left out.
  static let mostWaiting = 256

  private let command: ShellCommand
  /// How long a command runs before it is told that events wait for it.
  private let patience: Duration
  private let streams: StandardStreams
  private let events: AsyncStream<WatchedEvent>
  private let continuation: AsyncStream<WatchedEvent>.Continuation
  private let delay = Mutex(Delay())

  /// - Parameters:
  ///   - command: The command.
  ///   - isOutputApart: Whether nothing that it prints may come between the lines on standard output.
  ///   - streams: Where trouble is reported.
  ///   - patience: How long a command runs before it is told that events wait for it.
  init(
    _ command: String, outputApart isOutputApart: Bool, _ streams: StandardStreams,
    patience: Duration = .seconds(10)
  ) {
    self.patience = patience
    self.command = ShellCommand(command, outputApart: isOutputApart)
    self.streams = streams
    (events, continuation) = AsyncStream.makeStream(
      of: WatchedEvent.self, bufferingPolicy: .bufferingNewest(Self.mostWaiting))
  }

  /// Has the command run for an event when it has run for those before.
  func add(_ event: WatchedEvent) {
    let (isFirstDrop, isFirstWait) = delay.withLock { delay in
      guard case .dropped = continuation.yield(event) else {
        delay.waiting += 1
        return (false, delay.isLate && delay.waiting == 2)
      }
      delay.dropped += 1
      return (delay.dropped == 1, false)
    }
    if isFirstWait { tellOfWait() }
    // A storm is told once, and once more when it is over.
    if isFirstDrop { streams.report("the --exec command is too slow: old events are dropped") }
  }

  /// Runs until the task is cancelled.
  ///
  /// A command that runs then goes on, and those that wait for it are left out.
  func run() async {
    var left = 0
    defer {
      if left > 0 {
        let events = left == 1 ? "the last event" : "the last \(left) events"
        streams.report("the --exec command was still running: it is not run for \(events)")
      }
    }
    for await event in events {
      // A stream still hands out what it holds after the end.
      guard !Task.isCancelled else {
        left += 1
        continue
      }
      do {
        async let _ = watchDelay()
        let status = try await command.run(
          adding: event.variables, prefix: WatchedEvent.prefix, input: event.json + "\n")
        if let status, status != 0 {
          streams.report("the --exec command exited with status \(status)")
        }
      } catch {
        streams.report("cannot run the --exec command: \(error.clause)")
      }
      finish()
    }
  }

  /// Tells once that events wait for a command that runs for long, which may never end.
  private func watchDelay() async {
    await Pause.wait(until: .now.advanced(by: patience))
    guard !Task.isCancelled else { return }
    let hasWaiting = delay.withLock { delay in
      delay.isLate = true
      return delay.waiting > 1
    }
    if hasWaiting { tellOfWait() }
  }

  private func tellOfWait() {
    streams.report("the --exec command is slow: other events wait for it")
  }

  /// Counts an event that the command has run for.
  private func finish() {
    let dropped = delay.withLock { delay in
      delay.waiting -= 1
      delay.isLate = false
      guard delay.waiting == 0 else { return 0 }
      defer { delay.dropped = 0 }
      return delay.dropped
    }
    guard dropped > 0 else { return }
    let events = dropped == 1 ? "1 event" : "\(dropped) events"
    streams.report("the --exec command was too slow: it was not run for \(events)")
  }
}
