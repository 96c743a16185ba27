internal import AccessModel
public import DevicePermissions
internal import LegoKit
internal import LinuxDevices

/// Gives, revokes and renews grants.
extension MachineDescription {
  /// Adds an access list entry and records it.
  ///
  /// - Throws: The reason for the failure; the caller then discards the changes.
  mutating func give(_ request: GrantRequest) throws(GrantError) -> GrantReport {
    endOverdueGrants()
    let (plan, known, state) = try self.plan(request)
    let path = plan.node.path
    let caller = subject.euid
    lastGrant += 1
    let digits = String(lastGrant, radix: 16)
    let id = String(repeating: "0", count: 16 - digits.count) + digits
    let grant = record(of: plan, request, id: id)
    var report = self.report(of: plan, grant)
    guard !report.isAllowedAlready else { return report }
    guard plan.node.uid == caller || subject.effective.contains(.actAsFileOwner) else {
      throw GrantError(
        .notPermitted, at: path, "only root and the owner may change its access list")
    }
    guard standingGrants.count < StandingGrant.most else {
      throw GrantError(
        .full, at: path, "there are \(StandingGrant.most) grants already; revoke some")
    }
    guard let state else {
      throw GrantError(.undetermined, at: path, "its access list cannot be read")
    }
    var object =
      known
      ?? GrantedObject(
        path: path, inode: inode(of: plan.node), conditions: rule(for: plan)?.conditions,
        kind: plan.kind?.name, current: state.current)
    object.add(grant)
    object.prepare(state.list(adding: grant), from: state)
    object.confirm()
    put(object, of: caller)
    nodes[path]?.setList(object.written)
    try confirm(request, plan, at: path)
    report.before = state.current
    report.after = object.written
    return report
  }

  private func confirm(
    _ request: GrantRequest, _ plan: GrantPlan, at path: String
  ) throws(GrantError) {
    let question = Question(
      .path(path), wanted: plan.permissions, subject: .user(request.user))
    try request.confirm(try observe(question).explain(), at: path)
  }

  /// Revokes grants of the caller.
  ///
  /// - Returns: The revoked grants; the first grant of an object has the command for all of them.
  mutating func takeBack(_ choice: GrantChoice) -> [StandingGrant] {
    endOverdueGrants()
    var revoked: [StandingGrant] = []
    for object in granted[subject.euid] ?? [] {
      let chosen = object.grants.filter {
        choice.includes($0, object.path, object.kind, isOver: isOver($0))
      }
      var ended = chosen.map { end($0, of: subject.euid, on: object.path) }
      if !ended.isEmpty, !ended[0].isGone,
        let list = nodes[object.path].flatMap(AccessList.init(of:))
      {
        ended[0].commands = ["setfacl --set \(list.text) \(object.path.shellQuoted)"]
      }
      revoked += ended
    }
    return revoked
  }

  /// Ends every overdue grant of every user.
  mutating func endOverdueGrants() {
    for (giver, objects) in granted {
      for object in objects {
        for grant in object.grants where isOver(grant) {
          _ = end(grant, of: giver, on: object.path)
        }
      }
    }
  }

  private mutating func end(
    _ grant: AccessGrant, of giver: UInt32, on path: String
  ) -> StandingGrant {
    var standing = StandingGrant(
      grant: grant, path: path, kind: nil, isOver: isOver(grant), isGone: true)
    guard var object = granted[giver]?.first(where: { $0.path == path }) else { return standing }
    standing.kind = object.kind
    let state = state(of: object)
    if let state {
      standing.isGone = false
      standing.isLost = !state.current.gives(grant.permissions, toUser: grant.user)
      object.prepare(state.list(without: [grant.id]), from: state)
      object.confirm()
    }
    object.remove([grant.id])
    put(object, of: giver, isNeeded: state?.grants.contains { $0.id != grant.id } == true)
    guard state != nil else { return standing }
    nodes[path]?.setList(object.written)
    // The seat's access was in the removed entry; restore it if the user is active.
    if let device = devices.first(where: { $0.node == path }), device.isTaggedForUserAccess,
      session.activeUsers[device.seat] == grant.user
    {
      nodes[path]?.setEntry(.user, grant.user, [.read, .write])
    }
    standing.remaining = remaining(of: grant.user, at: path)
    return standing
  }

  // MARK: - Renewing grants

  /// Renews the grants on a device.
  ///
  /// udev does this when the device is reconnected, and systemd when the session is switched.
  mutating func giveAgain(on device: DeviceFacts) {
    guard !granted.isEmpty, let path = device.node,
      let conditions = DeviceRule(only: device)?.conditions
    else { return }
    for (giver, objects) in granted {
      for object in objects where object.conditions == conditions {
        guard object.path == path || nodes[object.path] == nil else { continue }
        move(object, of: giver, to: path)
      }
    }
  }

