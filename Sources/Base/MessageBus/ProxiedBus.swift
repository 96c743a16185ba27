internal import CSystemd
internal import Glibc

/// Connects to a bus through xdg-dbus-proxy, which is in front of the bus in a Flatpak sandbox.
///
/// sd-bus(3) sends all lines of its handshake at once. Releases of the proxy before 0.1.6 then
/// mistake the bus's reply for messages, and disconnect. Therefore, this type performs the
/// handshake with the proxy line by line, and sd-bus performs its own handshake with one end of a
/// socket pair. Then the proxy's socket replaces that end, and keeps its descriptor number. Nothing
/// else is sent before the bus has replied to `Hello`, because these releases also confuse the
/// serial numbers of messages that are sent with it.
enum ProxiedBus {
  /// A Boolean value that indicates whether this process is in a Flatpak sandbox, or in one that
  /// claims to be.
  ///
  /// The portal recognizes sandboxed programs by the same file.
  static let isLikely = unsafe access("/.flatpak-info", F_OK) == 0

  /// The longest time to wait for a proxy that does not respond.
  private static let patience = Duration.seconds(5)
  /// The maximum number of steps until sd-bus sends its first message; it needs a few.
  private static let mostTurns = 32

  /// Connects to a bus.
  ///
  /// - Parameters:
  ///   - name: The socket of the proxy.
  ///   - systemd: The functions of libsystemd.
  /// - Returns: The connection, whose C type is `sd_bus`.
  /// - Throws: The error that prevents connecting; `EACCES` if the bus refuses this user.
  static func open(
    _ name: BusSocketName, _ systemd: csystemd
  ) throws(BusFailure) -> OpaquePointer {
    let deadline = ContinuousClock.now + patience
    let proxy = try BusStream.connected(to: name, until: deadline)
    defer { close(proxy.descriptor) }
    let welcome = try greet(proxy)
    let (own, other) = try BusStream.pair(until: deadline)
    defer { close(other.descriptor) }
    var raw: OpaquePointer?
    let result = unsafe systemd.sd_bus_new(&raw)
    guard result >= 0, let raw = unsafe raw else {
      close(own)
      throw BusFailure(negated: min(result, -1))
    }
    do throws(BusFailure) {
      let isTaken = unsafe systemd.sd_bus_set_fd(raw, own, own)
      if isTaken < 0 { close(own) }
      try BusFailure.check(isTaken)
      try BusFailure.check(unsafe systemd.sd_bus_set_bus_client(raw, 1))
      try BusFailure.check(unsafe systemd.sd_bus_start(raw))
      try answerGreeting(on: other, with: welcome)
      try proxy.send(try unsafe firstMessage(of: raw, systemd, from: other))
      let replaced = csystemd_replace(own, proxy.descriptor)
      guard replaced == own else { throw BusFailure(errno: errno) }
      let stream = BusStream(descriptor: own, deadline: deadline)
      while try BusFailure.check(unsafe systemd.sd_bus_is_ready(raw)) == 0 {
        if try BusFailure.check(unsafe systemd.sd_bus_process(raw, nil)) == 0 {
          try stream.wait(for: POLLIN)
        }
      }
    } catch {
      _ = unsafe systemd.sd_bus_close_unref(raw)
      throw error
    }
    return unsafe raw
  }

  /// The replies of the bus: the line with its identifier, and the line about descriptors.
  private struct Welcome {
    let acceptance: String
    let descriptors: String
  }

  /// Performs the handshake of the D-Bus specification, chapter "Authentication Protocol".
  private static func greet(_ proxy: BusStream) throws(BusFailure) -> Welcome {
    try proxy.send([0])
    // The socket identifies the user. A user ID would be wrong in some user namespaces.
    try proxy.send(line: "AUTH EXTERNAL")
    var line = try proxy.line()
    if line.hasPrefix("DATA") {
      try proxy.send(line: "DATA")
      line = try proxy.line()
    }
    let identifier = line.dropFirst(3)
    guard line.hasPrefix("OK "), identifier.utf8.count == 32, identifier.allSatisfy(\.isHexDigit)
    else {
      throw BusFailure(errno: line.hasPrefix("REJECTED") ? EACCES : EPROTO)
    }
    try proxy.send(line: "NEGOTIATE_UNIX_FD")
    let descriptors = try proxy.line()
    try proxy.send(line: "BEGIN")
    return Welcome(acceptance: line, descriptors: descriptors)
  }

  /// Sends the replies of the bus to sd-bus.
  private static func answerGreeting(
    on stream: BusStream, with welcome: Welcome
  ) throws(BusFailure) {
    var lines: Set<String> = []
    while lines.insert(try stream.line()).inserted, !lines.contains("BEGIN") {}
    // Before version 246, sd-bus sends its user in the first line, and expects no `DATA`.
    if lines.contains("DATA") { try stream.send(line: "DATA") }
    try stream.send(line: welcome.acceptance)
    if lines.contains("NEGOTIATE_UNIX_FD") { try stream.send(line: welcome.descriptors) }
  }

  /// Returns the first message of sd-bus, which is `Hello`.
  private static func firstMessage(
    of raw: OpaquePointer, _ systemd: csystemd, from stream: BusStream
  ) throws(BusFailure) -> [UInt8] {
    for _ in 0..<mostTurns {
      try BusFailure.check(unsafe systemd.sd_bus_process(raw, nil))
      let bytes = try stream.read(atMost: 4096)
      if !bytes.isEmpty { return bytes }
    }
    throw BusFailure(errno: EPROTO)
  }
}

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
