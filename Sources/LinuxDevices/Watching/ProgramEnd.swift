internal import AccessModel
internal import CLinux
internal import Glibc

/// Tells when a program that runs until it is ended is to end.
package enum ProgramEnd {
  /// A stream that yields once the process gets SIGINT or SIGTERM, or nobody reads its output any
  /// more.
  ///
  /// The signals no longer end the process. It has to be called by the first thread, before others
  /// start that do not block signals.
  ///
  /// - Parameter output: The descriptor of the output, which stays the caller's.
  /// - Returns: The stream; it does not end by itself.
  package static func signals(output: Int32) -> AsyncStream<Void> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: Void.self, bufferingPolicy: .bufferingNewest(1))
    var registrations: [WatchRegistration] = []
    // Without one of them the program ends less cleanly, and does what it should until then.
    if let signals = try? OwnedDescriptor(taking: [SIGINT, SIGTERM]),
      let registration = watch(signals, CLINUX_READABLE, continuation)
    {
      registrations.append(registration)
    }
    // Without an interest only an error is told: of a pipe, that its other end is closed. What is no
    // pipe, socket or terminal is not watched, as it never fails that way.
    if let reader = try? OwnedDescriptor(fcntl(output, F_DUPFD_CLOEXEC, 0)),
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
