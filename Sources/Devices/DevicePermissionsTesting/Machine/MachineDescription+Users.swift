public import AccessModel

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
