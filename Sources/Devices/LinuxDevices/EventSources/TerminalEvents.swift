package import AccessModel
internal import CLinux
internal import Glibc
internal import Synchronization

/// Reports the events of a terminal to a full-screen program.
package final class TerminalEvents: Sendable {
  /// A terminal event.
  package enum Event: Hashable, Sendable {
    /// The user typed these bytes.
    case typed([UInt8])
    /// The size of the terminal changed.
    case resized
    /// The user asked the program to stop, as with Control-Z.
    case stopped
    /// The program was continued after it was stopped.
    case continued
    /// The program must end, because of a signal or because the terminal was closed.
    case ended
  }

  private let body: @Sendable (Event) -> Void
  private let registrations = Mutex<[WatchRegistration]>([])

  /// Starts reporting the signals of a terminal, and the signals that terminate a program.
  ///
  /// The signals have no other effect. Call this on the first thread before any other thread
  /// starts, because new threads must inherit the blocked signals. The reports end when this value
  /// is deallocated.
  ///
  /// - Parameter body: Called with each event, one at a time, on the event loop's thread. It must
  ///   not block.
  /// - Throws: `EMFILE` or `ENOMEM` if the signals cannot be watched, or `EAGAIN` if no thread can
  ///   be started.
  package init(_ body: @escaping @Sendable (Event) -> Void) throws(Errno) {
    self.body = body
    let signals = try OwnedDescriptor(
      taking: [SIGINT, SIGTERM, SIGHUP, SIGTSTP, SIGCONT, SIGWINCH])
    try watch(signals) { descriptor, _ in
      while true {
        let signal = clinux_next_signal(descriptor)
        guard signal > 0 else { return true }
        body(Self.event(of: signal))
      }
    }
  }

  /// Also reports the bytes that the user types.
  ///
  /// - Parameter input: The terminal, which the caller continues to own. Reading from it must not
  ///   block (`VMIN` is 0).
  /// - Throws: The errors of ``init(_:)``.
  package func watch(input: Int32) throws(Errno) {
    try watch(OwnedDescriptor(fcntl(input, F_DUPFD_CLOEXEC, 0))) { [body] descriptor, events in
      let bytes = Self.read(descriptor)
      if let bytes, !bytes.isEmpty { body(.typed(bytes)) }
      // Any other event is an error, or means that the other end was closed.
      guard bytes != nil, events & ~CLINUX_READABLE == 0 else {
        body(.ended)
        return false
      }
      return true
    }
  }

  private func watch(
    _ descriptor: consuming OwnedDescriptor,
    _ body: @escaping @Sendable (_ descriptor: Int32, _ events: UInt32) -> Bool
  ) throws(Errno) {
    let source = DescriptorSource(descriptor, interest: CLINUX_READABLE, body)
    let registration = try EventLoop.shared.watch(source)
    registrations.withLock { $0.append(registration) }
  }

  private static func event(of signal: Int32) -> Event {
    switch signal {
    case SIGTSTP: .stopped
    case SIGCONT: .continued
    case SIGWINCH: .resized
    default: .ended
    }
  }

  /// Returns the pending input, or `nil` if the terminal was closed.
  private static func read(_ descriptor: Int32) -> [UInt8]? {
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = unsafe Glibc.read(descriptor, &buffer, buffer.count)
    if count >= 0 { return Array(buffer[..<count]) }
    let error = errno
    // A background process cannot read the terminal, and changing its settings would stop the
    // process.
    let isBackground = error == EIO && tcgetpgrp(descriptor) != getpgrp()
    return error == EINTR || error == EAGAIN || isBackground ? [] : nil
  }
}
