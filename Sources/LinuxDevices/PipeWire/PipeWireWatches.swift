internal import AccessModel
internal import Synchronization

/// The PipeWire daemons that one watch listens to: those that were seen to have a device open.
///
/// Such a daemon runs, so that connecting starts nothing.
final class PipeWireWatches: Sendable {
  private struct Daemon {
    /// Since when it is listened to, or was found not to answer.
    var began = ContinuousClock.now
    /// `nil` for one that did not answer, or cannot be watched.
    var watch: PipeWireWatch?
    /// For how long it is not asked again.
    var pause = PipeWireWatches.pause
    /// Since when it does not answer.
    var silence: ContinuousClock.Instant?
    /// What the look that goes on was told; `nil` for one that was not asked in it.
    var shown: PipeWireGraph?
  }

  private struct State {
    var daemons: [UInt32: Daemon] = [:]
    /// How long was waited for daemons.
    var waited = Duration.zero
    var isOver = false
  }

  /// A daemon that ends connections, or does not answer, is not asked more often than this; once it has not
  /// answered for longer than it may be busy, each time for twice as long.
  ///
  /// While it is waited for, nobody looks who opens other devices.
  private static let pause = Duration.seconds(1)
  private static let longestPause = Duration.seconds(60)
  private static let busyTime = Duration.seconds(10)
  /// One that answers does so within some milliseconds; a slow one is asked again.
  private static let patience = Duration.milliseconds(100)

  private let state = Mutex(State())
  private let sockets: PipeWireSocket
  private let body: @Sendable () -> Void

  /// - Parameters:
  ///   - sockets: Where the daemons listen.
  ///   - body: Called when a device may have other users.
  init(_ sockets: PipeWireSocket, _ body: @escaping @Sendable () -> Void) {
    self.sockets = sockets
    self.body = body
  }

  /// What the daemon of a user knows, for the look that goes on; `nil` when it does not answer.
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
    // The connection before, if there was one, ends here, outside of the lock.
    return daemon.shown
  }

  /// How long was waited for daemons since this was last called.
  func takeWaited() -> Duration {
    state.withLock { state in
      defer { state.waited = .zero }
      return state.waited
    }
  }

  /// Listens to the daemons that hold devices, and to no others.
  ///
  /// - Parameter facts: What the look has seen, which is over.
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
    // Ends outside of the lock.
    _ = gone
  }

  /// Whether a daemon tells what its clients do.
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
