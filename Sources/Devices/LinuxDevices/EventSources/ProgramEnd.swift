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

/// Terminates the process after a signal if the thread that handles signals does not respond.
///
/// That thread may be blocked, for example by a name service that does not answer or by a terminal
/// that accepts no output.
package enum ForcedTermination {
  private static let signals = [SIGINT, SIGTERM, SIGHUP]
  /// The maximum time in microseconds that a signal may be pending.
  private static let patience: UInt32 = 2_000_000

  /// Watches the blocked signals on a separate thread for the rest of the process's life.
  ///
  /// If no thread can be started, pending signals are not forced.
  package static func start() {
    let descriptor = unsafe clinux_see_signals(signals, signals.count)
    guard descriptor >= 0 else { return }
    let isStarted: Void? = try? DedicatedThread.run {
      while true {
        unsafe clinux_become_event_thread("device-end")
        guard isReadable(descriptor, within: -1) else { break }
        usleep(patience)
        // Unblocking the signals delivers a pending one to this thread, with its original action.
        if isReadable(descriptor, within: 0) { OwnedDescriptor.giveBack(signals) }
      }
      close(descriptor)
    }
    if isStarted == nil { close(descriptor) }
  }

  private static func isReadable(_ descriptor: Int32, within milliseconds: Int32) -> Bool {
    var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    while true {
      let count = unsafe poll(&waiting, 1, milliseconds)
      if count < 0, errno == EINTR { continue }
      return count > 0 && waiting.revents & Int16(POLLIN) != 0
    }
  }
}

/// Waits until a program's output can be written, without blocking the program's other tasks.
package enum OutputReadiness {
  /// Returns when output can be written without blocking, when writing fails, or when the task is
  /// cancelled.
  ///
  /// If the output cannot be watched, the call returns immediately.
  ///
  /// - Parameter output: The descriptor of the output, which the caller continues to own.
  package static func wait(in output: Int32) async {
    var now = pollfd(fd: output, events: Int16(POLLOUT), revents: 0)
    guard unsafe poll(&now, 1, 0) == 0 else { return }
    let (signals, continuation) = AsyncStream.makeStream(of: Void.self)
    // The event loop owns the descriptors of its sources, so it gets a copy.
    guard let copy = try? OwnedDescriptor(fcntl(output, F_DUPFD_CLOEXEC, 0)),
      let registration = try? EventLoop.shared.watch(
        DescriptorSource(copy, interest: CLINUX_WRITABLE) { _, _ in
          continuation.finish()
          return false
        })
    else { return }
    for await _ in signals {}
    registration.cancel()
  }
}

extension OwnedDescriptor {
  /// Creates a descriptor that becomes readable when one of the given signals is pending.
  ///
  /// The signals are blocked on the calling thread and on threads that it starts later, so they
  /// have no other effect. Signals that the process was started to ignore, as by nohup(1), stay
  /// ignored.
  init(taking signals: [Int32]) throws(Errno) {
    try unsafe self.init(negated: clinux_take_signals(signals, signals.count))
  }

  /// Unblocks signals on the calling thread, which restores their original effect.
  static func giveBack(_ signals: [Int32]) {
    unsafe clinux_give_signals_back(signals, signals.count)
  }
}
