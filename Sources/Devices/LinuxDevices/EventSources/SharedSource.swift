package import AccessModel
internal import CLinux
internal import CSystemd
internal import Glibc
internal import MessageBus
internal import Synchronization

/// An event source that any number of watchers share, and that exists while there is at least one.
///
/// A separate source for each watcher would use more descriptors, and more of the user's few
/// inotify(7) instances, which all programs of the user share (`fs.inotify.max_user_instances`).
package final class SharedSource: Sendable {
  /// A source that reports each time the system has slept.
  package static let sleeps = SharedSource { tell throws(Errno) in try SleepWatch.source(tell) }

  /// The registration of one watcher, which ends when this value is deallocated.
  package final class Registration: Sendable {
    private let id: UInt64
    private let source: SharedSource

    fileprivate init(_ id: UInt64, in source: SharedSource) {
      self.id = id
      self.source = source
    }

    deinit { source.remove(id) }

    /// Stops further calls, although a call in progress may continue; calling it again has no
    /// effect.
    package func cancel() { source.remove(id) }
  }

  private struct State {
    var bodies: [UInt64: @Sendable () -> Void] = [:]
    var lastID: UInt64 = 0
    var registration: WatchRegistration?
  }

  private let state = Mutex(State())
  private let make: @Sendable (@escaping @Sendable () -> Void) throws(Errno) -> any EventSource

  /// Creates a shared source that has no watchers yet.
  ///
  /// - Parameter make: Creates the underlying source, which calls the given closure after each
  ///   event.
  init(
    _ make: @escaping @Sendable (@escaping @Sendable () -> Void) throws(Errno) -> any EventSource
  ) {
    self.make = make
  }

  /// Calls a closure after each event of the source, usually on the event loop's thread.
  ///
  /// - Throws: The error that prevents creating or watching the source.
  package func watch(_ body: @escaping @Sendable () -> Void) throws(Errno) -> Registration {
    try state.withLock { (state) throws(Errno) in
      if state.registration == nil {
        state.registration = try EventLoop.shared.watch(make { [weak self] in self?.tell() })
      }
      state.lastID += 1
      state.bodies[state.lastID] = body
      return Registration(state.lastID, in: self)
    }
  }

  /// The number of watchers.
  var count: Int { state.withLock { $0.bodies.count } }

  private func tell() {
    let bodies = state.withLock { Array($0.bodies.values) }
    for body in bodies { body() }
  }

  private func remove(_ id: UInt64) {
    let registration = state.withLock { state -> WatchRegistration? in
      guard state.bodies.removeValue(forKey: id) != nil, state.bodies.isEmpty else { return nil }
      defer { state.registration = nil }
      return state.registration
    }
    // The registration is cancelled outside the lock, because the source may be waiting for the
    // lock.
    registration?.cancel()
  }
}

/// Reports when the system has slept.
///
/// The kernel reports each change to the real-time clock, which includes resuming from sleep.
/// Comparing a clock that counts the time asleep with one that does not shows whether the system
/// slept.
enum SleepWatch {
  /// The minimum duration in milliseconds; a shorter difference may arise between reading the two
  /// clocks.
  private static let shortest: Int64 = 50

  /// Returns a source that calls a closure after each sleep.
  ///
  /// - Parameters:
  ///   - slept: Returns the total time in milliseconds that the system has slept since boot.
  ///   - body: The closure.
  /// - Returns: The source.
  /// - Throws: `EMFILE` if no descriptor is available, or the error that a seccomp filter returns.
  static func source(
    slept: @escaping @Sendable () -> Int64 = { clinux_slept() },
    _ body: @escaping @Sendable () -> Void
  ) throws(Errno) -> DescriptorSource {
    let before = Atomic<Int64>(slept())
    let timer = try OwnedDescriptor(negated: clinux_clock_jumps())
    return DescriptorSource(timer, interest: CLINUX_READABLE) { descriptor, _ in
      var count: UInt64 = 0
      _ = unsafe read(descriptor, &count, 8)
      let now = slept()
      if now - before.exchange(now, ordering: .relaxed) >= shortest { body() }
      return true
    }
  }
}

/// Calls a closure when logind's sessions or seats change.
final class LoginSource: EventSource {
  private let monitor: Mutex<LoginMonitor>
  private let body: @Sendable () -> Void
  let descriptor: Int32

  /// Creates a source that calls `body` after each change.
  ///
  /// - Throws: `ENOENT` if logind does not run, `ELIBACC` without libsystemd, `EMFILE` if there are
  ///   too many open files.
  init(_ body: @escaping @Sendable () -> Void) throws(Errno) {
    let monitor = try LoginMonitor()
    descriptor = monitor.descriptor
    self.monitor = Mutex(monitor)
    self.body = body
  }

  var interest: UInt32 { CLINUX_READABLE }

  func handle(_ events: UInt32) -> Bool {
    monitor.withLock { $0.flush() }
    body()
    return true
  }
}

extension SharedSource {
  /// The changes to logind's sessions and seats, shared by all watches.
  package static let logins = SharedSource { tell throws(Errno) in try LoginSource(tell) }
}

/// A monitor for changes to logind's sessions and seats (sd_login_monitor(3)).
@safe struct LoginMonitor: ~Copyable {
  private let raw: OpaquePointer
  private let systemd: csystemd

  /// Starts monitoring.
  ///
  /// - Throws: `ENOENT` if logind is not running, `ELIBACC` if libsystemd is missing, or another
  ///   error of sd_login_monitor_new(3), such as `EMFILE`.
  init() throws(Errno) {
    let systemd = try SystemdLibrary.loaded()
    var monitor: OpaquePointer?
    try Errno.check(negated: unsafe systemd.sd_login_monitor_new(nil, &monitor))
    guard let monitor = unsafe monitor else { throw .noMemory }
    unsafe raw = monitor
    self.systemd = systemd
  }

  deinit { _ = unsafe systemd.sd_login_monitor_unref(raw) }

  /// The descriptor that becomes readable after each change.
  var descriptor: Int32 { unsafe systemd.sd_login_monitor_get_fd(raw) }

  /// Discards the pending changes.
  borrowing func flush() {
    _ = unsafe systemd.sd_login_monitor_flush(raw)
  }
}
