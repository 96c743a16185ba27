package import AccessModel
internal import CLinux
internal import Glibc
internal import Synchronization

/// A connection that receives the events of a PipeWire daemon.
///
/// It does no work while the daemon sends nothing. It ends when this value is released, when the
/// daemon closes the connection or sends a malformed message, and when the daemon exceeds the work
/// budget.
final class PipeWireWatch: Sendable {
  /// The state that the event source retains, which does not retain the watch.
  private final class SharedConnection: Sendable {
    let state: Mutex<ConnectionState>
    init(_ current: ConnectionState) { state = Mutex(current) }
  }

  fileprivate struct ConnectionState {
    var stream: PipeWireStream
    var budget: WorkBudget
    /// The devices to report, and their uses as last reported.
    var devices: [DeviceFacts] = []
    var reported: [PipeWireUse?] = []
    /// The last graph that contained the complete properties of every object.
    var graph: PipeWireGraph
    /// The time when the connection began to wait for a reply; `nil` if it is not waiting.
    var waitsSince: ContinuousClock.Instant?
    var isOver = false
  }

  /// The time within which a daemon must reply.
  private static let patience = Duration.seconds(2)

  private let connection: SharedConnection
  private let registration: WatchRegistration

  /// Takes over a conversation after the daemon has answered everything.
  ///
  /// - Parameters:
  ///   - descriptor: The nonblocking socket.
  ///   - stream: The state of the conversation.
  ///   - budget: The amount of work that the daemon may cause.
  ///   - body: Called on the event loop's thread when the users of a followed device may have
  ///     changed, and when the connection ends.
  /// - Throws: An error if the event loop cannot watch the socket.
  init(
    _ descriptor: consuming OwnedDescriptor, _ stream: PipeWireStream, budget: WorkBudget,
    _ body: @escaping @Sendable () -> Void
  ) throws(Errno) {
    let connection = SharedConnection(
      ConnectionState(stream: stream, budget: budget, graph: stream.graph))
    self.connection = connection
    registration = try EventLoop.shared.watch(
      DescriptorSource(descriptor, interest: CLINUX_READABLE) { descriptor, _ in
        let (hasChanged, goesOn) = connection.state.withLock { current in
          let hasChanged = current.listen(to: descriptor)
          return (hasChanged, !current.isOver)
        }
        if hasChanged { body() }
        return goesOn
      })
  }

  /// The daemon's current objects; `nil` after the connection has ended.
  var graph: PipeWireGraph? {
    connection.state.withLock { current in
      if let since = current.waitsSince, since.duration(to: .now) > Self.patience {
        current.isOver = true
      }
      return current.isOver ? nil : current.graph
    }
  }

  /// Sets the devices to follow.
  ///
  /// - Parameters:
  ///   - devices: The devices.
  ///   - graph: The value of ``graph`` when the devices were inspected.
  /// - Returns: `true` if the users have changed since then, or if the connection has ended.
  func follow(_ devices: [DeviceFacts], asIn graph: PipeWireGraph) -> Bool {
    connection.state.withLock { current in
      current.devices = devices
      current.reported = graph.uses(of: devices)
      return current.isOver
        || current.graph.revision != graph.revision && (try? current.isOther()) ?? true
    }
  }
}

extension PipeWireWatch.ConnectionState {
  /// Receives the daemon's messages and replies to them.
  ///
  /// - Returns: `true` if a use has changed or the connection has ended.
  fileprivate mutating func listen(to descriptor: Int32) -> Bool {
    guard !isOver else { return false }
    let bytes: [UInt8]
    do throws(Errno) {
      bytes = try SocketBytes.receive(from: descriptor)
    } catch {
      isOver = error != .tryAgain && error != .interrupted
      return isOver
    }
    do throws(Errno) {
      guard !bytes.isEmpty else { throw .protocolError }
      try spend(bytes.count)
      try stream.take(bytes[...])
      while !stream.output.isEmpty {
        // If the daemon does not read its socket, the watch ends instead of blocking.
        stream.sent(try SocketBytes.send(stream.output, to: descriptor))
      }
      guard stream.isFinished else {
        waitsSince = waitsSince ?? .now
        return false
      }
      waitsSince = nil
      guard stream.graph.revision != graph.revision else { return false }
      graph = stream.graph
      return try isOther()
    } catch {
      isOver = true
      return true
    }
  }

  /// Returns whether the daemon reports a use that differs from the last reported one.
  fileprivate mutating func isOther() throws(Errno) -> Bool {
    try spend(Self.stepsForEach * graph.objects.count * (devices.count + 2))
    let now = graph.uses(of: devices)
    defer { reported = now }
    return now != reported
  }

  /// The cost of inspecting one object, in steps of the budget.
  private static let stepsForEach = 8

  private mutating func spend(_ work: Int) throws(Errno) {
    guard budget.spend(work) else { throw .tooBig }
  }
}

/// The connections of one use watch to the PipeWire daemons that hold a device open.
///
/// Such a daemon is already running, so connecting to its socket does not start it.
package final class PipeWireWatches: Sendable {
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

  /// Creates a set of watches without connecting to any daemon of a machine.
  package convenience init(
    roots: MachineRoots, environment: @escaping @Sendable (String) -> String?,
    _ body: @escaping @Sendable () -> Void
  ) {
    self.init(
      PipeWireSocket(roots: roots, environment: environment, ownUser: geteuid()), body)
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
  package func takeWaited() -> Duration {
    state.withLock { state in
      defer { state.waited = .zero }
      return state.waited
    }
  }

  /// Follows the devices that each daemon holds, and disconnects from daemons that hold none.
  ///
  /// - Parameter facts: The result of the scan that has just ended.
  package func follow(_ facts: UseFacts) {
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
  package func isReported(by process: HoldingProcess) -> Bool {
    guard process.isPipeWire, let user = process.user else { return false }
    return state.withLock { $0.daemons[user]?.watch }?.graph != nil
  }

  package func end() {
    let all = state.withLock { state in
      defer { state.daemons = [:] }
      state.isOver = true
      return state.daemons
    }
    _ = all
  }
}

/// A limit for the work that another program may cause: a burst, and a rate per second.
struct WorkBudget: Sendable {
  private let most: Int
  private let eachSecond: Int
  private var left: Int
  private var moment = ContinuousClock.now

  /// Creates a budget in steps, each of which takes a few nanoseconds.
  ///
  /// The default allows a burst of a few tenths of a second of processor time, and a few hundredths
  /// of a second in each second.
  init(most: Int = 1 << 24, eachSecond: Int = 1 << 20) {
    self.most = most
    self.eachSecond = eachSecond
    left = most
  }

  /// Subtracts some work from the budget.
  ///
  /// - Returns: `true` if the budget was sufficient.
  mutating func spend(_ work: Int) -> Bool {
    let now = ContinuousClock.now
    let earned = moment.duration(to: now) / .seconds(1) * Double(eachSecond)
    left = Int(min(Double(left) + earned, Double(most))) - work
    moment = now
    return left >= 0
  }
}
