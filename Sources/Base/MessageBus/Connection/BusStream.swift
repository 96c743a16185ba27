internal import Glibc

/// A socket from which lines are read before messages.
///
/// No call waits past the deadline, and ``line()`` reads nothing after the end of the line. The
/// caller that creates the stream must close its descriptor.
struct BusStream {
  let descriptor: Int32
  let deadline: ContinuousClock.Instant

  /// Connects to a socket.
  ///
  /// - Throws: The error of socket(2) or connect(2).
  static func connected(
    to name: BusSocketName, until deadline: ContinuousClock.Instant
  ) throws(BusFailure) -> BusStream {
    let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    let number = socket(AF_UNIX, kind | Int32(SOCK_NONBLOCK.rawValue), 0)
    guard number >= 0 else { throw BusFailure(errno: errno) }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: name.bytes) }
    // The end of an abstract name is determined by the length of the address.
    let isAbstract = name.bytes.first == 0
    let length =
      MemoryLayout<sockaddr_un>.offset(of: \.sun_path).map {
        socklen_t($0 + name.bytes.count + (isAbstract ? 0 : 1))
      } ?? 0
    let result = unsafe withUnsafePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
        unsafe connect(number, pointer, length)
      }
    }
    guard result == 0 else {
      let failure = BusFailure(errno: errno)
      close(number)
      throw failure
    }
    return BusStream(descriptor: number, deadline: deadline)
  }

  /// Creates a pair of connected sockets; the first is for sd-bus(3), which closes it.
  static func pair(
    until deadline: ContinuousClock.Instant
  ) throws(BusFailure) -> (own: Int32, other: BusStream) {
    var numbers: [Int32] = [-1, -1]
    let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    guard unsafe socketpair(AF_UNIX, kind | Int32(SOCK_NONBLOCK.rawValue), 0, &numbers) == 0 else {
      throw BusFailure(errno: errno)
    }
    return (numbers[0], BusStream(descriptor: numbers[1], deadline: deadline))
  }

  /// Sends bytes.
  ///
  /// - Throws: `ECONNRESET` if the other side has disconnected.
  func send(_ bytes: [UInt8]) throws(BusFailure) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes { bytes in
        unsafe Glibc.send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
      }
      if count >= 0 {
        rest = rest.dropFirst(count)
      } else if errno == EAGAIN {
        try wait(for: POLLOUT)
      } else if errno != EINTR {
        // The other side has disconnected, so throw the same error as for reading.
        throw BusFailure(errno: errno == EPIPE ? ECONNRESET : errno)
      }
    }
  }

  /// Sends a line.
  func send(line: String) throws(BusFailure) { try send(Array("\(line)\r\n".utf8)) }

  /// Returns the bytes that can be read without waiting; empty if there are none.
  ///
  /// - Throws: `ECONNRESET` if the other side has disconnected.
  func read(atMost limit: Int) throws(BusFailure) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: limit)
    while true {
      let count = unsafe recv(descriptor, &bytes, limit, 0)
      if count > 0 { return Array(bytes.prefix(count)) }
      if count == 0 { throw BusFailure(errno: ECONNRESET) }
      if errno == EAGAIN { return [] }
      if errno != EINTR { throw BusFailure(errno: errno) }
    }
  }

  /// Returns the next line, without its terminator.
  ///
  /// - Throws: `EPROTO` if the line is too long or not valid UTF-8.
  func line() throws(BusFailure) -> String {
    var line: [UInt8] = []
    while line.count < Self.longestLine {
      // Read one byte at a time, because bytes after the line are for another reader.
      let byte = try read(atMost: 1)
      if byte.isEmpty {
        try wait(for: POLLIN)
        continue
      }
      line += byte
      guard line.suffix(2) == Self.lineEnd[...] else { continue }
      guard let text = String(validating: line.dropLast(2), as: UTF8.self) else { break }
      return text
    }
    throw BusFailure(errno: EPROTO)
  }

  private static let longestLine = 1024
  private static let lineEnd = Array("\r\n".utf8)

  /// Waits until bytes can be sent or received.
  func wait(for event: Int32) throws(BusFailure) {
    let left = (deadline - .now).components
    guard left.seconds >= 0, left.attoseconds >= 0 else { throw .timedOut }
    let milliseconds = left.seconds * 1_000 + left.attoseconds / 1_000_000_000_000_000 + 1
    var wanted = pollfd(fd: descriptor, events: Int16(truncatingIfNeeded: event), revents: 0)
    let result = unsafe poll(&wanted, 1, Int32(clamping: milliseconds))
    guard result >= 0 || errno == EINTR else { throw BusFailure(errno: errno) }
  }
}