  /// Renews one grant on a node that the caller names.
  mutating func giveAgain(_ id: String, at path: String) throws(GrantError) -> StandingGrant {
    endOverdueGrants()
    guard
      let object = granted[subject.euid]?.first(where: { $0.grants.contains { $0.id == id } }),
      let grant = object.grants.first(where: { $0.id == id })
    else { throw GrantError(.unknown, at: path, "there is no grant with that identifier") }
    guard let device = devices.first(where: { $0.node == path }), object.conditions != nil,
      DeviceRule(only: device)?.conditions == object.conditions
    else { throw GrantError(.wrongObject, at: path, "it is not the device of the grant") }
    guard object.path == path || nodes[object.path] == nil else {
      throw GrantError(.wrongObject, at: path, "the device is still connected")
    }
    move(object, of: subject.euid, to: path)
    return StandingGrant(grant: grant, path: path, kind: object.kind, isOver: false)
  }

  private mutating func move(_ object: GrantedObject, of giver: UInt32, to path: String) {
    guard let node = nodes[path], let list = AccessList(of: node) else { return }
    var moved = object
    let isSame = object.path == path && object.inode == inode(of: node)
    let records = granted.values.flatMap(\.self).filter { other in
      other.inode == inode(of: node) && other.path == path && (isSame || other != object)
    }
    let state = InodeGrants(
      list, records: records, rules: isSame ? [] : object.grants, isFresh: isSame)
    moved.move(to: path, inode(of: node))
    moved.prepare(state.list(renewing: Set(object.grants.map(\.id))), from: state)
    moved.confirm()
    granted[giver]?.removeAll { $0.path == object.path }
    put(moved, of: giver)
    nodes[path]?.setList(moved.written)
  }

  // MARK: - The record

  /// The grants of the caller.
  var standingGrants: [StandingGrant] {
    (granted[subject.euid] ?? []).flatMap { object in
      let list = list(of: object)
      return object.grants.map { grant in
        StandingGrant(grant, on: object, isOver: isOver(grant), list: list, isGone: list == nil)
      }
    }
  }

  /// Returns the access list of a granted object, or `nil` if the object no longer exists.
  private func list(of object: GrantedObject) -> AccessList? {
    nodes[object.path].flatMap { inode(of: $0) == object.inode ? AccessList(of: $0) : nil }
  }

  /// Returns the grants of all users on an object, or `nil` if the object no longer exists.
  func state(of object: GrantedObject) -> InodeGrants? {
    guard let list = list(of: object) else { return nil }
    return state(at: object.path, list)
  }

  /// Returns the grants on the object at a path.
  func state(at path: String, _ list: AccessList) -> InodeGrants {
    let records = granted.values.flatMap(\.self).filter { other in
      other.path == path && nodes[path].map { inode(of: $0) == other.inode } == true
    }
    return InodeGrants(list, records: records)
  }

  private func remaining(of user: UInt32, at path: String) -> RemainingAccess? {
    let question = Question(
      .path(path), wanted: [.read, .write], subject: .user(String(user)))
    guard let facts = try? observe(question) else { return RemainingAccess([], by: [.unknown]) }
    let list = nodes[path].flatMap(AccessList.init(of:))
    return RemainingAccess(of: user, in: facts, list.map { state(at: path, $0) })
  }

  private mutating func put(_ object: GrantedObject, of giver: UInt32, isNeeded: Bool = false) {
    granted[giver, default: []].removeAll { $0.path == object.path }
    if !object.grants.isEmpty || isNeeded { granted[giver, default: []].append(object) }
  }

  /// Returns the inode of a node, which differs from other inodes only in its device number.
  private func inode(of node: Node) -> GrantedObject.Inode {
    GrantedObject.Inode(filesystem: 0, number: 0, device: node.rdev)
  }
}

/// Plans grants.
extension MachineDescription {
  /// The boot ID of every in-memory machine.
  static let boot = "00000000-0000-0000-0000-000000000000"

  private var uptime: Int64 { elapsed.components.seconds }

  /// Resolves the links that only root or the subject can have created.
  var trustedLinks: TrustedLinks {
    let nodes = nodes
    return TrustedLinks(caller: subject.euid) { nodes[$0].map { .found($0) } ?? .absent }
  }

  /// Plans a grant, and returns it with the caller's record of the object and all grants on the
  /// object.
  func plan(
    _ request: GrantRequest
  ) throws(GrantError) -> (GrantPlan, GrantedObject?, InodeGrants?) {
    let path = try request.path(album: album, following: trustedLinks, observe)
    let object = granted[subject.euid]?.first { $0.path == path }
    let state = nodes[path].flatMap(AccessList.init(of:)).map { self.state(at: path, $0) }
    let question = Question(
      .path(path), wanted: try wanted(request, at: path), subject: .user(request.user))
    let facts = try observe(question)
    let base = state?.list(withoutUser: facts.access.subject.fsuid)
    let isDevice = nodes[path]?.type.isDevice == true
    let plan = try GrantPlan(facts, album: isDevice ? nil : album, over: base)
    if request.lifetime == .permanent, isDevice, !plan.isAllowedAlready {
      _ = try plan.lasting(rule(for: plan))
    }
    return (plan, object, state)
  }

