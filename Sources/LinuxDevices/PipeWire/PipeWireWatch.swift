internal import AccessModel
internal import CLinux
internal import Synchronization

/// A PipeWire daemon that goes on telling what happens to its objects.
///
/// It costs nothing while nothing happens there, and ends with this value, or when the daemon ends,
/// says what is no message, or keeps this side too busy.
final class PipeWireWatch: Sendable {
  /// What the source knows, which does not keep the watch alive.
  private final class Ear: Sendable {
    let state: Mutex<Hearing>
    init(_ hearing: Hearing) { state = Mutex(hearing) }
  }

  fileprivate struct Hearing {
    var stream: PipeWireStream
    var budget: WorkBudget
    /// The devices that matter, and what was told of them.
    var devices: [DeviceFacts] = []
    var told: [PipeWireUse?] = []
    /// The latest graph in which every object is known whole.
    var graph: PipeWireGraph
    /// Since when something has not been answered.
    var waitsSince: ContinuousClock.Instant?
    var isOver = false
  }

  /// How long a daemon may owe an answer.
  private static let patience = Duration.seconds(2)

  private let ear: Ear
  private let registration: WatchRegistration

  /// Takes over a conversation that everything was answered in.
  ///
  /// - Parameters:
  ///   - descriptor: The socket, which does not wait.
  ///   - stream: What was said on it.
  ///   - budget: How much work the daemon may cause.
  ///   - body: Called on the event loop's thread when a device that matters may have other users,
  ///     and when the daemon says no more.
  /// - Throws: What keeps it from being watched.
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

  /// What the daemon knows now; `nil` once it says no more.
  var graph: PipeWireGraph? {
    ear.state.withLock { hearing in
      if let since = hearing.waitsSince, since.duration(to: .now) > Self.patience {
        hearing.isOver = true
      }
      return hearing.isOver ? nil : hearing.graph
    }
  }

  /// Says which devices matter, and what was seen of them.
  ///
  /// - Parameters:
  ///   - devices: The devices.
  ///   - graph: What ``graph`` was when they were looked at.
  /// - Returns: Whether that no longer holds.
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
  /// Takes what the daemon says, and answers.
  ///
  /// - Returns: Whether there is something to tell.
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
        // A daemon that does not read is not waited for.
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

  /// Whether what the daemon knows of the devices is something else than was told.
  fileprivate mutating func isOther() throws(Errno) -> Bool {
    try spend(Self.stepsForEach * graph.objects.count * (devices.count + 2))
    let now = graph.uses(of: devices)
    defer { told = now }
    return now != told
  }

  /// What it takes to look at an object.
  private static let stepsForEach = 8

  private mutating func spend(_ work: Int) throws(Errno) {
    guard budget.spend(work) else { throw .tooBig }
  }
}
