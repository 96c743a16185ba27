internal import AccessModel
internal import DeviceWatching
internal import LinuxDevices

/// Performs the work of a ``GrantService`` on the calling thread.
struct GrantOperations: GrantBackend {
  let machine: any Machine
  let folders: GrantFolders
  /// The absolute path of the program that ends and renews grants; `nil` without such a program.
  let program: String?
  /// Finds files that were moved within the album.
  let movedFiles = MovedFiles()
  /// A test hook that runs between the last two reads of a list, when other programs may change it.
  var whileListMayChange: @Sendable () -> Void = {}
  /// A test hook that runs before and after each lasting step: the write of a record or a list.
  var beforeEffect: @Sendable () -> Void = {}

  /// The number of attempts before a grant fails because its list keeps changing.
  static let mostAttempts = 5

  // MARK: - Granting

  /// Adds an access list entry, records it, and arranges for its removal.
  func grant(_ request: GrantRequest) throws(GrantError) -> GrantReport {
    let found = try find(request)
    let path = found.path
    let node = try PinnedNode(path: path)
    let target = try self.target(of: request, found, on: node)
    if request.lifetime == .permanent, node.type.isDevice {
      return try grantForGood(target, node)
    }
    // A request that is refused must not leave a folder behind.
    let first = try planEntry(for: target, on: node, over: nil)
    try requireRight(to: node, path)
    let folder = try self.folder(for: node, at: path, request.lifetime)
    let report = try folder.locked(makesFolder: true) {
      (locked: borrowing GrantFolder.Locked) throws(GrantError) in
      var ledger = try GrantLedger(in: locked, at: folder.path).whole()
      _ = end(overdue(in: ledger), in: &ledger, underLock: locked, folder)
      _ = end(onRemoved(in: ledger, whoseNumberHas: node), in: &ledger, underLock: locked, folder)
      let others = otherRecords(besides: folder)
      let rule = rule(for: first)
      forgetEnded(in: &ledger, others)
      let lock = lock(ownerOf: node)
      defer { withExtendedLifetime(lock) {} }
      for _ in 0..<Self.mostAttempts {
        let report = try giveEntry(
          target, on: node, rule, in: ledger, others, underLock: locked, folder.path)
        if let report { return report }
      }
      throw Self.restless(path)
    }
    guard let report else { throw GrantError(.failed, at: folder.path, "there is no folder") }
    return report
  }

  /// Plans a grant without changing anything.
  func plan(_ request: GrantRequest) throws(GrantError) -> GrantReport {
    let found = try find(request)
    let node = try PinnedNode(path: found.path)
    let target = try self.target(of: request, found, on: node)
    if request.lifetime == .permanent, node.type.isDevice {
      let plan = try planForGood(target, node)
      var report = plan.report
      guard !report.isAllowedAlready else { return report }
      report.commands = ruleCommands(of: report, plan.device)
      return report
    }
    let plan = try planEntry(for: target, on: node, over: nil)
    var report = self.report(
      of: plan, newGrant(from: plan, request), at: target.path, rule(for: plan))
    guard !report.isAllowedAlready else { return report }
    report.commands = report.listCommands
    return report
  }

  /// Returns the error for a list that keeps changing.
  static func restless(_ path: String) -> GrantError {
    GrantError(.changed, at: path, "another program keeps changing its access list")
  }

