internal import AccessModel
internal import CLinux
internal import Synchronization

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
  static let logins = SharedSource { tell throws(Errno) in try LoginSource(tell) }
}
