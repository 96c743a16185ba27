internal import AccessModel
internal import CLinux
internal import Glibc

/// A connection to a PipeWire daemon that runs.
///
/// It speaks the protocol itself: libpipewire loads modules and settings that the environment and
/// home folders name, which a program that may run as root must not do for somebody else's daemon.
struct PipeWireDaemon: ~Copyable {
  private let descriptor: Int32
  /// Until when everything has to be answered.
  private let deadline: ContinuousClock.Instant

  /// The longest message, and the most that is read of a daemon that never ends.
  private static let limit = 1 << 24

  /// Connects to a socket, without waiting for whoever listens.
  init(_ path: String, limit: Duration = .seconds(1)) throws(Errno) {
    self.init(
      adopting: try Errno.check(negated: unsafe clinux_connect(ByteText(path).cString)),
      limit: limit)
  }

  /// Takes over a connected socket that does not wait.
  init(adopting descriptor: Int32, limit: Duration) {
    self.descriptor = descriptor
    deadline = .now + limit
  }

  deinit { close(descriptor) }

  /// What the daemon knows of its devices.
  ///
  /// - Throws: `ETIMEDOUT` when it does not answer in time, `EPROTO` when it answers something else.
  func graph() throws(Errno) -> PipeWireGraph {
    var conversation = PipeWireConversation()
    var output = conversation.start()
    var input: [UInt8] = []
    var total = 0
    while !conversation.isFinished {
      try send(&output)
      total += try receive(into: &input, most: 1 << 16)
      guard total <= Self.limit else { throw .tooBig }
      var start = 0
      while let size = PipeWireMessage.size(of: input[start...]), input.count - start >= size {
        guard let message = PipeWireMessage(parsing: input[start..<(start + size)]) else {
          throw .protocolError
        }
        output += conversation.receive(message)
        start += size
      }
      input.removeFirst(start)
    }
    return conversation.graph
  }

  private func send(_ bytes: inout [UInt8]) throws(Errno) {
    while !bytes.isEmpty {
      let count = unsafe bytes.withUnsafeBytes { buffer in
        unsafe clinux_send(descriptor, buffer.baseAddress, buffer.count)
      }
      if count >= 0 {
        bytes.removeFirst(count)
      } else {
        try wait(Errno(negated: Int32(truncatingIfNeeded: count)), for: POLLOUT)
      }
    }
  }

  private func receive(into bytes: inout [UInt8], most: Int) throws(Errno) -> Int {
    let before = bytes.count
    bytes.append(contentsOf: repeatElement(0, count: most))
    while true {
      // Descriptors that come along are dropped by the kernel.
      let count = unsafe bytes.withUnsafeMutableBytes { buffer in
        unsafe read(descriptor, buffer.baseAddress! + before, most)
      }
      let failure = Errno.current
      if count >= 0 {
        bytes.removeLast(most - count)
        guard count > 0 else { throw .protocolError }
        return count
      }
      try wait(failure, for: POLLIN)
    }
  }

  private func wait(_ error: Errno, for event: Int32) throws(Errno) {
    if error == .interrupted { return }
    guard error == .tryAgain else { throw error }
    let left = ContinuousClock.now.duration(to: deadline) / .milliseconds(1)
    guard left > 0 else { throw .timedOut }
    var entry = pollfd(fd: descriptor, events: Int16(event), revents: 0)
    _ = unsafe poll(&entry, 1, Int32(left.rounded(.up)))
  }
}