  /// Records an entry, then sets it if the list is still the one that it was planned for.
  ///
  /// - Returns: The report, or `nil` if the list has changed since then and nothing was done.
  private func giveEntry(
    _ target: GrantTarget, on node: borrowing PinnedNode, _ rule: DeviceRule?,
    in ledger: GrantLedger, _ others: OtherRecords,
    underLock locked: borrowing GrantFolder.Locked, _ place: String
  ) throws(GrantError) -> GrantReport? {
    let path = target.path
    let object = ledger.object(node, at: path)
    let state = try self.state(
      of: node, calledBy: path, own: object, others: others, if: rule?.conditions)
    let plan = try planEntry(for: target, on: node, over: state)
    let grant = newGrant(from: plan, target.request)
    var report = self.report(of: plan, grant, at: path, rule)
    guard !report.isAllowedAlready else { return report }
    try requireRight(to: node, path)
    guard ledger.count < StandingGrant.most else {
      throw GrantError(
        .full, at: path, "there are \(StandingGrant.most) grants already; revoke some")
    }
    var changed = ledger
    var next =
      object
      ?? GrantedObject(
        path: path, inode: node.inode, handle: node.handle,
        conditions: rule?.conditions, kind: plan.kind?.name, current: state.current)
    next.add(grant)
    next.prepare(state.list(adding: grant), from: state)
    changed.put(next)
    // Record the entry before it is set: a recorded entry can be removed after any interruption.
    try save(changed, to: locked, at: place)
    var isSet = false
    do throws(GrantError) {
      report.ending = try startEnd(of: grant)
      whileListMayChange()
      // Another program that writes the list, such as logind, would lose its latest change. Linux
      // has no call that replaces a list only if it is unchanged, so a change between these two
      // calls is lost.
      guard try node.list(calledBy: path) == state.current else {
        if report.ending == .timer { GrantTimer.stop(grant.id) }
        try save(ledger, to: locked, at: place)
        return nil
      }
      isSet = true
      try self.write(next.written, on: node, calledBy: path)
      try confirm(target, on: node)
    } catch {
      if report.ending == .timer { GrantTimer.stop(grant.id) }
      // If even this fails, the record stays for another attempt.
      if !isSet || takeBack(grant, of: next, others, on: node) || !node.mayChange() {
        try save(ledger, to: locked, at: place)
      }
      throw error
    }
    next.confirm()
    changed.put(next)
    try save(changed, to: locked, at: place)
    report.survivesReplug = follow(grant, next)
    if plan.device?.isTaggedForUserAccess == true, next.conditions != nil {
      followSwitches(of: grant, at: path)
    }
    report.before = state.current
    report.after = next.written
    log("gave", grant, path)
    return report
  }

  /// Removes an entry that had no effect, and keeps all other changes since then.
  ///
  /// - Returns: `true` if the entry no longer exists.
  private func takeBack(
    _ grant: AccessGrant, of object: GrantedObject, _ others: OtherRecords,
    on node: borrowing PinnedNode
  ) -> Bool {
    let path = object.path
    guard
      let state = try? state(of: node, calledBy: path, own: object, others: others, if: nil)
    else {
      return false
    }
    let list = state.list(without: [grant.id])
    return list == state.current || (try? write(list, on: node, calledBy: path)) != nil
  }

  private func requireRight(
    to node: borrowing PinnedNode, _ path: String
  ) throws(GrantError) {
    guard node.mayChange() else {
      throw GrantError(
        .notPermitted, at: path, "only root and the owner may change its access list")
    }
  }

  /// Checks that the entry is on the object at the path, and that it gives the user access.
  private func confirm(
    _ target: GrantTarget, on node: borrowing PinnedNode
  ) throws(GrantError) {
    let path = target.path
    guard node.isStill(at: path) else {
      throw GrantError(.changed, at: path, "it was replaced while its access list was set")
    }
    let explanation = try observe(target.question).explain()
    guard node.isStill(at: path) else {
      throw GrantError(.changed, at: path, "it was replaced while its access list was set")
    }
    try target.request.confirm(explanation, at: path)
  }

  // MARK: - The end

  /// Writes a record, and ensures that systemd ends its grants even after systemd restarts.
  ///
  /// Devices do not need this: their nodes vanish at shutdown, and root's timers survive a logout.
  func save(
    _ ledger: GrantLedger, to locked: borrowing GrantFolder.Locked, at place: String
  ) throws(GrantError) {
    beforeEffect()
    defer { beforeEffect() }
    guard place == folders.lasting?.path, let unit = folders.loginUnit else {
      return try ledger.write(to: locked, at: place)
    }
    let hasEnd = ledger.objects.contains { $0.grants.contains { $0.end != nil } }
    if hasEnd, GrantTimer.isPossible(for: program), let program { try unit.write(program) }
    try ledger.write(to: locked, at: place)
    if !hasEnd { unit.remove() }
  }

  /// Arranges for the end of a grant.
  private func startEnd(of grant: AccessGrant) throws(GrantError) -> GrantReport.Ending {
    guard let end = grant.end else { return .nothing }
    return try startTimer(of: grant, after: grant.duration ?? 0, at: end) ? .timer : .caller
  }

