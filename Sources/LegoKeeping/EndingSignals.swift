internal import Dispatch
internal import Glibc
public import LegoKit
internal import Synchronization

/// The signals that ask a program to end: SIGTERM, as from systemd, and SIGINT, as from Ctrl-C.
public enum EndingSignals {
  /// Closes what has to be closed when a signal comes, and then ends the program as the signal does.
  ///
  /// The parent sees a program that was killed by the signal, also if `main` returns or the program
  /// calls `exit` meanwhile. What was printed until the closure returns is written; if a task still has
  /// to print something, await it in the closure. A second signal ends the program at once. A signal
  /// that the program was started to ignore (nohup(1), or `&` in a script) stays ignored. It may be
  /// called on any thread; while one token is in force, a second call is reported and does nothing.
  ///
  /// - Parameter closing: Closes stores, in the order that they need.
  /// - Returns: A token: cancelled or released, it gives the signals back what they did.
  public static func close(_ closing: @escaping @Sendable () async -> Void) -> AnyCancellable {
    let watch = SignalWatch([SIGTERM, SIGINT], closing)
    return AnyCancellable { watch.stop() }
  }
}

extension Lego {
  /// Closes the store when the program gets SIGTERM or SIGINT, and then ends the program.
  ///
  /// ```swift
  /// let ending = lego.closeOnSignals()
  /// ```
  ///
  /// - Returns: A token, as that of ``EndingSignals/close(_:)``. It does not keep the store alive.
  public func closeOnSignals() -> AnyCancellable {
    EndingSignals.close { [weak self] in await self?.close() }
  }
}

/// Waits for signals, and ends the program after something was closed.
final class SignalWatch: Sendable {
  private struct State {
    var source: (any DispatchSourceRead)?
    /// What the signals did before.
    var before: [(signal: Int32, action: sigaction)] = []
    var isEnding = false

    /// What is to be done about a signal.
    enum Action {
      case close
      /// Another came before.
      case exit
      /// The watch was stopped just before, so that the signal does what it did.
      case reraise
    }

    /// Notes a signal.
    mutating func receive() -> Action {
      if source == nil { return .reraise }
      defer { isEnding = true }
      return isEnding ? .exit : .close
    }
  }

  /// Whether a watch has the signals.
  private static let isActive = Atomic(false)
  /// The signal that the program is ending by; 0 for none.
  private static let exitSignal = Atomic<Int32>(0)
  /// Makes `exit`, and a return from `main`, wait for what a signal has begun.
  private static let finishesAtExit: Bool = atexit { SignalWatch.finishAtExit() } == 0

  private let state = Mutex(State())
  private let closing: @Sendable () async -> Void

  /// Takes the signals over; when it returns, they no longer end the program by themselves.
  ///
  /// - Parameters:
  ///   - signals: The signals. Those that are ignored stay so.
  ///   - closing: What is to be done first.
  init(_ signals: [Int32], _ closing: @escaping @Sendable () async -> Void) {
    self.closing = closing
    let reader = SignalPipe.reader
    guard reader >= 0,
      Self.isActive.compareExchange(expected: false, desired: true, ordering: .relaxed).exchanged
    else {
      let problem = reader < 0 ? "too many open files" : "something else closes on signals already"
      Contractors().problemSink.write("signals are not taken: \(problem)")
      return
    }
    _ = Self.finishesAtExit
    state.withLock { state in
      let source = DispatchSource.makeReadSource(
        fileDescriptor: reader, queue: DispatchQueue(label: "signals"))
      // It keeps the watch until that is stopped, so that no signal is taken and forgotten.
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
    // Whoever asks again does not want to wait.
    case .exit: Self.end(by: signal)
    case .reraise:
      kill(getpid(), signal)
      return
    }
    Self.exitSignal.store(signal, ordering: .releasing)
    Task.detached(name: "close on a signal") { [closing] in
      await closing()
      // Stores that went away may have left something, too.
      KeeperRegistry.shared.finish(within: 10)
      fflush(nil)
      Self.end(by: signal)
    }
  }

  /// Waits for the task that ends the program by a signal, if one has come.
  ///
  /// Without this, a program whose `main` returns when its store is closed would end by the signal or by
  /// its own status, whichever is faster.
  private static func finishAtExit() {
    let signal = exitSignal.load(ordering: .acquiring)
    guard signal != 0 else { return }
    // The task may need the main thread, which waits here.
    sleep(10)
    fflush(nil)
    end(by: signal)
  }

  /// Gives the signals back what they did, unless one has come.
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
    // What came just before, and was not looked at yet, does what it did as well.
    while let signal = SignalPipe.next() { kill(getpid(), signal) }
    Self.isActive.store(false, ordering: .relaxed)
  }

  /// Ends the process as a signal does that nobody handles.
  private static func end(by signal: Int32) -> Never {
    var standard = sigaction()
    unsafe standard.__sigaction_handler.sa_handler = SIG_DFL
    unsafe sigaction(signal, &standard, nil)
    var set = sigset_t()
    unsafe sigemptyset(&set)
    unsafe sigaddset(&set, signal)
    unsafe pthread_sigmask(SIG_UNBLOCK, &set, nil)
    raise(signal)
    // The first process of a container is not ended by its own signals.
    _exit(128 + signal)
  }

  private static func isIgnored(_ signal: Int32) -> Bool {
    var current = sigaction()
    unsafe sigaction(signal, nil, &current)
    // SIG_IGN, which is not a function that could be compared.
    return unsafe unsafeBitCast(current.__sigaction_handler.sa_handler, to: Int.self) == 1
  }
}

/// The way from a signal handler, which may do almost nothing, to the rest of the program.
///
/// It is made once and never closed, since a handler may just be about to use it.
enum SignalPipe {
  /// Where the numbers of the signals can be read; -1 when there are too few descriptors.
  static let reader: Int32 = {
    var ends: [Int32] = [-1, -1]
    let kind = SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue
    guard unsafe socketpair(AF_UNIX, Int32(kind), 0, &ends) == 0 else { return -1 }
    writer.store(ends[1], ordering: .releasing)
    return ends[0]
  }()

  private static let writer = Atomic<Int32>(-1)

  /// Takes over a signal.
  ///
  /// - Returns: What the signal did before.
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

  /// The next signal that waits.
  static func next() -> Int32? {
    var byte: UInt8 = 0
    return unsafe read(reader, &byte, 1) == 1 ? Int32(byte) : nil
  }
}
