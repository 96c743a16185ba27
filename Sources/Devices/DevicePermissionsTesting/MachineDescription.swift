public import AccessModel
internal import LinuxDevices

/// A description of a machine for a test: its users, files, mounts, devices and sessions.
///
/// A new description has a root filesystem with an empty `/dev`, a few groups such as `root` and
/// `video`, and a subject that runs as root with every capability. The rules of the real system
/// apply: if a device is tagged `uaccess`, its access list has an entry for the user of its seat's
/// active session, as logind would set it.
///
/// A mistake in a description, such as an unknown user, is a precondition failure, because it is an
/// error in the test.
public struct MachineDescription: Sendable {
  /// A refusal by a layer that the model does not know, such as a device program.
  struct HiddenRefusal: Hashable, Sendable {
    var path: String
    var permissions: Permissions
    var errno: Errno
  }

  var nodes: [String: Node] = [:]
  var mounts: [Mount] = [Mount(at: "/", fstype: "ext4"), Mount(at: "/dev", fstype: "devtmpfs")]
  var devices: [DeviceFacts] = []
  var users: [String: User] = [:]
  var groups: [String: UInt32] = ["root": 0, "video": 44, "audio": 29, "render": 105]
  var sessions: [Session] = []
  var subjectUser = "root"
  var hiddenRefusals: Set<HiddenRefusal> = []
  var openFailures: [String: Errno] = [:]
  /// The processes that hold devices, each with the path of the node that it opened.
  var holders: [(path: String, holder: DeviceHolder)] = []

  /// The granted objects, by the number of the user who gave the grants.
  var granted: [UInt32: [GrantedObject]] = [:]
  /// The number of grants that were given so far.
  var lastGrant = 0

  /// The time since the machine started, on its clock.
  var elapsed = Duration.zero
  /// The time of day at which the machine started, in seconds since the epoch.
  ///
  /// If it is `nil`, observations do not record a time.
  public var startTime: Int64?
  /// The current time of day, which advances with ``InMemoryMachine/clock``; `nil` without a
  /// ``startTime``.
  public var now: Int64? { startTime.map { $0 + elapsed.components.seconds } }

  /// The credentials of the program under test.
  public var subject: Subject
  /// The environment of the program under test.
  public var environment: [String: String] = [:]
  /// A Boolean value that indicates whether logind is running.
  public var isLogindRunning = true
  /// The confinement of the subject, such as a container.
  public var confinement = ConfinementFacts()
  /// The processes that the subject cannot inspect, in addition to those of other users.
  public var unseenProcesses = UnseenProcesses()
  /// The value of the sysctl `fs.protected_symlinks`.
  public var protectedSymlinks = true

  /// Creates a description whose only user is root, without devices.
  public init() {
    subject = Subject(uid: 0, gid: 0)
    subject.permitted = .all
    subject.effective = .all
    users["root"] = User(id: 0, primaryGroup: 0, groups: [], home: "/root")
    for directory in ["/", "/dev", "/home"] {
      addDirectory(directory)
    }
    addDirectory("/root", mode: 0o700)
  }
}

extension MachineDescription {
  /// An entry of the user database, together with the user's groups.
  struct User: Hashable, Sendable {
    var id: UInt32
    var primaryGroup: UInt32
    var groups: [UInt32]
    var home: String
  }

  /// Adds a group, or changes its number.
  public mutating func addGroup(_ name: String, id: UInt32) {
    groups[name] = id
  }

  /// Adds a user with a group of the same name and number and a home directory of mode 0700.
  ///
  /// - Parameters:
  ///   - name: The name of the user.
  ///   - id: The number of the user and of the group.
  ///   - memberships: The supplementary groups in the group database, each of which exists.
  public mutating func addUser(_ name: String, id: UInt32, groups memberships: [String] = []) {
    groups[name] = id
    let home = "/home/\(name)"
    users[name] = User(
      id: id, primaryGroup: id, groups: memberships.map(groupID(of:)), home: home)
    addDirectory(home, mode: 0o700, owner: name)
  }

