internal import UdevRules

/// The layer for udev rules and for devices that logind gives to the active user of a seat.
struct SeatsLayer: Layer {
  let assessment: Assessment
  let names: Names

  static let causes: [CauseDescription<SeatsLayer>] = [
    CauseDescription(
      .aclAbsent, "ACL entry missing",
      remedies: { layer, _ in [layer.triggerAgain()].compactMap(\.self) }),
    CauseDescription(.aclStale, "stale ACL entry"),
    CauseDescription(
      .uaccessNotTagged, "uaccess tag missing",
      remedies: { layer, _ in layer.taggingRemedies() }),
    CauseDescription(
      .uaccessNotActive, "no active session on the seat",
      remedies: { layer, cause in layer.inactiveRemedies(layer.place(of: cause)) }),
    CauseDescription(
      .bootRace, "udev has not finished", object: .other,
      remedies: { layer, _ in layer.bootRemedies() }),
    CauseDescription(
      .udevNotRunning, "no udev daemon",
      remedies: { layer, cause in layer.udevRemedies(layer.place(of: cause)) }),
  ]

  // MARK: - Before udev

  /// Returns the cause for a new node that udev has not finished processing.
  ///
  /// Until then, the node keeps its initial owner, which is root, and its initial mode.
  func bootRace(_ node: Node) -> Cause? {
    // A device that udev has not processed may have no known node, only a kernel name.
    let unknown = facts.devices.first { $0.node == nil && "/dev/\($0.kernelName)" == node.path }
    guard let device = assessment.device ?? unknown, !device.isInitialized, node.uid == 0,
      node.gid == 0, confinement.container == nil, !facts.isOpenWrt, facts.rules?.handled == nil
    else { return nil }
    if facts.hardware?.hasUdevControl == false { return udevNotRunning(node) }
    // If the database is hidden, all devices look as if udev had not processed them. The socket of
    // the daemon is in the same directory, so if the socket is visible, the database is not hidden.
    guard facts.hardware?.hasUdevControl == true || facts.devices.contains(where: \.isInitialized),
      !facts.unobserved.contains(where: { $0.layer == Unobserved.udevDatabaseLayer })
    else { return nil }
    let setting =
      rules(node)?.setting.map { " When udev processes it, \($0.place) sets \($0.token)." } ?? ""
    // systemd triggers the events of all devices again at boot, after udevd has started.
    let lost = confinement.hasSystemd == false ? ": its event has not arrived yet, or was lost" : ""
    return Cause(
      .bootRace,
      summary: """
        udev has not finished with \(node.path), which still has mode \
        \(node.octalMode)\(lost).\(setting)
        """, at: node.path, isProven: false)
  }

  /// Returns the cause for a node that still has its initial permissions because no udev daemon is
  /// running.
  func udevNotRunning(_ node: Node) -> Cause {
    Cause(
      .udevNotRunning,
      summary: """
        \(node.path) still has mode \(node.octalMode) and belongs to root: no udev daemon is running to set its \
        permissions (there is no /run/udev/control).
        """, at: node.path, isProven: false)
  }

  func bootRemedies() -> [Remedy] {
    guard let node = device?.node ?? assessment.object?.path else { return [] }
    let udev = UdevTrigger(facts)
    let again = Remedy(
      "Have udev process the device now, if its event was lost",
      // Programs need the control node of a sound card as well.
      commands: device?.subsystem == "sound"
        ? udev.commands(node: nil, device: ("sound", nil), action: "add")
        : udev.commands(node: node, device: device, action: "add"), actor: .administrator,
      until: .boot, assumes: "the udev rules give the user access")
    // If the event was lost, waiting for it is pointless.
    if confinement.hasSystemd == false { return [again] }
    var remedies: [Remedy] = []
    if let unit = confinement.serviceUnit, node.isConfigurationWord {
      remedies.append(
        UnitRemedies(assessment: assessment, names: names).dropIn(
          unit, ["ExecStartPre=+\(udev.waiting(for: node, seconds: 30))"],
          named: "devaccess-wait", title: "Have \(unit) wait for udev to finish before it starts",
          assumes: "the udev rules give \(unit)'s user access"))
    }
    return remedies + [
      Remedy(
        "Wait until udev has finished with the node",
        commands: [udev.waiting(for: node.shellQuoted, seconds: 10)], actor: .user,
        assumes: Remedy.both("udev is running", "its rules give the user access")), again,
    ]
  }

