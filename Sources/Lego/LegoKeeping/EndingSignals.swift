internal import Dispatch
internal import Glibc
public import LegoKit
internal import Synchronization

/// A namespace for handling the signals that ask a program to terminate: SIGTERM, which systemd
/// sends, and SIGINT, which Ctrl-C sends.
public enum EndingSignals {
  /// Runs a closure when SIGTERM or SIGINT arrives, and then terminates the program with that
  /// signal.
  ///
  /// The parent process sees that the signal terminated the program, even if `main` returns or the
  /// program calls `exit` while the closure is running. In that case, the closure has ten seconds
  /// to finish. Output printed before the closure returns is flushed. If a task may still produce
  /// output, await that task in the closure. A second signal terminates the program immediately.
  ///
  /// A signal that is already ignored, as under nohup(1) or after `&` in a script, remains ignored.
  /// If another token is still active, or the process has too many open files, the call reports
  /// that to the current problem sink and has no effect. You can call this function from any thread.
  ///
  /// - Parameter closing: Closes the stores in the required order before the program terminates.
  /// - Returns: A token that restores the previous signal actions when it is cancelled or released.
  ///   After a signal has arrived, the token has no effect.
  public static func close(_ closing: @escaping @Sendable () async -> Void) -> AnyCancellable {
    let watch = SignalWatch([SIGTERM, SIGINT], closing)
    return AnyCancellable { watch.stop() }
  }
}

extension Lego {
  /// Closes the store when the program receives SIGTERM or SIGINT, and then terminates the program.
  ///
  /// ```swift
  /// let ending = lego.closeOnSignals()
  /// ```
  ///
  /// - Returns: A token, as returned by ``EndingSignals/close(_:)``. It does not keep the store
  ///   alive.
  public func closeOnSignals() -> AnyCancellable {
    EndingSignals.close { [weak self] in await self?.close() }
  }
}

/// Runs a closure when a signal arrives, and then terminates the program.
final class SignalWatch: Sendable {
  private struct State {
    var source: (any DispatchSourceRead)?
    /// The signal actions that this watch has replaced.
    var before: [(signal: Int32, action: sigaction)] = []
    var isEnding = false

    /// The response to a signal.
    enum Action {
      case close
      /// Terminate immediately, because this is the second signal.
      case exit
      /// Send the signal again, because the watch has been stopped and the previous action
      /// restored.
      case reraise
    }

    /// Records a signal, and returns the response to it.
    mutating func receive() -> Action {
      if source == nil { return .reraise }
      defer { isEnding = true }
      return isEnding ? .exit : .close
    }
  }

  /// `true` while a watch is handling signals.
  private static let isActive = Atomic(false)
  /// The signal that is terminating the program, or 0 if no signal has arrived.
  private static let exitSignal = Atomic<Int32>(0)
  /// `true` if the exit handler has been registered.
  ///
  /// The handler is registered when this property is first accessed.
  ///
  /// If a signal has arrived by the time the program calls `exit` or returns from `main`, the
  /// handler waits up to 10 seconds for the program to be terminated by that signal.
  private static let finishesAtExit: Bool = atexit { SignalWatch.finishAtExit() } == 0

  private let state = Mutex(State())
  private let closing: @Sendable () async -> Void

  /// Installs handlers for the signals.
  ///
  /// From then on, the signals no longer terminate the program immediately. If another watch is
  /// active, or the process has too many open files, nothing is installed, and the problem is
  /// reported.
  ///
  /// - Parameters:
  ///   - signals: The signals to handle. Ignored signals remain ignored.
  ///   - closing: The closure to run before the program terminates.
  init(_ signals: [Int32], _ closing: @escaping @Sendable () async -> Void) {
    self.closing = closing
    let reader = SignalPipe.reader
    guard reader >= 0,
      Self.isActive.compareExchange(expected: false, desired: true, ordering: .relaxed).exchanged
    else {
      let problem = reader < 0 ? "too many open files" : "another token is already active"
      Contractors().problemSink.write("signals are not handled: \(problem)")
      return
    }
    _ = Self.finishesAtExit
    state.withLock { state in
      let source = DispatchSource.makeReadSource(
        fileDescriptor: reader, queue: DispatchQueue(label: "signals"))
      // The event handler retains the watch until the watch is stopped, so no signal is lost.
      source.setEventHandler { while let signal = SignalPipe.next() { self.handle(signal) } }
      source.activate()
      state.source = source
      for signal in signals where !Self.isIgnored(signal) {
        state.before.append((signal, SignalPipe.install(signal)))
      }
    }
  }

