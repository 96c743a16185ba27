/// The facts from systemd-logind about the subject's session and the seats in question.
public struct SessionFacts: Hashable, Sendable, Codable {
  /// A Boolean value that indicates whether logind could be asked.
  public var isLogindRunning: Bool
  /// The ID of the subject's session; `nil` for a subject without one, such as a service or a cron
  /// job.
  public var id: String?
  /// The ID of the user who logged in to the session; `nil` if unknown.
  ///
  /// A program that `sudo -u` or `su` starts stays in the session of the user who ran the command.
  public var user: UInt32?
  /// The seat of the session; `nil` if it has none, as with ssh or a remote desktop.
  public var seat: String?
  /// A Boolean value that indicates whether the session is the active one of its seat.
  public var isActive: Bool
  /// A Boolean value that indicates whether the session is used over the network (`Remote=` of
  /// loginctl(1)).
  public var isRemote: Bool
  /// The type of the session, such as `tty`, `x11` or `wayland`.
  public var type: String?
  /// The class of the session, such as `user`, `greeter` or `manager`.
  public var sessionClass: String?
  /// The IDs of the users of the active sessions, keyed by seat.
  public var activeUsers: [String: UInt32] = [:]
  /// The seats on which the subject's user has a session, active or not.
  public var userSeats: [String] = []

  /// Creates the facts about a session, or about a subject without one if the ID is `nil`.
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

  /// Returns whether the session may belong to the given user.
  func isOf(_ user: UInt32) -> Bool { self.user.map { $0 == user } ?? true }
}
