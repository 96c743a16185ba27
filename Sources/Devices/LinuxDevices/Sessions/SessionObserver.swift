package import AccessModel
internal import CSystemd
internal import Glibc
internal import MessageBus

/// Queries systemd-logind about the subject's session and the seats in question.
///
/// sd-login(3) reads files in `/run/systemd`, which all users may read. It sends no messages.
struct SessionObserver {
  var roots: MachineRoots

  /// Returns the facts about the subject's session and the seats.
  ///
  /// Returns `nil` if libsystemd is missing, or for a recorded machine, because sd-login(3) reads
  /// only the running one.
  func observe(
    _ owner: SessionOwner, user: UInt32, seats: Set<String>, _ unobserved: inout [Unobserved]
  ) -> SessionFacts? {
    guard roots.run == "/run", roots.proc == "/proc" else { return nil }
    // sd-login(3) recommends this check.
    guard unsafe access("/run/systemd/seats/", F_OK) == 0 else {
      return SessionFacts(isLogindRunning: false)
    }
    let systemd: csystemd
    do throws(Errno) {
      systemd = try SystemdLibrary.loaded()
    } catch {
      unobserved.append(Unobserved("logind", reason: error.reason))
      return nil
    }
    return Self.facts(owner, user, seats, systemd)
  }

  private static func facts(
    _ owner: SessionOwner, _ user: UInt32, _ seats: Set<String>, _ systemd: csystemd
  ) -> SessionFacts {
    var facts = SessionFacts(isLogindRunning: true)
    // ENODATA means that there is no session: a service, a cron job or a program of the user
    // manager.
    facts.id =
      switch owner {
      case .caller: unsafe text { unsafe systemd.sd_pid_get_session(0, $0) }
      case .process(let number): unsafe text { unsafe systemd.sd_pid_get_session(number, $0) }
      case .user: session(of: user, on: seats, systemd)
      case .nobody: nil
      }
    if let id = facts.id {
      var user: uid_t = 0
      if unsafe systemd.sd_session_get_uid(id, &user) >= 0 { facts.user = user }
      facts.seat = unsafe text { unsafe systemd.sd_session_get_seat(id, $0) }
      facts.isActive = unsafe systemd.sd_session_is_active(id) > 0
      facts.isRemote = unsafe systemd.sd_session_is_remote(id) > 0
      facts.type = unsafe text { unsafe systemd.sd_session_get_type(id, $0) }
      facts.sessionClass = unsafe text { unsafe systemd.sd_session_get_class(id, $0) }
    }
    for seat in seats.union(facts.seat.map { [$0] } ?? []) {
      var active: uid_t = 0
      if unsafe systemd.sd_seat_get_active(seat, nil, &active) >= 0 {
        facts.activeUsers[seat] = active
      }
    }
    facts.userSeats = self.seats(of: user, systemd)
    return facts
  }

  /// Returns the user's most relevant session.
  ///
  /// Sessions on one of the seats come first, and active sessions come before others.
  private static func session(
    of user: UInt32, on seats: Set<String>, _ systemd: csystemd
  ) -> String? {
    let sessions = unsafe texts { unsafe systemd.sd_uid_get_sessions(user, 0, $0) }
    let ranked = sessions.map { id in
      let seat = unsafe text { unsafe systemd.sd_session_get_seat(id, $0) }
      let isActive = unsafe systemd.sd_session_is_active(id) > 0
      return (id: id, rank: (seat.map(seats.contains) == true ? 0 : 2) + (isActive ? 0 : 1))
    }
    return ranked.min { $0.rank < $1.rank }?.id
  }

  private static func seats(of user: UInt32, _ systemd: csystemd) -> [String] {
    unsafe texts { unsafe systemd.sd_uid_get_seats(user, 0, $0) }
  }

  /// Copies and frees the list of strings that an sd-login function returns.
  private static func texts(
    _ call: (
      UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?>
    ) -> Int32
  ) -> [String] {
    var list: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
    let count = unsafe call(&list)
    guard let list = unsafe list else { return [] }
    defer { unsafe free(list) }
    var texts: [String] = []
    for index in 0..<Int(max(count, 0)) {
      guard let text = unsafe list[index] else { break }
      if let copy = unsafe String(copying: text, limit: 256) { texts.append(copy) }
      unsafe free(text)
    }
    return texts.sorted()
  }

  /// Copies and frees the string that an sd-login function returns.
  private static func text(
    _ call: (UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> Int32
  ) -> String? {
    var text: UnsafeMutablePointer<CChar>?
    let result = unsafe call(&text)
    defer { unsafe free(text) }
    return result >= 0 ? unsafe String(copying: text, limit: 256) : nil
  }
}

/// The owner of the session that logind is queried about.
enum SessionOwner: Hashable, Sendable {
  case caller
  case user
  case process(Int32)
  case nobody
}

/// Detects a switch of the console to another session.
///
/// logind first hands over the devices one after another, and then updates the active session
/// (`seat_set_active` in logind-seat.c). During the switch, its state contradicts the access lists.
package enum ConsoleSwitch {
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
  package static func isGoingOn(since facts: SessionFacts, _ roots: MachineRoots) -> Bool {
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
