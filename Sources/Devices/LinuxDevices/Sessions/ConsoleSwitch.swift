internal import AccessModel
internal import CSystemd
internal import Glibc
internal import MessageBus

/// Detects a switch of the console to another session.
///
/// logind first hands over the devices one after another, and then updates the active session
/// (`seat_set_active` in logind-seat.c). During the switch, its state contradicts the access lists.
enum ConsoleSwitch {
  /// The only seat that has a console.
  private static let seat = "seat0"

  /// Returns whether the console is being switched, or has been switched since an observation.
  ///
  /// A switch is in progress if the console shows a terminal other than the active session's. A
  /// switch has taken place if the active user differs from the observed one.
  ///
  /// - Parameters:
  ///   - facts: The observation of logind.
  ///   - roots: The directories that contain the system's state.
  /// - Returns: `true` in either case. The result is `false` if logind is not running or cannot be
  ///   queried.
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

  /// Returns the active session's user and terminal number, each `nil` if there is none.
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
