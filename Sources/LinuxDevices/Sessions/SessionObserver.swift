internal import AccessModel
internal import CSystemd
internal import Glibc

/// Asks systemd-logind about the caller's session and the seats in question.
///
/// sd-login(3) reads files below `/run/systemd`, which everybody may read: no message is sent.
struct SessionObserver {
  var roots: MachineRoots

  /// `nil` for a recorded machine: sd-login reads the running one alone.
  func observe(user: UInt32, seats: Set<String>) -> SessionFacts? {
    guard roots.run == "/run", roots.proc == "/proc" else { return nil }
    // The check that sd-login(3) itself recommends.
    guard unsafe access("/run/systemd/seats/", F_OK) == 0 else {
      return SessionFacts(isLogindRunning: false)
    }
    var facts = SessionFacts(isLogindRunning: true)
    // 0 is the caller. ENODATA: a service, a cron job, a program of the user manager.
    facts.id = unsafe Self.text { unsafe sd_pid_get_session(0, $0) }
    if let id = facts.id {
      facts.seat = unsafe Self.text { unsafe sd_session_get_seat(id, $0) }
      facts.isActive = unsafe sd_session_is_active(id) > 0
      facts.isRemote = unsafe sd_session_is_remote(id) > 0
      facts.type = unsafe Self.text { unsafe sd_session_get_type(id, $0) }
      facts.sessionClass = unsafe Self.text { unsafe sd_session_get_class(id, $0) }
    }
    for seat in seats.union(facts.seat.map { [$0] } ?? []) {
      var active: uid_t = 0
      if unsafe sd_seat_get_active(seat, nil, &active) >= 0 { facts.activeUsers[seat] = active }
    }
    facts.userSeats = Self.seats(of: user)
    return facts
  }

  private static func seats(of user: UInt32) -> [String] {
    var list: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
    let count = unsafe sd_uid_get_seats(user, 0, &list)
    guard let list = unsafe list else { return [] }
    defer { unsafe free(list) }
    var seats: [String] = []
    for index in 0..<Int(max(count, 0)) {
      guard let seat = unsafe list[index] else { break }
      if let name = unsafe String(copying: seat, limit: 256) { seats.append(name) }
      unsafe free(seat)
    }
    return seats.sorted()
  }

  /// Copies the string that a function of sd-login hands over, and frees it.
  static func text(
    _ call: (UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> Int32
  ) -> String? {
    var text: UnsafeMutablePointer<CChar>?
    let result = unsafe call(&text)
    defer { unsafe free(text) }
    return result >= 0 ? unsafe String(copying: text, limit: 256) : nil
  }
}
