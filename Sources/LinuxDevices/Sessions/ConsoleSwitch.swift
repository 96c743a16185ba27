internal import AccessModel
internal import CSystemd
internal import Glibc
internal import MessageBus

/// A switch of the console to another session, which logind makes step by step.
///
/// It hands over one device after the other, and says who is active afterwards (`seat_set_active` of
/// logind-seat.c). In between its state contradicts the access lists.
enum ConsoleSwitch {
  /// The only seat that has a console.
  private static let seat = "seat0"

  /// Whether the console shows another terminal than that of the session that logind calls active, or
  /// logind calls another user active than it did.
  ///
  /// - Parameters:
  ///   - facts: What logind said.
  ///   - roots: Where the state of the system is.
  /// - Returns: Whether either is so.
  static func isGoingOn(since facts: SessionFacts, _ roots: MachineRoots) -> Bool {
    guard roots.run == "/run", facts.isLogindRunning, let systemd = try? SystemdLibrary.loaded()
    else { return false }
    let (user, terminal) = active(systemd)
    if let before = facts.activeUsers[seat], before != user { return true }
    guard let terminal,
      let front = try? BoundedFile.line("\(roots.sysfs)/class/tty/tty0/active", limit: 16),
      front.hasPrefix("tty"), let shown = UInt32(front.dropFirst(3))
    else { return false }
    return terminal != shown
  }

  /// The user of the active session, and the number of its terminal; `nil` without one.
  private static func active(_ systemd: csystemd) -> (user: UInt32?, terminal: UInt32?) {
    var session: UnsafeMutablePointer<CChar>?
    var (user, terminal): (uid_t, UInt32) = (0, 0)
    let result = unsafe systemd.sd_seat_get_active(seat, &session, &user)
    defer { unsafe free(session) }
    guard result >= 0, let session = unsafe session else { return (nil, nil) }
    let hasTerminal = unsafe systemd.sd_session_get_vt(session, &terminal) >= 0 && terminal > 0
    return (user, hasTerminal ? terminal : nil)
  }
}
