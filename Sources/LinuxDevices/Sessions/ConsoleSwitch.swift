internal import CSystemd
internal import Glibc
internal import MessageBus

/// A switch of the console to another session, which logind makes step by step.
///
/// It hands the devices over first, and says who is active afterwards (`seat_set_active` of
/// logind-seat.c). In between its state contradicts the access lists.
enum ConsoleSwitch {
  /// Whether the console shows another terminal than that of the session that logind calls active.
  static func isGoingOn(_ roots: MachineRoots) -> Bool {
    guard roots.run == "/run",
      let front = try? BoundedFile.line("\(roots.sysfs)/class/tty/tty0/active", limit: 16),
      front.hasPrefix("tty"), let shown = UInt32(front.dropFirst(3)),
      let systemd = try? SystemdLibrary.loaded(), let terminal = terminal(systemd)
    else { return false }
    return terminal != shown
  }

  /// The number of the terminal of the active session; `nil` without one, and for one without a terminal.
  private static func terminal(_ systemd: csystemd) -> UInt32? {
    var session: UnsafeMutablePointer<CChar>?
    var terminal: UInt32 = 0
    // Only this seat has a console.
    let result = unsafe systemd.sd_seat_get_active("seat0", &session, nil)
    defer { unsafe free(session) }
    guard result >= 0, let session = unsafe session,
      unsafe systemd.sd_session_get_vt(session, &terminal) >= 0, terminal > 0
    else { return nil }
    return terminal
  }
}