  /// Returns the cause for a device that the kernel has but whose node does not exist.
  ///
  /// The filesystem at `/dev` is not the kernel's devtmpfs, and no daemon is running that would
  /// create the node.
  func nodeNotMade(_ device: DeviceFacts) -> Cause? {
    guard let node = device.node, facts.hardware?.hasUdevControl == false, !device.isInitialized,
      confinement.hasSystemd == false, confinement.container == nil,
      let mount = access.mount(of: node), mount.fstype != "devtmpfs"
    else { return nil }
    return Cause(
      .udevNotRunning,
      summary: """
        The kernel has the device \(device.nameInSentences), and \(node) does not exist: /dev \
        (\(mount.fstype)) is static here, and no device manager is running to create the node.
        """, at: node, isProven: false)
  }

  /// Returns the remedy that creates the missing node manually and gives the subject access to it.
  private func makingRemedies(_ path: String) -> [Remedy] {
    guard let device, device.node == path, let number = device.number else { return [] }
    let type = device.subsystem == "block" ? "b" : "c"
    var commands = ["mknod -m 600 \(path.shellQuoted) \(type) \(number.major) \(number.minor)"]
    if subject.fsuid != 0 {
      guard names.hasPlainName(user: subject.fsuid) else { return [] }
      let entry = "u:\(names.userWord(subject.fsuid)):\(wanted.letters)"
      commands.append("setfacl -m \(entry) \(path.shellQuoted)")
    }
    let mount = access.mount(of: path)
    let isOnDisk = mount.map { !["devtmpfs", "tmpfs"].contains($0.fstype) } ?? false
    return [
      Remedy(
        "Create the node for \(user)", commands: commands, actor: .administrator,
        until: isOnDisk ? .never : .nodeCreation(path: "/dev", isInMemory: true),
        assumes: "this is the machine's own /dev, not a sandbox's")
    ]
  }

  /// Returns the remedies that start an installed udev daemon, or create the node if it does not
  /// exist.
  func udevRemedies(_ path: String) -> [Remedy] {
    guard access.nodes.contains(where: { $0.path.isSame(as: path) }) else {
      return makingRemedies(path)
    }
    guard facts.hardware?.hasUdevDaemon != false else { return [] }
    let isInstalled = facts.hardware?.hasUdevDaemon == nil ? "udev is installed" : nil
    let gives = "the udev rules give the user, or one of the user's groups, access to the node"
    let assumption = Remedy.both(isInstalled, gives)
    let start = Remedy(
      "Start udev, and have it process the device",
      commands: UdevDaemonStart(hasSystemd: confinement.hasSystemd).start
        + UdevTrigger(facts).commands(node: path, device: device, action: "add"),
      actor: .administrator,
      until: confinement.hasSystemd == false ? .boot : .never, assumes: assumption)
    guard confinement.isWSL, confinement.hasSystemd == false else { return [start] }
    return [Self.systemdOfWSL(assumption), start]
  }

  // MARK: - uaccess

  /// Returns whether a rule written by the administrator gives the node to a group other than root.
  func isGivenByAdministrator(_ node: Node) -> Bool {
    guard node.gid != 0, let setting = rules(node)?.setting else { return false }
    return setting.subject == .group && RuleFile.isOwn(setting.place.path)
  }

  private func rules(_ node: Node) -> SeatRules? { SeatRules(facts, of: assessment.device, node) }

  /// Returns the remedies that make an existing rule of the administrator apply, or otherwise add a
  /// rule with the tag.
  private func taggingRemedies() -> [Remedy] {
    IneffectiveRuleRemedies(assessment, names: names).remedies(
      or: [UdevRuleRemedies(assessment: assessment, names: names).tagRule()])
  }