  /// Starts a systemd timer that ends a grant.
  ///
  /// - Returns: `true` if systemd can end it.
  func startTimer(
    of grant: AccessGrant, after seconds: Int64, at end: Int64
  ) throws(GrantError) -> Bool {
    guard GrantTimer.isPossible(for: program), let program else { return false }
    try GrantTimer.start(grant.id, [program, "revoke", grant.id], after: seconds, at: end)
    return true
  }

  /// Adds a udev rule that renews the grant when the device is reconnected.
  private func follow(_ grant: AccessGrant, _ object: GrantedObject) -> Bool {
    guard UdevRuleFolder.isDaemonRunning, grant.end != nil, let again = again(grant),
      let conditions = object.conditions, let rule = DeviceRule.running(again, if: conditions)
    else { return false }
    let text =
      "# While the grant lasts, devaccess renews it when the device is reconnected.\n\(rule)\n"
    guard (try? folders.rules.write(text, for: grant.id)) != nil else { return false }
    return UdevRuleFolder.reload()
  }

  /// Makes systemd renew the grant after each session switch, because logind may remove it then.
  ///
  /// If the unit cannot be started, the next event of the device renews the grant.
  func followSwitches(of grant: AccessGrant, at path: String) {
    guard SessionSwitchUnit.isPossible, grant.end != nil, let again = again(grant) else { return }
    SessionSwitchUnit.stop(grant.id)
    try? SessionSwitchUnit.start(grant.id, again + ["--settle", path])
  }

  /// Returns the command that renews a grant; the path of the node must be appended to the command.
  private func again(_ grant: AccessGrant) -> [String]? {
    program.map { [$0, "grant", "--again=\(grant.id)"] }
  }

  // MARK: - Records

  /// Returns a grant that begins now.
  ///
  /// - Parameters:
  ///   - plan: The plan of the grant.
  ///   - request: The request, which sets the duration.
  ///   - id: The identifier of the grant.
  /// - Returns: The grant.
  func newGrant(
    from plan: GrantPlan, _ request: GrantRequest, called id: String = AccessGrant.newID()
  ) -> AccessGrant {
    let now = GrantCaller.now
    var seconds: Int64?
    if case .seconds(let count) = request.lifetime { seconds = count }
    return AccessGrant(
      id: id, user: plan.user,
      userName: plan.userName, permissions: plan.permissions, kept: plan.kept,
      giver: GrantCaller.person, start: now, end: seconds.map { now + $0 },
      // Do not count the second that has already begun.
      deadline: seconds.map { GrantCaller.uptime + 1 + $0 }, boot: GrantCaller.boot)
  }

  func report(
    of plan: GrantPlan, _ grant: AccessGrant, at path: String, _ rule: DeviceRule?
  ) -> GrantReport {
    GrantReport(
      of: plan, grant, at: path, rule,
      hasTimer: GrantTimer.isPossible(for: program),
      hasUdev: UdevRuleFolder.isDaemonRunning)
  }

  func log(_ verb: String, _ grant: AccessGrant, _ path: String) {
    let user = grant.userName ?? String(grant.user)
    let duration = grant.duration.map { "\($0) s" } ?? "permanent"
    Journal.log(
      "\(verb) user \(user) \(grant.permissions.letters) access to \(path) (\(duration))",
      [
        ("DEVACCESS_GRANT", grant.id), ("DEVACCESS_USER", String(grant.user)),
        ("DEVACCESS_DEVICE", path), ("DEVACCESS_ACCESS", grant.permissions.letters),
        ("DEVACCESS_DURATION", duration), ("DEVACCESS_CALLER", String(GrantCaller.person)),
      ])
  }

  /// Returns the folder that records grants on an object.
  func folder(
    for node: borrowing PinnedNode, at path: String, _ lifetime: GrantRequest.Lifetime
  ) throws(GrantError) -> GrantFolder {
    if node.type.isDevice { return folders.devices }
    if node.isInMemory, lifetime != .permanent { return folders.volatile }
    guard let lasting = folders.lasting else {
      throw GrantError(.failed, at: path, "the grant cannot be recorded without a home directory")
    }
    return lasting
  }

  // MARK: - Commands

