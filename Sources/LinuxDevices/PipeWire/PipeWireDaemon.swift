internal import AccessModel
internal import CLinux
internal import Glibc

/// A connection to a PipeWire daemon that runs.
///
/// It speaks the protocol itself: libpipewire loads modules and settings that the environment and
/// home folders name, which a program that may run as root must not do for somebody else's daemon.
struct PipeWireDaemon: ~Copyable {
  private let descriptor: OwnedDescriptor
  /// Until when everything has to be answered.
  private let deadline: ContinuousClock.Instant
  private var stream = PipeWireStream()

  /// The longest message, and the most that is read of a daemon that never ends.
  private static let limit = 1 << 24

  /// Connects to a socket, without waiting for whoever listens.
  init(_ path: String, limit: Duration = .seconds(1)) throws(Errno) {
    self.init(
      adopting: try OwnedDescriptor(negated: unsafe clinux_connect(ByteText(path).cString)),
      limit: limit)
  }

  /// Takes over a connected socket that does not wait.
  init(adopting descriptor: consuming OwnedDescriptor, limit: Duration) {
    self.descriptor = descriptor
    deadline = .now + limit
  }

  /// The daemon of a user, once it has said everything; `nil` where none answers in time.
  static func answering(
    _ user: UInt32, at sockets: PipeWireSocket, within limit: Duration = .seconds(1)
  ) -> PipeWireDaemon? {
    for path in sockets.paths(of: user) {
      do throws(Errno) {
        return try PipeWireDaemon(path, limit: limit).answered()
      } catch {
        // The next one may answer.
      }
    }
    return nil
  }

  /// What the daemon has said of its devices.
  var graph: PipeWireGraph { stream.graph }

  /// Goes on to listen, on the event loop.
  ///
  /// - Parameters:
  ///   - budget: How much work the daemon may cause.
  ///   - body: As of ``PipeWireWatch/init(_:_:budget:_:)``.
  /// - Throws: What keeps it from being watched.
  /// - Returns: The watch.
  consuming func watch(
    budget: WorkBudget = WorkBudget(), _ body: @escaping @Sendable () -> Void
  ) throws(Errno) -> PipeWireWatch {
    try PipeWireWatch(descriptor, stream, budget: budget, body)
  }

  /// Waits until the daemon has said everything.
  ///
  /// - Throws: `ETIMEDOUT` when it does not answer in time, `EPROTO` when it answers something else.
  consuming func answered() throws(Errno) -> PipeWireDaemon {
    var total = 0
    while !stream.isFinished {
      try send()
      total += try receive()
      guard total <= Self.limit else { throw .tooBig }
    }
    return self
  }

  private mutating func send() throws(Errno) {
    while !stream.output.isEmpty {
      do throws(Errno) {
        stream.sent(try SocketBytes.send(stream.output, to: descriptor.number))
      } catch {
        try wait(error, for: POLLOUT)
      }
    }
  }

  private mutating func receive() throws(Errno) -> Int {
    while true {
      do throws(Errno) {
        let bytes = try SocketBytes.receive(from: descriptor.number)
        guard !bytes.isEmpty else { throw .protocolError }
        try stream.take(bytes[...])
        return bytes.count
      } catch {
        try wait(error, for: POLLIN)
      }
    }
  }

  private func wait(_ error: Errno, for event: Int32) throws(Errno) {
    if error == .interrupted { return }
    guard error == .tryAgain else { throw error }
    let left = ContinuousClock.now.duration(to: deadline) / .milliseconds(1)
    guard left > 0 else { throw .timedOut }
    var entry = pollfd(fd: descriptor.number, events: Int16(event), revents: 0)
    _ = unsafe poll(&entry, 1, Int32(left.rounded(.up)))
  }
}