  private func handle(_ signal: Int32) {
    switch state.withLock({ $0.receive() }) {
    case .close: break
    // A second signal means that the user does not want to wait any longer.
    case .exit: Self.end(by: signal)
    case .reraise:
      kill(getpid(), signal)
      return
    }
    Self.exitSignal.store(signal, ordering: .releasing)
    Task.detached(name: "close on a signal") { [closing] in
      await closing()
      // Stores that were released earlier may still have unsaved values.
      KeeperRegistry.shared.finish(within: 10)
      fflush(nil)
      Self.end(by: signal)
    }
  }

  /// If a signal has arrived, gives the closing task up to 10 seconds to terminate the program, and
  /// then terminates the program with that signal.
  ///
  /// A program may return from `main` as soon as its store is closed. Without this wait, whether it
  /// then terminates with the signal or with its own exit status would be a matter of timing.
  private static func finishAtExit() {
    let signal = exitSignal.load(ordering: .acquiring)
    guard signal != 0 else { return }
    // The wait is limited, because the task may need the main thread, which is blocked here.
    sleep(10)
    fflush(nil)
    end(by: signal)
  }

  /// Restores the previous signal actions, unless a signal has arrived.
  func stop() {
    let isStopped = state.withLock { state in
      guard !state.isEnding, let source = state.source else { return false }
      for (signal, action) in state.before {
        var action = action
        unsafe sigaction(signal, &action, nil)
      }
      source.cancel()
      state.source = nil
      return true
    }
    guard isStopped else { return }
    // Unhandled signals are sent again, so that the previous actions handle them.
    while let signal = SignalPipe.next() { kill(getpid(), signal) }
    Self.isActive.store(false, ordering: .relaxed)
  }

  /// Terminates the process with the default action of a signal.
  private static func end(by signal: Int32) -> Never {
    var standard = sigaction()
    unsafe standard.__sigaction_handler.sa_handler = SIG_DFL
    unsafe sigaction(signal, &standard, nil)
    var set = sigset_t()
    unsafe sigemptyset(&set)
    unsafe sigaddset(&set, signal)
    unsafe pthread_sigmask(SIG_UNBLOCK, &set, nil)
    raise(signal)
    // The kernel does not let the first process of a container terminate itself with a signal.
    _exit(128 + signal)
  }

  private static func isIgnored(_ signal: Int32) -> Bool {
    var current = sigaction()
    unsafe sigaction(signal, nil, &current)
    // SIG_IGN is the number 1 cast to a function pointer, so only the raw values can be compared.
    return unsafe unsafeBitCast(current.__sigaction_handler.sa_handler, to: Int.self) == 1
  }
}

/// A socket pair that carries signal numbers from the signal handler to the rest of the program.
///
/// A signal handler can run at any time, so the sockets are created once and never closed.
enum SignalPipe {
  /// The descriptor to read signal numbers from, or -1 if the socket pair could not be created.
  static let reader: Int32 = {
    var ends: [Int32] = [-1, -1]
    let kind = SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue
    guard unsafe socketpair(AF_UNIX, Int32(kind), 0, &ends) == 0 else { return -1 }
    writer.store(ends[1], ordering: .releasing)
    return ends[0]
  }()

  private static let writer = Atomic<Int32>(-1)

  /// Installs a handler that writes the number of the signal to the socket.
  ///
  /// - Returns: The previous action of the signal.
  static func install(_ signal: Int32) -> sigaction {
    var action = sigaction()
    unsafe action.__sigaction_handler.sa_handler = { signal in
      let before = errno
      var byte = UInt8(truncatingIfNeeded: signal)
      _ = unsafe write(SignalPipe.writer.load(ordering: .acquiring), &byte, 1)
      errno = before
    }
    action.sa_flags = SA_RESTART
    var before = sigaction()
    unsafe sigaction(signal, &action, &before)
    return before
  }

  /// Returns the next unread signal, or `nil` if there is none.
  static func next() -> Int32? {
    var byte: UInt8 = 0
    return unsafe read(reader, &byte, 1) == 1 ? Int32(byte) : nil
  }
}
