internal import Dispatch
internal import Glibc
public import LegoKit
internal import Synchronization

/// The signals that ask a program to end: SIGTERM, as sent by systemd, and SIGINT, as sent by
/// Ctrl-C.
public enum EndingSignals {
  /// Runs a closure when one of the signals arrives, and then terminates the program with that
  /// signal.
  ///
  /// The parent process sees that the signal killed the program, even if `main` returns or the
  /// program calls `exit` in the meantime. Output printed before the closure returns is flushed. If
  /// a task still has output, await the task in the closure. A second signal ends the program at
  /// once. A signal that was ignored when the program started (nohup(1), or `&` in a script) stays
  /// ignored. You can call this function on any thread. While one token is active, a second call is
  /// reported and has no effect.
  ///
  /// - Parameter closing: Closes the stores in the order that they require.
  /// - Returns: A token. Cancelling or releasing it restores the earlier actions of the signals.
  public static func close(_ closing: @escaping @Sendable () async -> Void) -> AnyCancellable {
    let watch = SignalWatch([SIGTERM, SIGINT], closing)
    return AnyCancellable { watch.stop() }
  }
}

extension Lego {
  /// Closes the store when the program receives SIGTERM or SIGINT, and then ends the program.
  ///
  /// ```swift
  /// let ending = lego.closeOnSignals()
  /// ```
  ///
  /// - Returns: A token like that from ``EndingSignals/close(_:)``. It does not keep the store
  ///   alive.
  public func closeOnSignals() -> AnyCancellable {
    EndingSignals.close { [weak self] in await self?.close() }
  }
}

/// Waits for signals, runs a closure, and then ends the program.
final class SignalWatch: Sendable {
  private struct State {
    var source: (any DispatchSourceRead)?
    /// The actions of the signals before they were replaced.
    var before: [(signal: Int32, action: sigaction)] = []
    var isEnding = false

    /// The response to a signal.
    enum Action {
      case close
      /// A second signal arrived.
      case exit
      /// The watch was stopped just before, so the signal is sent again for its earlier action.
      case reraise
    }

    /// Records a signal.
    mutating func receive() -> Action {
      if source == nil { return .reraise }
      defer { isEnding = true }
      return isEnding ? .exit : .close
    }
  }

  /// `true` if a watch handles the signals.
  private static let isActive = Atomic(false)
  /// The signal that is ending the program; 0 if there is none.
  private static let exitSignal = Atomic<Int32>(0)
  /// Makes `exit`, and a return from `main`, wait until the response to a signal is complete.
  private static let finishesAtExit: Bool = atexit { SignalWatch.finishAtExit() } == 0

  private let state = Mutex(State())
  private let closing: @Sendable () async -> Void

  /// Replaces the actions of the signals.
  ///
  /// After this, they no longer end the program immediately.
  ///
  /// - Parameters:
  ///   - signals: The signals. Ignored signals stay ignored.
  ///   - closing: The closure to run before the program ends.
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
      // The closure keeps the watch alive until it is stopped, so no signal is lost.
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
    // The user sent a second signal and does not want to wait.
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

  /// If a signal has arrived, waits for the task that ends the program.
  ///
  /// Without this, a program whose `main` returns when its store is closed would end either by the
  /// signal or with its own exit status, depending on timing.
  private static func finishAtExit() {
    let signal = exitSignal.load(ordering: .acquiring)
    guard signal != 0 else { return }
    // The task may need the main thread, which is blocked here.
    sleep(10)
    fflush(nil)
    end(by: signal)
  }

  /// Restores the earlier actions of the signals, unless a signal has arrived.
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
    // Signals that arrived but were not yet handled get their earlier action.
    while let signal = SignalPipe.next() { kill(getpid(), signal) }
    Self.isActive.store(false, ordering: .relaxed)
  }

  /// Ends the process with the default action of a signal.
  private static func end(by signal: Int32) -> Never {
    var standard = sigaction()
    unsafe standard.__sigaction_handler.sa_handler = SIG_DFL
    unsafe sigaction(signal, &standard, nil)
    var set = sigset_t()
    unsafe sigemptyset(&set)
    unsafe sigaddset(&set, signal)
    unsafe pthread_sigmask(SIG_UNBLOCK, &set, nil)
    raise(signal)
    // The kernel does not end the first process of a container by a signal from that process.
    _exit(128 + signal)
  }

  private static func isIgnored(_ signal: Int32) -> Bool {
    var current = sigaction()
    unsafe sigaction(signal, nil, &current)
    // The value of SIG_IGN. It is not a callable function, so it cannot be compared as one.
    return unsafe unsafeBitCast(current.__sigaction_handler.sa_handler, to: Int.self) == 1
  }
}

/// A socket pair that carries signal numbers from the signal handler to the rest of the program.
///
/// A handler may use it at any time, so it is created once and never closed.
enum SignalPipe {
  /// The descriptor to read signal numbers from; -1 if the process has too many open files.
  static let reader: Int32 = {
    var ends: [Int32] = [-1, -1]
    let kind = SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue
    guard unsafe socketpair(AF_UNIX, Int32(kind), 0, &ends) == 0 else { return -1 }
    writer.store(ends[1], ordering: .releasing)
    return ends[0]
  }()

  private static let writer = Atomic<Int32>(-1)

  /// Installs the handler for a signal.
  ///
  /// - Returns: The earlier action of the signal.
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

  /// The next unread signal.
  static func next() -> Int32? {
    var byte: UInt8 = 0
    return unsafe read(reader, &byte, 1) == 1 ? Int32(byte) : nil
  }
}
