internal import AccessModel
internal import DevicePermissions
internal import LinuxDevices

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
