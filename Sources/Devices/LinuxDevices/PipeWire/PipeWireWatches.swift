internal import AccessModel
internal import Synchronization

/// The connections of one use watch to the PipeWire daemons that hold a device open.
///
/// Such a daemon is already running, so connecting to its socket does not start it.
final class PipeWireWatches: Sendable {
  private struct Daemon {
    /// The time of the last connection attempt.
    var began = ContinuousClock.now
    /// The connection; `nil` if the daemon did not answer or cannot be watched.
    var watch: PipeWireWatch?
    /// The time to wait before the next attempt.
    var pause = PipeWireWatches.pause
    /// The time of the first in a series of failed attempts; `nil` after a successful one.
    var silence: ContinuousClock.Instant?
    /// The graph that the current scan received; `nil` if it did not ask this daemon.
    var shown: PipeWireGraph?
  }

  private struct State {
    var daemons: [UInt32: Daemon] = [:]
    /// The total time spent waiting for daemons.
    var waited = Duration.zero
    var isOver = false
  }

  /// The minimum time between attempts to connect to a daemon.
  ///
  /// If the daemon has not answered for `busyTime`, the pause doubles after each attempt, up to
  /// `longestPause`. Each attempt delays the scan for users of other devices.
  private static let pause = Duration.seconds(1)
  private static let longestPause = Duration.seconds(60)
  private static let busyTime = Duration.seconds(10)
  /// The time to wait for a daemon.
  ///
  /// A working daemon answers within milliseconds. Any other daemon is asked again later.
  private static let patience = Duration.milliseconds(100)

  private let state = Mutex(State())
  private let sockets: PipeWireSocket
  private let body: @Sendable () -> Void

  /// Creates a set of watches without connecting to any daemon.
  ///
  /// - Parameters:
  ///   - sockets: Finds the sockets of the daemons.
  ///   - body: Called when the users of a device may have changed, on any thread.
  init(_ sockets: PipeWireSocket, _ body: @escaping @Sendable () -> Void) {
    self.sockets = sockets
    self.body = body
  }

  /// Returns the graph of a user's daemon for the current scan, or `nil` if it does not answer.
  func graph(of user: UInt32) -> PipeWireGraph? {
    let before = state.withLock { $0.daemons[user] }
    if let before {
      let graph = before.watch?.graph
      if graph != nil || before.began.duration(to: .now) < before.pause {
        state.withLock { $0.daemons[user]?.shown = graph }
        return graph
      }
    }
    let start = ContinuousClock.now
    var daemon = Daemon()
    defer { state.withLock { $0.waited += start.duration(to: .now) } }
    if let answering = PipeWireDaemon.answering(user, at: sockets, within: Self.patience) {
      daemon.shown = answering.graph
      daemon.watch = try? answering.watch(body)
    } else {
      let silence = before?.silence ?? start
      daemon.silence = silence
      if let before, silence.duration(to: start) > Self.busyTime {
        daemon.pause = min(before.pause * 2, Self.longestPause)
      }
    }
    daemon.began = .now
    state.withLock { state in
      if !state.isOver { state.daemons[user] = daemon }
    }
    // A previous connection ends here, outside the lock.
    return daemon.shown
  }

  /// Returns the time spent waiting for daemons since the last call.
  func takeWaited() -> Duration {
    state.withLock { state in
      defer { state.waited = .zero }
      return state.waited
    }
  }

  /// Follows the devices that each daemon holds, and disconnects from daemons that hold none.
  ///
  /// - Parameter facts: The result of the scan that has just ended.
  func follow(_ facts: UseFacts) {
    var devices: [UInt32: [DeviceFacts]] = [:]
    for use in facts.devices {
      for user in Set(use.holders.map(\.process).filter(\.isPipeWire).compactMap(\.user)) {
        devices[user, default: []] += [use.device].compactMap(\.self)
      }
    }
    let (kept, gone) = state.withLock { state in
      let gone = state.daemons.filter { devices[$0.key] == nil }
      for user in gone.keys { state.daemons[user] = nil }
      let kept = state.daemons
      for user in kept.keys { state.daemons[user]?.shown = nil }
      return (kept, gone)
    }
    for (user, daemon) in kept {
      guard let watch = daemon.watch, let shown = daemon.shown else { continue }
      if watch.follow(devices[user] ?? [], asIn: shown) { body() }
    }
    // The connections end here, outside the lock.
    _ = gone
  }

  /// Returns whether a process is a daemon that reports what its clients do.
  func isTold(by process: HoldingProcess) -> Bool {
    guard process.isPipeWire, let user = process.user else { return false }
    return state.withLock { $0.daemons[user]?.watch }?.graph != nil
  }

  func end() {
    let all = state.withLock { state in
      defer { state.daemons = [:] }
      state.isOver = true
      return state.daemons
    }
    _ = all
  }
}