  /// Returns the cause if a rule for the device has had no effect on it.
  ///
  /// - Parameters:
  ///   - node: The node that refuses access.
  ///   - otherwise: The cause to report if there is no such rule. Its code and summary are also
  ///     used for a rule that does not set the tag.
  /// - Returns: The cause; `nil` if there is no such rule.
  func ruleCause(_ node: Node, otherwise: Cause) -> Cause? {
    guard let rules = rules(node), let rule = rules.ineffective(isSeat: assessment.canHaveSeat)
    else { return nil }
    let isTagged = device?.isTaggedForUserAccess ?? false
    if rule.isTag, isTagged, rule.finding.code == .tooLate { return lateTagCause(node) }
    if rule.isTag, !isTagged, otherwise.code != .groupNotMember || isTagEnough {
      return Cause(
        .uaccessNotTagged,
        summary:
          """
          \(node.path) is not tagged uaccess, so logind does not give any session access to it: \
          \(rules.reason(rule, for: "it")).
          """,
        at: node.path)
    }
    guard rule.isOwnership else { return nil }
    let reason = rules.reason(rule, for: node.path)
    return Cause(otherwise.code, summary: "\(reason). \(otherwise.summary)", at: node.path)
  }

  /// A Boolean value that indicates whether the tag `uaccess` would give the subject access.
  private var isTagEnough: Bool { device.map(isActive) ?? true }

  /// Returns whether the subject is the active user of the device's seat.
  func isActive(on device: DeviceFacts) -> Bool {
    facts.session?.activeUsers[device.seat] == subject.fsuid
  }

  /// Returns whether the subject is, or can become, the active user of the device's seat.
  ///
  /// The result is `false` if logind is not running, or if the session is remote and the user is
  /// not active. If the facts are insufficient, the result is `true`.
  func canBecomeActive(on device: DeviceFacts) -> Bool {
    // A container may hide the session and logind.
    guard let session = facts.session, confinement.container == nil else { return true }
    return session.isLogindRunning && (isActive(on: device) || !session.isRemote)
  }

  func untaggedCause(_ node: Node, _ device: DeviceFacts) -> Cause {
    let isSticky = device.tags.contains("uaccess")
    let rules = rules(node)
    if let taking = rules?.narrowings.first(where: { $0.isTagged && $0.giver != nil }),
      let giver = taking.giver
    {
      return Cause(
        .uaccessNotTagged,
        summary: """
          \(node.path) is not tagged uaccess, so logind does not give any session access to it: \
          \(giver) sets the tag, but \(taking.place), which comes later, sets \(taking.parts).
          """, at: node.path)
    }
    let nearest = rules?.nearest.map { ": \($0)" } ?? ""
    return Cause(
      .uaccessNotTagged,
      summary: isSticky
        ? """
        \(node.path) had the uaccess tag once and does not have it now, so logind does not give \
        any session access to it.
        """
        : """
        \(node.path) is not tagged uaccess, so logind does not give any session access to \
        it\(nearest).
        """,
      at: node.path)
  }

  /// Returns the cause for a rule that sets the tag too late.
  ///
  /// The tag has an effect only if it is set before `73-seat-late.rules`, which creates ACL entries
  /// for tagged devices.
  func lateTagCause(_ node: Node) -> Cause {
    if let late = rules(node)?.latePlaces {
      return Cause(
        .uaccessNotTagged,
        summary: """
          \(node.path) gets the uaccess tag too late: \(late.tag) sets it after \(late.turning), \
          which gives tagged devices to the user of the seat.
          """, at: node.path)
    }
    return Cause(
      .uaccessNotTagged,
      summary: """
        \(node.path) is tagged uaccess, but logind has not given it to the user of the seat: the rule \
        that tags it probably sorts after 73-seat-late.rules, or the device is older than the rule.
        """, at: node.path, isProven: false)
  }

