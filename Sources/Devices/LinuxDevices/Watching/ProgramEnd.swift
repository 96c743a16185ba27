internal import AccessModel
internal import CLinux
internal import Glibc
internal import Synchronization

/// Reports when a program that runs until it is interrupted must end.
package enum ProgramEnd {
  /// The descriptor that becomes readable after a signal; `nil` if signals still terminate the
  /// process.
  private static let taken = Mutex<OwnedDescriptor?>(nil)

  /// Waits until output can be written without blocking, or until the program must end.
  ///
  /// Without this wait, a blocked write would prevent the program from noticing a signal. If
  /// signals still terminate the process, the call returns immediately.
  ///
  /// - Parameter output: The descriptor of the output.
  /// - Returns: The number of bytes that can be written, or `nil` if the program must end.
  package static func room(in output: Int32) -> Int? {
    guard let signals = taken.withLock({ $0?.number }) else { return .max }
    var descriptors = [
      pollfd(fd: output, events: Int16(POLLOUT), revents: 0),
      pollfd(fd: signals, events: Int16(POLLIN), revents: 0),
    ]
    while unsafe poll(&descriptors, 2, -1) < 0 {
      guard errno == EINTR else { return .max }
    }
    // If the output has an error, the write reports it.
    return descriptors[0].revents != 0 ? Int(PIPE_BUF) : nil
  }

  private static let signals = [SIGINT, SIGTERM, SIGHUP]

  /// Returns a stream that yields after SIGINT, SIGTERM or SIGHUP, or when the output's reader
  /// closes it.
  ///
  /// The signals no longer terminate the process. Call this on the first thread before any other
  /// thread starts, because new threads must inherit the blocked signals.
  ///
  /// - Parameter output: The descriptor of the output, which the caller continues to own; `nil` if
  ///   the program should continue without a reader.
  /// - Returns: The stream, which does not end by itself.
  package static func signals(output: Int32?) -> AsyncStream<Void> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: Void.self, bufferingPolicy: .bufferingNewest(1))
    var registrations: [WatchRegistration] = []
    // If one of the two cannot be watched, the program ends less cleanly, but works until then.
    if let signals = try? OwnedDescriptor(taking: Self.signals) {
      let number = signals.number
      taken.withLock { $0 = try? OwnedDescriptor(fcntl(number, F_DUPFD_CLOEXEC, 0)) }
      if let registration = watch(signals, CLINUX_READABLE, continuation) {
        registrations.append(registration)
      } else {
        // Restore the default effect of the signals, which is to terminate the process.
        taken.withLock { $0 = nil }
        OwnedDescriptor.giveBack(Self.signals)
      }
    }
    // With an empty interest, only errors are reported: for a pipe, that its other end was closed.
    // Files other than pipes, sockets and terminals cannot be watched, and never fail that way.
    if let output, let reader = try? OwnedDescriptor(fcntl(output, F_DUPFD_CLOEXEC, 0)),
      let registration = watch(reader, 0, continuation)
    {
      registrations.append(registration)
    }
    let all = registrations
    continuation.onTermination = { _ in for registration in all { registration.cancel() } }
    return stream
  }

  private static func watch(
    _ descriptor: consuming OwnedDescriptor, _ interest: UInt32,
    _ continuation: AsyncStream<Void>.Continuation
  ) -> WatchRegistration? {
    let source = DescriptorSource(descriptor, interest: interest) { _, _ in
      continuation.yield()
      return false
    }
    return try? EventLoop.shared.watch(source)
  }
}