  /// Returns the record of a grant that is given now.
  func record(of plan: GrantPlan, _ request: GrantRequest, id: String) -> AccessGrant {
    var seconds: Int64?
    if case .seconds(let count) = request.lifetime { seconds = count }
    let start = now ?? uptime
    return AccessGrant(
      id: id, user: plan.user, userName: plan.userName, permissions: plan.permissions,
      kept: plan.kept, giver: subject.euid, start: start, end: seconds.map { start + $0 },
      deadline: seconds.map { uptime + $0 }, boot: Self.boot)
  }

  /// Returns the report of a planned grant.
  func report(of plan: GrantPlan, _ grant: AccessGrant) -> GrantReport {
    GrantReport(
      of: plan, grant, at: plan.node.path, rule(for: plan), hasTimer: true, hasUdev: true)
  }

  func rule(for plan: GrantPlan) -> DeviceRule? {
    plan.rule(among: devices.filter { $0.subsystem == plan.device?.subsystem })
  }

  func isOver(_ grant: AccessGrant) -> Bool { grant.isOver(uptime: uptime, boot: Self.boot) }

  func observe(_ question: Question) throws(GrantError) -> AccessFacts {
    do throws(DeviceError) {
      return try InMemoryMachine.facts(for: question, on: self)
    } catch {
      throw GrantError(observing: error)
    }
  }

  private var album: GrantPlan.Album? {
    guard let facts = try? observe(Question(.kind(.album))), let path = facts.album?.path,
      let node = facts.access.object(at: path), node.type == .directory
    else { return nil }
    return GrantPlan.Album(path: node.path, owner: subject.euid)
  }

  private func wanted(_ request: GrantRequest, at path: String) throws(GrantError) -> Permissions {
    guard let type = nodes[path]?.type else { return request.permissions ?? .read }
    return try request.wanted(on: type) {
      devices.first { $0.node == path }.flatMap(GrantPlan.kind(of:))
    }
  }
}

/// Gives and revokes grants on an in-memory machine, which change the access lists of its files and
/// devices.
///
/// The plans, decisions and records are those of the real implementation. The access lists belong
/// to the description, and the machine's clock ends the grants.
struct InMemoryGrants: GrantBackend {
  let machine: InMemoryMachine

  func plan(_ request: GrantRequest) throws(GrantError) -> GrantReport {
    let machine = machine.currentDescription
    let (plan, _, _) = try machine.plan(request)
    var report = machine.report(of: plan, machine.record(of: plan, request, id: ""))
    guard !report.isAllowedAlready else { return report }
    report.commands = report.listCommands
    return report
  }

  func grant(_ request: GrantRequest) throws(GrantError) -> GrantReport {
    let report = try machine.changing { description throws(GrantError) in
      try description.give(request)
    }
    guard !report.isAllowedAlready, case .seconds(let seconds) = request.lifetime else {
      return report
    }
    let clock = machine.clock
    // This is never cancelled: it does nothing if the grant has been revoked.
    _ = clock.schedule(at: clock.now.advanced(by: .seconds(seconds))) { [weak machine] in
      machine?.change { $0.endOverdueGrants() }
    }
    return report
  }

  func revoke(
    _ selection: GrantSelection, isDry: Bool
  ) throws(GrantError) -> Revocation {
    let choice = try GrantChoice(selection, following: machine.currentDescription.trustedLinks)
    let revoke = { (description: inout MachineDescription) throws(GrantError) in
      let revoked = description.takeBack(choice)
      guard !revoked.isEmpty || choice.isOfOverdue else {
        throw choice.missing(isRoot: description.subject.euid == 0)
      }
      return revoked
    }
    if isDry {
      var copy = machine.currentDescription
      return Revocation(try revoke(&copy))
    }
    let revoked = try machine.changing(revoke).map { standing in
      var standing = standing
      standing.commands = []
      return standing
    }
    return Revocation(revoked)
  }

  /// Renews a grant once, because an in-memory machine renews its grants during a session switch.
  func renew(
    _ id: String, at path: String, settles: Bool
  ) throws(GrantError) -> StandingGrant {
    try machine.changing { description throws(GrantError) in
      try description.giveAgain(id, at: path)
    }
  }

  func grants() throws(GrantError) -> [StandingGrant] { machine.currentDescription.standingGrants }
}

extension InMemoryMachine {
  /// A service that grants access on this machine.
  ///
  /// The service refuses what the real one refuses, and later answers of the machine include its
  /// grants. A temporary grant ends when the ``clock`` has advanced by its lifetime. The caller is
  /// the subject of the machine; each user has a separate record of grants. If a device is added
  /// again, its grants are renewed.
  public var grants: GrantService {
    GrantService(machine: self, answeredBy: InMemoryGrants(machine: self))
  }
}
