internal import AccessModel

extension MachineDescription {
  /// A login session as recorded by logind.
  struct Session: Hashable, Sendable {
    var id: String
    var user: String
    var seat: String?
    var isActive: Bool
    var isRemote: Bool
  }

  /// Logs in a user on a seat, and makes the new session the active one.
  ///
  /// The session that was active on the seat becomes inactive.
  ///
  /// - Parameters:
  ///   - user: The name of an existing user.
  ///   - seat: The seat; `nil` for a session without a seat, such as over ssh.
  public mutating func logIn(_ user: String, seat: String? = "seat0") {
    _ = self.user(named: user)
    let id = String(sessions.count + 1)
    sessions.append(
      Session(
        id: id, user: user, seat: seat, isActive: true, isRemote: seat == nil))
    if seat != nil { activateSession(of: user) }
  }

  /// Switches a seat to a user's session, as `loginctl activate` does.
  ///
  /// The user gets access to the devices of the seat that are tagged `uaccess`, and the previous
  /// user loses it.
  public mutating func activateSession(of user: String) {
    guard let session = sessions.last(where: { $0.user == user && $0.seat != nil }),
      let seat = session.seat
    else {
      preconditionFailure("the described machine has no session of \(user) on a seat")
    }
    for index in sessions.indices where sessions[index].seat == seat {
      sessions[index].isActive = sessions[index].id == session.id
    }
    handOver { $0.seat == seat }
  }

  /// Switches a user's seat to a screen without a session, such as a greeter or a text console.
  ///
  /// No session of the seat is then active, so no user has access to its devices that are tagged
  /// `uaccess`.
  public mutating func deactivateSession(of user: String) {
    guard let active = sessions.lastIndex(where: { $0.user == user && $0.isActive }),
      let seat = sessions[active].seat
    else {
      preconditionFailure("the described machine has no active session of \(user) on a seat")
    }
    sessions[active].isActive = false
    handOver { $0.seat == seat }
  }

  /// Ends every session of a user.
  ///
  /// Another session on the seat stays inactive until ``activateSession(of:)``.
  public mutating func logOut(_ user: String) {
    precondition(
      sessions.contains { $0.user == user }, "the described machine has no session of \(user)")
    sessions.removeAll { $0.user == user }
    handOver { _ in true }
  }

  /// Gives the devices to the users who are active now, and renews the grants on them, as systemd
  /// and udev do.
  private mutating func handOver(_ isConcerned: (DeviceFacts) -> Bool) {
    for device in devices where isConcerned(device) {
      grantUserAccess(to: device)
      giveAgain(on: device)
    }
  }

  /// Gives a tagged device to the active user of its seat, and removes the access of all other
  /// users.
  mutating func grantUserAccess(to device: DeviceFacts) {
    guard isLogindRunning, device.isTaggedForUserAccess, let path = device.node,
      var node = nodes[path]
    else { return }
    let active = sessions.last { $0.seat == device.seat && $0.isActive }
    for user in users.values { node.removeEntry(.user, user.id) }
    if let active {
      node.setEntry(.user, userID(of: active.user), [.read, .write])
    }
    nodes[path] = node
  }

  var session: SessionFacts {
    var facts = SessionFacts(isLogindRunning: isLogindRunning)
    guard isLogindRunning else { return facts }
    if let own = sessions.last(where: { $0.user == subjectUser }) {
      facts.id = own.id
      facts.seat = own.seat
      facts.isActive = own.isActive
      facts.isRemote = own.isRemote
      facts.type = own.seat == nil ? "tty" : "wayland"
      facts.sessionClass = "user"
    }
    for session in sessions {
      guard let seat = session.seat else { continue }
      if session.isActive { facts.activeUsers[seat] = users[session.user]?.id }
      if session.user == subjectUser, !facts.userSeats.contains(seat) {
        facts.userSeats.append(seat)
      }
    }
    return facts
  }
}
