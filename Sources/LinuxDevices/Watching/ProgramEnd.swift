internal import AccessModel
internal import CLinux
internal import Glibc
internal import Synchronization

/// Tells when a program that runs until it is ended is to end.
package enum ProgramEnd {
  /// What becomes readable with one of the signals, once they no longer end the process.
  private static let taken = Mutex<OwnedDescriptor?>(nil)

  /// Waits until output can be written without blocking.
  ///
  /// A reader that takes nothing would keep a program for ever from seeing that it is to end. Where
  /// signals still end the process there is nothing to wait for.
  ///
  /// - Parameter output: The descriptor of the output.
  /// - Returns: How many bytes can be written; `nil` when the program is to end.
  package static func room(in output: Int32) -> Int? {
    guard let signals = taken.withLock({ $0?.number }) else { return .max }
    var descriptors = [
      pollfd(fd: output, events: Int16(POLLOUT), revents: 0),
      pollfd(fd: signals, events: Int16(POLLIN), revents: 0),
    ]
    while unsafe poll(&descriptors, 2, -1) < 0 {
      guard errno == EINTR else { return .max }
    }
    // An error of the output, too, is told by writing.
    return descriptors[0].revents != 0 ? Int(PIPE_BUF) : nil
  }

  private static let signals = [SIGINT, SIGTERM, SIGHUP]

  /// A stream that yields once the process gets SIGINT, SIGTERM or SIGHUP, or nobody reads its output any
  /// more.
  ///
  /// The signals no longer end the process. It has to be called by the first thread, before others
  /// start that do not block signals.
  ///
  /// - Parameter output: The descriptor of the output, which stays the caller's; `nil` for a program that
  ///   goes on unread.
  /// - Returns: The stream; it does not end by itself.
  package static func signals(output: Int32?) -> AsyncStream<Void> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: Void.self, bufferingPolicy: .bufferingNewest(1))
    var registrations: [WatchRegistration] = []
    // Without one of them the program ends less cleanly, and does what it should until then.
    if let signals = try? OwnedDescriptor(taking: Self.signals) {
      let number = signals.number
      taken.withLock { $0 = try? OwnedDescriptor(fcntl(number, F_DUPFD_CLOEXEC, 0)) }
      if let registration = watch(signals, CLINUX_READABLE, continuation) {
        registrations.append(registration)
      } else {
        // They end the process then.
        taken.withLock { $0 = nil }
        OwnedDescriptor.giveBack(Self.signals)
      }
    }
    // Without an interest only an error is told: of a pipe, that its other end is closed. What is no
    // pipe, socket or terminal is not watched, as it never fails that way.
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