  /// Adds a user to a group in the database.
  ///
  /// Running processes keep their groups.
  public mutating func addUser(_ name: String, toGroup group: String) {
    let id = groupID(of: group)
    guard !user(named: name).groups.contains(id) else { return }
    users[name]?.groups.append(id)
  }

  /// Runs the program under test as a user, with the groups that the user would get at a login now.
  ///
  /// - Parameters:
  ///   - name: The name of an existing user.
  ///   - permitted: The capabilities that the program may raise.
  ///   - effective: The capabilities that are effective.
  public mutating func run(
    as name: String, permitted: CapabilitySet = [], effective: CapabilitySet = []
  ) {
    let user = user(named: name)
    subjectUser = name
    subject = Subject(uid: user.id, gid: user.primaryGroup, groups: user.groups)
    subject.permitted = permitted.union(effective)
    subject.effective = effective
    if user.id == 0, permitted.isEmpty {
      subject.permitted = .all
      subject.effective = .all
    }
    environment["HOME"] = user.home
  }

  /// Returns the number of an existing user.
  public func userID(of name: String) -> UInt32 {
    user(named: name).id
  }

  /// Returns the number of an existing group.
  public func groupID(of name: String) -> UInt32 {
    guard let id = groups[name] else {
      preconditionFailure("the described machine has no group \(name)")
    }
    return id
  }

  func user(named name: String) -> User {
    guard let user = users[name] else {
      preconditionFailure("the described machine has no user \(name)")
    }
    return user
  }

  var account: AccountFacts {
    let user = users[subjectUser]
    var facts = AccountFacts(
      user: user == nil ? nil : subjectUser, home: user?.home,
      loginGroups: user.map { [$0.primaryGroup] + $0.groups })
    for (name, user) in users { facts.userNames[user.id] = name }
    for (name, id) in groups { facts.groupNames[id] = name }
    return facts
  }
}

extension MachineDescription {
  /// Returns the same machine with the subject that a question names, and the subject's origin.
  ///
  /// - Throws: `noSubject` for a user, a group, a process or a unit that is not described.
  func running(
    _ question: Question
  ) throws(DeviceError) -> (MachineDescription, SubjectOrigin?) {
    var machine = self
    var origin: SubjectOrigin?
    switch question.subject {
    case .ownProcess: break
    case .user(let word):
      let name = userName(of: word)
      if let name {
        machine.run(as: name)
      } else if let id = UInt32(word), id != .max {
        machine.runAsUserWithoutAccount(id)
      } else {
        throw DeviceError(.noSubject, operation: "find user", path: word)
      }
      machine.environment = [:]
      machine.confinement = ConfinementFacts()
      machine.confinement.container = confinement.container
      machine.confinement.securityModules = confinement.securityModules
      machine.confinement.kernelRelease = confinement.kernelRelease
      machine.confinement.distribution = confinement.distribution
      machine.confinement.seccompMode = 0
      origin = SubjectOrigin(.user, name: name)
    case .process(let number):
      throw DeviceError(.noSubject, operation: "find process", path: String(number))
    case .unit(let name):
      throw DeviceError(.noSubject, operation: "find unit", path: name)
    }
    let variation = question.variation
    guard !variation.isEmpty else { return (machine, origin) }
    var numbers: [String: UInt32] = [:]
    for name in variation.groupNames {
      guard let number = groups[name] ?? UInt32(name) else {
        throw DeviceError(.noSubject, operation: "find group", path: name)
      }
      numbers[name] = number
    }
    machine.subject = variation.applied(to: machine.subject, numbers: numbers)
    origin = origin ?? SubjectOrigin(.ownProcess)
    origin?.variations = variation.clauses
    return (machine, origin)
  }

  /// Runs as a user without an account, whose only group is the overflow group, as the real
  /// observer does.
  private mutating func runAsUserWithoutAccount(_ id: UInt32) {
    subjectUser = String(id)
    subject = Subject(uid: id, gid: 65534)
    subject.groups = [65534]
  }

  /// Returns the user that a word names; a name takes precedence over a number.
  private func userName(of word: String) -> String? {
    if users[word] != nil { return word }
    return UInt32(word).flatMap { id in users.first { $0.value.id == id }?.key }
  }
}

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
