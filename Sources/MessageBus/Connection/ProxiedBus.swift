internal import CSystemd
internal import Glibc

/// Connects to a bus through xdg-dbus-proxy, which stands before it in a Flatpak sandbox.
///
/// sd-bus(3) sends all lines of its handshake at once. That proxy took what the bus answers for messages
/// then, and hung up, until its release 0.1.6. So the handshake with the proxy is made here, line by
/// line, and sd-bus makes its own with the other end of a pair of sockets. When it has, the socket of
/// the proxy takes the place of that pair, under the same number. Nothing more is sent before the bus
/// has answered `Hello`: the same releases mix up the numbers of what comes together with it.
enum ProxiedBus {
  /// Whether this process is in a sandbox of Flatpak, or in one that says so.
  ///
  /// The portal knows programs in a sandbox by the same file.
  static let isLikely = unsafe access("/.flatpak-info", F_OK) == 0

  /// As long as a proxy that does not answer is waited for.
  private static let patience = Duration.seconds(5)
  /// As often sd-bus is asked to go on: it needs a few turns.
  private static let mostTurns = 32

  /// Connects.
  ///
  /// - Parameters:
  ///   - name: The socket of the proxy.
  ///   - systemd: The functions.
  /// - Returns: The connection, of the C type `sd_bus`.
  /// - Throws: What keeps the bus from being reached; `EACCES` where it refuses this user.
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

  /// What the bus said: the line with its identifier, and the one about descriptors.
  private struct Welcome {
    let acceptance: String
    let descriptors: String
  }

  /// Makes the handshake of the D-Bus specification, chapter "Authentication Protocol".
  private static func greet(_ proxy: BusStream) throws(BusFailure) -> Welcome {
    try proxy.send([0])
    // The socket tells who asks, which a number may not in a namespace of users.
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

  /// Answers sd-bus as the bus has answered.
  private static func answerGreeting(
    on stream: BusStream, with welcome: Welcome
  ) throws(BusFailure) {
    var lines: Set<String> = []
    while lines.insert(try stream.line()).inserted, !lines.contains("BEGIN") {}
    // Before 246 it sends its user with the first line, and expects no question.
    if lines.contains("DATA") { try stream.send(line: "DATA") }
    try stream.send(line: welcome.acceptance)
    if lines.contains("NEGOTIATE_UNIX_FD") { try stream.send(line: welcome.descriptors) }
  }

  /// The message with which sd-bus begins: `Hello`, which it has ready.
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
