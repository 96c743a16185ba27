internal import AccessModel
internal import CSystemd
internal import Glibc
internal import MessageBus

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
