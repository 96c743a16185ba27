internal import AccessModel
internal import CSystemd
internal import Glibc

/// Asks systemd-logind about the subject's session and the seats in question.
///
/// sd-login(3) reads files below `/run/systemd`, which everybody may read: no message is sent.
struct SessionObserver {
  var roots: MachineRoots

  /// `nil` for a recorded machine: sd-login reads the running one alone.
  func observe(
    _ owner: SessionOwner, user: UInt32, seats: Set<String>
  ) -> SessionFacts? {
    guard roots.run == "/run", roots.proc == "/proc" else { return nil }
    // The check that sd-login(3) itself recommends.
    guard unsafe access("/run/systemd/seats/", F_OK) == 0 else {
      return SessionFacts(isLogindRunning: false)
    }
    var facts = SessionFacts(isLogindRunning: true)
    // ENODATA: a service, a cron job, a program of the user manager.
    facts.id =
      switch owner {
      case .caller: unsafe Self.text { unsafe sd_pid_get_session(0, $0) }
      case .process(let number): unsafe Self.text { unsafe sd_pid_get_session(number, $0) }
      case .user: Self.session(of: user, on: seats)
      case .nobody: nil
      }
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

  /// Of a user's sessions the one that counts most: active on a seat, on a seat, any.
  private static func session(of user: UInt32, on seats: Set<String>) -> String? {
    let sessions = unsafe texts { unsafe sd_uid_get_sessions(user, 0, $0) }
    let ranked = sessions.map { id in
      let seat = unsafe text { unsafe sd_session_get_seat(id, $0) }
      let isActive = unsafe sd_session_is_active(id) > 0
      return (id: id, rank: (seat.map(seats.contains) == true ? 0 : 2) + (isActive ? 0 : 1))
    }
    return ranked.min { $0.rank < $1.rank }?.id
  }

  private static func seats(of user: UInt32) -> [String] {
    unsafe texts { unsafe sd_uid_get_seats(user, 0, $0) }
  }

  /// Copies the list of strings that a function of sd-login hands over, and frees it.
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
