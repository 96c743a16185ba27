package import AccessModel
internal import CLinux
internal import Glibc
internal import Synchronization

/// Tells what happens at the terminal of a program that shows a screen.
package final class TerminalEvents: Sendable {
  /// What happened.
  package enum Event: Hashable, Sendable {
    /// These bytes were typed.
    case typed([UInt8])
    /// The terminal has another size.
    case resized
    /// Somebody wants the program to stop, as with Control-Z.
    case stopped
    /// The program goes on after it was stopped.
    case continued
    /// Somebody wants the program to end, or the terminal is gone.
    case ended
  }

  private let body: @Sendable (Event) -> Void
  private let registrations = Mutex<[WatchRegistration]>([])

  /// Tells of the signals of a terminal, and of those that end a program, until this value goes
  /// away.
  ///
  /// They do nothing else any more. It has to be called by the first thread, before others start
  /// that do not block signals.
  ///
  /// - Parameter body: Takes events, one at a time and on a thread that others need: it must not
  ///   wait.
  /// - Throws: What keeps them from being watched: `EMFILE`, `ENOMEM`, `EAGAIN` without threads.
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

  /// Tells what is typed, too.
  ///
  /// - Parameter input: The terminal, which stays the caller's. Reading from it must not wait for
  ///   what is typed (`VMIN` is 0).
  /// - Throws: As ``init(_:)``.
  package func watch(input: Int32) throws(Errno) {
    try watch(OwnedDescriptor(fcntl(input, F_DUPFD_CLOEXEC, 0))) { [body] descriptor, events in
      let bytes = Self.read(descriptor)
      if let bytes, !bytes.isEmpty { body(.typed(bytes)) }
      // Anything but readable is an error, or that the other end is closed.
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

  /// What was typed, as much as is there; `nil` when the terminal is gone.
  private static func read(_ descriptor: Int32) -> [UInt8]? {
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = unsafe Glibc.read(descriptor, &buffer, buffer.count)
    if count >= 0 { return Array(buffer[..<count]) }
    let error = errno
    // In the background it is not ours to read, and taking it again stops the process.
    let isBackground = error == EIO && tcgetpgrp(descriptor) != getpgrp()
    return error == EINTR || error == EAGAIN || isBackground ? [] : nil
  }
}
