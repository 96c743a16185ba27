internal import AccessModel
internal import DevicePermissions
internal import JSONText
internal import LinuxDevices
internal import Synchronization

/// Writes the state for a status bar whenever it changes.
final class BarWriter: Sendable {
  private struct State {
    var servers = MediaServerDelay()
    var latest: UseChange?
    var shown: BarOutput?
    /// The pause after which the latest change is handled again.
    var pause: OneShotTimer?
  }

  private let output: any TextSink
  private let state = Mutex(State())
  private let signals: AsyncStream<Void>
  private let signal: AsyncStream<Void>.Continuation

  init(_ output: any TextSink) {
    self.output = output
    (signals, signal) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
  }

  /// Writes the state after a change.
  func take(_ change: UseChange) throws { try write(change) }

  /// Writes the states that result when a use has lasted for a while, until the task is cancelled.
  func run() async throws {
    for await _ in signals { try write(nil) }
  }

  /// Writes the state if it has changed; the lock keeps states in order and makes other writers
  /// wait.
  private func write(_ change: UseChange?) throws {
    let before = try state.withLock { state in
      guard let latest = change ?? state.latest else { return nil as OneShotTimer? }
      state.latest = latest
      state.servers.take(latest.facts, at: .now)
      let bar = BarOutput(latest.facts, absent: latest.absentPaths) { [servers = state.servers] in
        servers.users(of: $0)
      }
      if bar != state.shown { try output.write(JSONWriter.encode(bar) + "\n") }
      state.shown = bar
      defer {
        state.pause = state.servers.due.map { due in
          OneShotTimer(until: due) { [signal] in signal.yield() }
        }
      }
      return state.pause
    }
    // Release the previous pause outside the lock.
    _ = before
  }
}
