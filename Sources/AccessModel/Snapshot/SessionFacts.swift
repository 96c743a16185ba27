/// What systemd-logind says of the subject's session and of the seats in question.
public struct SessionFacts: Hashable, Sendable, Codable {
  /// Whether logind could be asked at all.
  public var isLogindRunning: Bool
  /// The session of the calling process; `nil` when it belongs to none (a service, a cron job).
  public var id: String?
  /// The user who logged in to the session; `nil` where that is not known.
  ///
  /// A program that `sudo -u` or `su` starts stays in the session of the user who called it.
  public var user: UInt32?
  /// The session's seat; `nil` for one without a seat (ssh, a remote desktop).
  public var seat: String?
  /// Whether the session is the active one of its seat.
  public var isActive: Bool
  /// Whether somebody uses the session over the network (`Remote=` of loginctl(1)).
  public var isRemote: Bool
  /// The type of the session, such as `tty`, `x11` or `wayland`.
  public var type: String?
  /// The class of the session, such as `user`, `greeter` or `manager`.
  public var sessionClass: String?
  /// The user of the active session of each seat that has one.
  public var activeUsers: [String: UInt32] = [:]
  /// The seats on which the subject's user has a session, active or not.
  public var userSeats: [String] = []

  /// Creates the facts of a session; without an id, of a process that belongs to none.
  public init(
    isLogindRunning: Bool, id: String? = nil, seat: String? = nil, isActive: Bool = false,
    isRemote: Bool = false
  ) {
    self.isLogindRunning = isLogindRunning
    self.id = id
    self.seat = seat
    self.isActive = isActive
    self.isRemote = isRemote
  }

  /// Whether the session may be that of a user.
  func isOf(_ user: UInt32) -> Bool { self.user.map { $0 == user } ?? true }
}