  /// Returns shell commands with the same effect as a permanent grant on a device.
  ///
  /// - Parameters:
  ///   - report: The report of the grant.
  ///   - device: The path of the device in sysfs.
  /// - Returns: The commands.
  func ruleCommands(of report: GrantReport, _ device: String) -> [String] {
    let file = folders.lastingRules.file("0123456789abcdef")
    return [
      "printf '%s\\n' \((report.rule ?? "").shellQuoted) > \(file)", "udevadm control --reload",
      "udevadm trigger --action=change \(device.shellQuoted)", "udevadm settle",
    ]
  }
}

/// Combines the grants on an inode from all records.
extension GrantOperations {
  /// The records that may name an inode in addition to the record of one folder.
  struct OtherRecords {
    /// The records in the caller's other folders.
    var objects: [GrantedObject] = []
    /// The permanent grants on devices.
    var rules: [PermanentGrantRule] = []

    /// Returns the grants that udev rules give on an inode.
    ///
    /// - Parameters:
    ///   - node: The inode.
    ///   - conditions: The udev conditions that identify the device; `nil` if udev has none.
    /// - Returns: The grants.
    func rules(on node: borrowing PinnedNode, if conditions: String?) -> [AccessGrant] {
      guard node.type.isDevice else { return [] }
      return rules.filter { rule in
        (conditions != nil && rule.object.conditions == conditions) || node.isInode(of: rule.object)
      }.map(\.grant)
    }
  }

  /// Returns the current state of the other records.
  ///
  /// - Parameter folder: The folder whose record the caller has already read; `nil` for none.
  /// - Returns: The records.
  func otherRecords(besides folder: GrantFolder?) -> OtherRecords {
    let others = folders.all.filter { $0 != folder }
    return OtherRecords(
      objects: others.flatMap { GrantLedger($0.unlockedRecord ?? [], at: $0.path).objects },
      rules: rules())
  }

  /// Returns the grants on an inode, together with its access list.
  ///
  /// - Parameters:
  ///   - node: The inode.
  ///   - path: The path to use in errors.
  ///   - own: The inode's own record; `nil` without one.
  ///   - others: The other records.
  ///   - conditions: The udev conditions that identify the device; `nil` if udev has none.
  ///   - arriving: Grants that move with the device from its previous node.
  ///   - isFresh: `true` if a udev event has just reset the list.
  /// - Throws: The error that prevents reading the list.
  /// - Returns: The grants and the list.
  func state(
    of node: borrowing PinnedNode, calledBy path: String, own: GrantedObject?,
    others: OtherRecords, if conditions: String?, arriving: [AccessGrant] = [],
    isFresh: Bool = false
  ) throws(GrantError) -> InodeGrants {
    let current = try node.list(calledBy: path)
    var records = [own].compactMap(\.self)
    // If there is no other record, the record of the newest rule has the list from before the
    // rules.
    let ofRules = node.type.isDevice ? others.rules.reversed().map(\.object) : []
    for object in others.objects + owners(of: node) + ofRules where node.isInode(of: object) {
      records.append(object)
    }
    let rules = others.rules(on: node, if: conditions ?? own?.conditions)
    return InodeGrants(current, records: records, rules: rules + arriving, isFresh: isFresh)
  }

  /// Returns the records of the other user who may change the list of a device: its owner, or root.
  private func owners(of node: borrowing PinnedNode) -> [GrantedObject] {
    guard node.type.isDevice, let ledger = folders.otherLedger(of: node.owner),
      let bytes = ledger.read()
    else { return [] }
    return GrantLedger(bytes, at: ledger.base).objects
  }

  /// Locks the record of a device's owner while root changes the access list.
  ///
  /// This keeps the owner's programs from changing the list. The lock on root's own folder keeps
  /// out root's other programs.
  ///
  /// - Returns: The lock; `nil` if no other user has a record or it cannot be locked.
  func lock(ownerOf node: borrowing PinnedNode) -> OtherGrantLedger.Lock? {
    hasOtherOwner(node) ? folders.otherLedger(of: node.owner)?.lock() : nil
  }

  /// Returns `true` if the caller is root and another user, the owner, may also grant access.
  func hasOtherOwner(_ node: borrowing PinnedNode) -> Bool {
    node.type.isDevice && folders.user == 0 && node.owner != 0
  }

  /// Writes a list that the record already contains.
  func write(
    _ list: AccessList, on node: borrowing PinnedNode, calledBy path: String
  ) throws(GrantError) {
    beforeEffect()
    try node.set(list, calledBy: path)
    beforeEffect()
  }
}