  func activeSessionCause(_ node: Node, _ device: DeviceFacts) -> Cause {
    let seat = device.seat
    guard let session = facts.session, session.isLogindRunning else {
      return Cause(
        .uaccessNotActive,
        summary: """
          \(node.path) is tagged uaccess, so logind or elogind would give it to the active user, \
          but \(facts.unseenLogind).
          """, at: node.path, isProven: facts.session != nil)
    }
    if isActive(on: device) {
      return Cause(
        .aclAbsent,
        summary: """
          \(node.path) is tagged uaccess and \(user) is active on \(seat), yet the node has no \
          entry for this user.
          """, at: node.path)
    }
    let holder =
      session.activeUsers[seat].map { "who is \(names.user($0)) now" }
      ?? "but no user is active there"
    return Cause(
      .uaccessNotActive,
      summary: """
        logind gives \(node.path) only to the active user of \(seat), \(holder); \
        \(inactivity(session, seat: seat))\(missingGroup(of: node)).
        """, at: node.path)
  }

  /// Returns a clause about the group of a node, for a user who cannot become active on the seat.
  private func missingGroup(of node: Node) -> String {
    guard facts.session?.id == nil, node.gid != 0, node.gid < 1000,
      node.owningGroupPermissions.isSuperset(of: wanted), !subject.groups.contains(node.gid),
      subject.fsgid != node.gid
    else { return "" }
    return ", and \(user) is not in \(names.group(node.gid))"
  }

  /// Returns a clause that explains why the session does not give access.
  private func inactivity(_ session: SessionFacts, seat: String) -> String {
    guard let id = session.id else {
      if facts.origin?.kind == .user { return "\(user) has no session" }
      let isService = facts.origin?.kind == .unit
      guard let unit = confinement.serviceUnit else {
        return "\(isService ? "a service" : "this process") belongs to no session"
      }
      return isService
        ? "\(unit) belongs to no session"
        : "this process belongs to \(unit), not to a session"
    }
    if let owner = session.user, !session.isOf(subject.fsuid) {
      return "the program runs in session \(id), which belongs to \(names.user(owner))"
    }
    let own = "session \(id) of \(user)"
    if session.isRemote { return "\(own) is remote" }
    guard let place = session.seat else { return "\(own) has no seat" }
    if place != seat { return "\(own) is on \(place)" }
    return "\(own) on \(place) is not the active one"
  }

  /// Returns the cause for a named user entry in the ACL that logind should have removed.
  ///
  /// The entry is outdated because the device is no longer tagged or the user is no longer active.
  func staleEntryCause(_ node: Node) -> Cause? {
    guard let device = assessment.device, let session = facts.session, session.isLogindRunning
    else {
      return nil
    }
    let active = session.activeUsers[device.seat]
    let entry = node.acl?.first { entry in
      guard entry.tag == .user, let id = entry.id else { return false }
      return !device.isTaggedForUserAccess || id != active
    }
    guard let id = entry?.id else { return nil }
    return Cause(
      .aclStale,
      summary: """
        The ACL of \(node.path) still names \(names.user(id)), \
        \(device.isTaggedForUserAccess ? "who is not active" : "and the device has no uaccess tag").
        """, at: node.path, isProven: false)
  }

  func switchSession() -> Remedy? {
    guard let session = facts.session, let id = session.id, session.seat == device?.seat,
      !session.isRemote, !session.isActive, session.isOf(subject.fsuid)
    else { return nil }
    // logind requires an administrator to switch sessions from a background session. A user at the
    // machine can use the keyboard instead.
    return Remedy(
      "Switch to the session on \(session.seat ?? "its seat")",
      commands: ["loginctl activate \(id.shellOperand)"], actor: .administrator,
      changes: [.activateSession], until: .sessionSwitch)
  }

  /// Returns the remedy that makes udev and logind set the ACL of a tagged node again.
  func triggerAgain() -> Remedy? {
    guard let device, let seat = facts.session?.activeUsers[device.seat], seat == subject.fsuid,
      let node = device.node
    else { return nil }
    return Remedy(
      "Have udev and logind set the ACL of the node again",
      commands: UdevTrigger(facts).commands(node: node, device: device), actor: .administrator,
      changes: [.deviceEvent(path: node, mode: nil, group: nil, isTagged: false)],
      assumes: UdevRuleRemedies(assessment: assessment, names: names).isTaggedLate
        ? "the rule that tags it sorts before 73-seat-late.rules" : nil)
  }
}
