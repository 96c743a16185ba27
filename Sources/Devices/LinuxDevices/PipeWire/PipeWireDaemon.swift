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

/// Finds the sockets of users' PipeWire daemons.
struct PipeWireSocket: Sendable {
  let roots: MachineRoots
  let environment: @Sendable (String) -> String?
  /// The ID of the user that runs this process.
  let ownUser: UInt32

  /// Returns the possible paths of a user's daemon socket, the most likely first.
  ///
  /// The environment is considered only for the user that runs this process.
  func paths(of user: UInt32) -> [String] {
    let usual = "\(roots.run)/user/\(user)/pipewire-0"
    guard user == ownUser else { return [usual] }
    let name = environment("PIPEWIRE_REMOTE").flatMap { $0.isEmpty ? nil : $0 } ?? "pipewire-0"
    if name.hasPrefix("/") { return [name] }
    let folders = ["PIPEWIRE_RUNTIME_DIR", "XDG_RUNTIME_DIR"].compactMap(environment)
    let paths = folders.filter { $0.hasPrefix("/") }.prefix(1).map { "\($0)/\(name)" }
    return paths.contains(usual) ? paths : paths + [usual]
  }
}

/// Sends and receives bytes on a connected, nonblocking socket.
enum SocketBytes {
  /// Sends as many bytes as possible without blocking.
  ///
  /// - Returns: The number of bytes that were sent.
  /// - Throws: `EAGAIN` if nothing can be sent now, or another error of the system call.
  static func send(_ bytes: [UInt8], to descriptor: Int32) throws(Errno) -> Int {
    let count = unsafe bytes.withUnsafeBytes { buffer in
      unsafe clinux_send(descriptor, buffer.baseAddress, buffer.count)
    }
    if count < 0 { throw Errno(negated: Int32(truncatingIfNeeded: count)) }
    return count
  }

  /// Receives the available bytes, at most 16 KiB.
  ///
  /// The kernel discards file descriptors that are sent with them.
  ///
  /// - Returns: The bytes; empty at the end of the stream.
  /// - Throws: `EAGAIN` if no bytes are available, or another error of the system call.
  static func receive(from descriptor: Int32) throws(Errno) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: 1 << 14)
    let count = unsafe bytes.withUnsafeMutableBytes { buffer in
      unsafe read(descriptor, buffer.baseAddress, buffer.count)
    }
    if count < 0 { throw .current }
    bytes.removeLast(bytes.count - count)
    return bytes
  }
}
