internal import AccessModel
internal import DevicePermissions
internal import JSONText
internal import LinuxDevices
internal import Synchronization

/// Writes what a bar shows, each time that it is something else.
final class BarWriter: Sendable {
  private struct State {
    var servers = LastingServers()
    var latest: UseChange?
    var shown: BarOutput?
    /// What has the latest change taken once more.
    var pause: Pause?
  }

  private let output: any TextSink
  private let state = Mutex(State())
  private let signals: AsyncStream<Void>
  private let signal: AsyncStream<Void>.Continuation

  init(_ output: any TextSink) {
    self.output = output
    (signals, signal) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
  }

  /// Writes what is shown after a change.
  func take(_ change: UseChange) throws { try write(change) }

  /// Writes what has become true because it lasts, until the task is cancelled.
  func run() async throws {
    for await _ in signals { try write(nil) }
  }

  /// One state at a time: who writes the next one waits until the bar has taken this one.
  private func write(_ change: UseChange?) throws {
    let before = try state.withLock { state in
      guard let latest = change ?? state.latest else { return nil as Pause? }
      state.latest = latest
      state.servers.take(latest.facts, at: .now)
      let bar = BarOutput(latest.facts, absent: latest.absentPaths) { [servers = state.servers] in
        servers.users(of: $0)
      }
      if bar != state.shown { try output.write(JSONWriter.encode(bar) + "\n") }
      state.shown = bar
      defer {
        state.pause = state.servers.due.map { due in
          Pause(until: due) { [signal] in signal.yield() }
        }
      }
      return state.pause
    }
    // It ends outside of the lock.
    _ = before
  }
}
