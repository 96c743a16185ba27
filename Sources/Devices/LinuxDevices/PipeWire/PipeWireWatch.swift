internal import AccessModel
internal import CLinux
internal import Synchronization

/// A connection that receives the events of a PipeWire daemon.
///
/// It does no work while the daemon sends nothing. It ends when this value is released, when the
/// daemon closes the connection or sends a malformed message, and when the daemon exceeds the work
/// budget.
final class PipeWireWatch: Sendable {
  /// The state that the event source retains, which does not retain the watch.
  private final class Ear: Sendable {
    let state: Mutex<Hearing>
    init(_ hearing: Hearing) { state = Mutex(hearing) }
  }

  fileprivate struct Hearing {
    var stream: PipeWireStream
    var budget: WorkBudget
    /// The devices to report, and their uses as last reported.
    var devices: [DeviceFacts] = []
    var told: [PipeWireUse?] = []
    /// The last graph that contained the complete properties of every object.
    var graph: PipeWireGraph
    /// The time when the connection began to wait for a reply; `nil` if it is not waiting.
    var waitsSince: ContinuousClock.Instant?
    var isOver = false
  }

  /// The time within which a daemon must reply.
  private static let patience = Duration.seconds(2)

  private let ear: Ear
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
    let ear = Ear(Hearing(stream: stream, budget: budget, graph: stream.graph))
    self.ear = ear
    registration = try EventLoop.shared.watch(
      DescriptorSource(descriptor, interest: CLINUX_READABLE) { descriptor, _ in
        let (isTold, goesOn) = ear.state.withLock { hearing in
          let isTold = hearing.listen(to: descriptor)
          return (isTold, !hearing.isOver)
        }
        if isTold { body() }
        return goesOn
      })
  }

  /// The daemon's current objects; `nil` after the connection has ended.
  var graph: PipeWireGraph? {
    ear.state.withLock { hearing in
      if let since = hearing.waitsSince, since.duration(to: .now) > Self.patience {
        hearing.isOver = true
      }
      return hearing.isOver ? nil : hearing.graph
    }
  }

  /// Sets the devices to follow.
  ///
  /// - Parameters:
  ///   - devices: The devices.
  ///   - graph: The value of ``graph`` when the devices were inspected.
  /// - Returns: `true` if the users have changed since then, or if the connection has ended.
  func follow(_ devices: [DeviceFacts], asIn graph: PipeWireGraph) -> Bool {
    ear.state.withLock { hearing in
      hearing.devices = devices
      hearing.told = graph.uses(of: devices)
      return hearing.isOver
        || hearing.graph.revision != graph.revision && (try? hearing.isOther()) ?? true
    }
  }
}

extension PipeWireWatch.Hearing {
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
    defer { told = now }
    return now != told
  }

  /// The cost of inspecting one object, in steps of the budget.
  private static let stepsForEach = 8

  private mutating func spend(_ work: Int) throws(Errno) {
    guard budget.spend(work) else { throw .tooBig }
  }
}
