internal import AccessModel
internal import CLinux
internal import Glibc

/// A connection to a running PipeWire daemon.
///
/// It implements the protocol itself. libpipewire loads modules and configuration files that
/// environment variables and home folders specify. A program that may run as root must not do that
/// for another user's daemon.
struct PipeWireDaemon: ~Copyable {
  private let descriptor: OwnedDescriptor
  /// The deadline for receiving everything that the daemon sends.
  private let deadline: ContinuousClock.Instant
  private var stream = PipeWireStream()

  /// The maximum number of bytes to read before the daemon has answered everything.
  private static let limit = 1 << 24

  /// Connects to a socket without blocking.
  init(_ path: String, limit: Duration = .seconds(1)) throws(Errno) {
    self.init(
      adopting: try OwnedDescriptor(negated: unsafe clinux_connect(ByteText(path).cString)),
      limit: limit)
  }

  /// Takes ownership of a connected, nonblocking socket.
  init(adopting descriptor: consuming OwnedDescriptor, limit: Duration) {
    self.descriptor = descriptor
    deadline = .now + limit
  }

  /// Connects to a user's daemon and waits until it has sent everything.
  ///
  /// - Returns: The connection, or `nil` if no socket answers within the limit.
  static func answering(
    _ user: UInt32, at sockets: PipeWireSocket, within limit: Duration = .seconds(1)
  ) -> PipeWireDaemon? {
    for path in sockets.paths(of: user) {
      do throws(Errno) {
        return try PipeWireDaemon(path, limit: limit).answered()
      } catch {
        // Another socket may answer.
      }
    }
    return nil
  }

  /// The daemon's objects, as received so far.
  var graph: PipeWireGraph { stream.graph }

  /// Continues to receive events, on the event loop.
  ///
  /// - Parameters:
  ///   - budget: The amount of work that the daemon may cause.
  ///   - body: See ``PipeWireWatch/init(_:_:budget:_:)``.
  /// - Returns: The watch.
  /// - Throws: An error if the event loop cannot watch the socket.
  consuming func watch(
    budget: WorkBudget = WorkBudget(), _ body: @escaping @Sendable () -> Void
  ) throws(Errno) -> PipeWireWatch {
    try PipeWireWatch(descriptor, stream, budget: budget, body)
  }

  /// Waits until the daemon has sent all its objects.
  ///
  /// - Throws: `ETIMEDOUT` if the daemon does not answer in time, `EPROTO` if a message is
  ///   malformed or the connection ends, `E2BIG` if the daemon sends too much, or the error of the
  ///   system call.
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
