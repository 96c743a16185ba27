internal import AccessModel
internal import LinuxDevices
internal import Synchronization

/// Runs the `--exec` command for one event at a time.
final class EventCommands: Sendable {
  /// The backlog of the command.
  private struct Delay {
    /// The number of events that the command has not handled, including the current one.
    var waiting = 0
    /// A Boolean value that indicates whether the command has run longer than expected.
    var isLate = false
    /// The number of events dropped since the command was last up to date.
    var dropped = 0
  }

  /// The maximum number of waiting events; the oldest are dropped first.
  static let mostWaiting = 256

  private let command: ShellCommand
  /// The time that the command may run before delayed events are reported.
  private let patience: Duration
  private let streams: StandardStreams
  private let events: AsyncStream<WatchedEvent>
  private let continuation: AsyncStream<WatchedEvent>.Continuation
  private let delay = Mutex(Delay())

  /// Creates a runner for a command.
  ///
  /// - Parameters:
  ///   - command: The command.
  ///   - isOutputApart: `true` to keep its output from mixing with the lines on standard output.
  ///   - streams: The streams for error reports.
  ///   - patience: The time that the command may run before delayed events are reported.
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

  /// Queues an event; the command runs for it after it has run for all earlier events.
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
    // A burst of drops is reported once at its start and once at its end.
    if isFirstDrop { streams.report("the --exec command is too slow: old events are dropped") }
  }

  /// Runs the command for each event until the task is cancelled.
  ///
  /// On cancellation, a running command continues, and the events that wait for it are dropped.
  func run() async {
    var left = 0
    defer {
      if left > 0 {
        let events = left == 1 ? "the last event" : "the last \(left) events"
        streams.report("the --exec command was still running: it is not run for \(events)")
      }
    }
    for await event in events {
      // After cancellation, a stream still delivers its buffered elements.
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

  /// Reports once that events wait for a slow command, which may never end.
  private func watchDelay() async {
    await OneShotTimer.wait(until: .now.advanced(by: patience))
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

  /// Records that the command has handled an event.
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

/// Collects lines so that each write contains only whole lines.
///
/// A pipe accepts up to 4096 bytes (`PIPE_BUF`) in one piece, so a reader never sees part of a line
/// that is not longer.
struct WholeLines {
  private static let limit = 4096

  private let output: any TextSink
  private var waiting = ""

  init(_ output: any TextSink) { self.output = output }

  /// Adds a line, including its newline; first writes the earlier lines if one write cannot hold
  /// all.
  mutating func add(_ line: String) throws(OutputError) {
    if waiting.utf8.count + line.utf8.count > Self.limit { try write() }
    waiting += line
  }

  /// Writes the collected lines.
  mutating func write() throws(OutputError) {
    guard !waiting.isEmpty else { return }
    defer { waiting = "" }
    try output.write(waiting)
  }
}
