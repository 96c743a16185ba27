internal import AccessModel
internal import CSystemd
internal import Glibc
internal import MessageBus

/// Tells when logind's sessions and seats change (sd_login_monitor(3)).
@safe struct LoginMonitor: ~Copyable {
  private let raw: OpaquePointer
  private let systemd: csystemd

  /// Starts to watch.
  ///
  /// - Throws: `ENOENT` where logind does not run, `ELIBACC` without libsystemd, `EMFILE`.
  init() throws(Errno) {
    let systemd = try SystemdLibrary.loaded()
    var monitor: OpaquePointer?
    try Errno.check(negated: unsafe systemd.sd_login_monitor_new(nil, &monitor))
    guard let monitor = unsafe monitor else { throw .noMemory }
    unsafe raw = monitor
    self.systemd = systemd
  }

  deinit { _ = unsafe systemd.sd_login_monitor_unref(raw) }

  /// The descriptor that becomes readable with each change.
  var descriptor: Int32 { unsafe systemd.sd_login_monitor_get_fd(raw) }

  /// Forgets what happened until now.
  borrowing func flush() {
    _ = unsafe systemd.sd_login_monitor_flush(raw)
  }
}
