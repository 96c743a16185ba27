internal import AccessModel
internal import LinuxDevices

/// Performs the work of a ``GrantService`` on the calling thread.
struct GrantOperations: GrantBackend {
  let machine: any Machine
  let places: GrantRecordFolders
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
    let path = try self.path(of: request)
    let node = try PinnedNode(path: path)
    if request.lifetime == .permanent, node.type.isDevice {
      return try grantForGood(request, node, path)
    }
    // A request that is refused must not leave a folder behind.
    let first = try self.plan(request, node, path, over: nil)
    try requireRight(to: node, path)
    let folder = try self.folder(for: node, at: path, request.lifetime)
    let report = try folder.locked(makesFolder: true) {
      (locked: borrowing GrantFolder.Locked) throws(GrantError) in
      var book = try GrantRecord(in: locked, at: folder.path).whole()
      _ = end(overdue(in: book), in: &book, kept: locked, folder)
      _ = end(onRemoved(in: book, whoseNumberHas: node), in: &book, kept: locked, folder)
      let others = otherRecords(besides: folder)
      let conditions = rule(for: first)?.conditions
      forgetEnded(in: &book, others)
      let lock = lock(ownerOf: node)
      defer { withExtendedLifetime(lock) {} }
      for _ in 0..<Self.mostAttempts {
        let report = try set(
          request, node, path, if: conditions, in: book, others, kept: locked, folder.path)
        if let report { return report }
      }
      throw Self.restless(path)
    }
    guard let report else { throw GrantError(.failed, at: folder.path, "there is no folder") }
    return report
  }

  /// Plans a grant without changing anything.
  func plan(_ request: GrantRequest) throws(GrantError) -> GrantReport {
    let path = try self.path(of: request)
    let node = try PinnedNode(path: path)
    if request.lifetime == .permanent, node.type.isDevice {
      let plan = try planForGood(request, node, path)
      var report = plan.report
      guard !report.isAllowedAlready else { return report }
      report.commands = ruleCommands(of: report, plan.device)
      return report
    }
    let plan = try self.plan(request, node, path, over: nil)
    var report = self.report(of: plan, record(plan, request), request, path)
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
  private func set(
    _ request: GrantRequest, _ node: borrowing PinnedNode, _ path: String,
    if conditions: String?, in known: GrantRecord, _ others: OtherRecords,
    kept locked: borrowing GrantFolder.Locked, _ place: String
  ) throws(GrantError) -> GrantReport? {
    let object = known.object(node, at: path)
    let state = try self.state(
      of: node, calledBy: path, own: object, others: others, if: conditions)
    let plan = try self.plan(request, node, path, over: state)
    let grant = record(plan, request)
    var report = self.report(of: plan, grant, request, path)
    guard !report.isAllowedAlready else { return report }
    try requireRight(to: node, path)
    guard known.count < StandingGrant.most else {
      throw GrantError(
        .full, at: path, "there are \(StandingGrant.most) grants already; revoke some")
    }
    var book = known
    var next =
      object
      ?? GrantedObject(
        path: path, inode: node.inode, handle: node.handle,
        conditions: conditions, kind: plan.kind?.name, current: state.current)
    next.add(grant)
    next.prepare(state.list(adding: grant), from: state)
    book.put(next)
    // Record the entry before it is set: a recorded entry can be removed after any interruption.
    try save(book, to: locked, at: place)
    var isSet = false
    do throws(GrantError) {
      report.ending = try startEnd(of: grant)
      whileListMayChange()
      // Another program that writes the list, such as logind, would lose its latest change. Linux
      // has no call that replaces a list only if it is unchanged, so a change between these two
      // calls is lost.
      guard try node.list(calledBy: path) == state.current else {
        if report.ending == .timer { GrantTimer.stop(grant.id) }
        try save(known, to: locked, at: place)
        return nil
      }
      isSet = true
      try self.set(next.written, on: node, calledBy: path)
      try confirm(request, node, path)
    } catch {
      if report.ending == .timer { GrantTimer.stop(grant.id) }
      // If even this fails, the record stays for another attempt.
      if !isSet || takeBack(grant, of: next, others, on: node) || !node.mayChange() {
        try save(known, to: locked, at: place)
      }
      throw error
    }
    next.confirm()
    book.put(next)
    try save(book, to: locked, at: place)
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
    return list == state.current || (try? set(list, on: node, calledBy: path)) != nil
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
    _ request: GrantRequest, _ node: borrowing PinnedNode, _ path: String
  ) throws(GrantError) {
    guard node.isStill(at: path) else {
      throw GrantError(.changed, at: path, "it was replaced while its access list was set")
    }
    let explanation = try facts(request, at: path).explain()
    guard node.isStill(at: path) else {
      throw GrantError(.changed, at: path, "it was replaced while its access list was set")
    }
    try request.confirm(explanation, at: path)
  }

  // MARK: - The end

  /// Writes a record, and ensures that systemd ends its grants even after systemd restarts.
  ///
  /// Devices do not need this: their nodes vanish at shutdown, and root's timers survive a logout.
  func save(
    _ book: GrantRecord, to locked: borrowing GrantFolder.Locked, at place: String
  ) throws(GrantError) {
    beforeEffect()
    defer { beforeEffect() }
    guard place == places.lasting?.path, let unit = places.loginUnit else {
      return try book.write(to: locked, at: place)
    }
    let hasEnd = book.objects.contains { $0.grants.contains { $0.end != nil } }
    if hasEnd, GrantTimer.isPossible(for: program), let program { try unit.write(program) }
    try book.write(to: locked, at: place)
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
    guard (try? places.rules.write(text, for: grant.id)) != nil else { return false }
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

  /// Returns the record of a grant that begins now.
  ///
  /// - Parameters:
  ///   - plan: The plan of the grant.
  ///   - request: The request, which sets the duration.
  ///   - id: The identifier of the grant.
  /// - Returns: The record.
  func record(
    _ plan: GrantPlan, _ request: GrantRequest, called id: String = AccessGrant.newID()
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
    of plan: GrantPlan, _ grant: AccessGrant, _ request: GrantRequest, _ path: String
  ) -> GrantReport {
    GrantReport(
      of: plan, grant, at: path, rule(for: plan),
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
}

/// Observes the machine before a grant.
extension GrantOperations {
  /// Returns the path that a request is about.
  func path(of request: GrantRequest) throws(GrantError) -> String {
    try request.path(album: try album(), following: TrustedLinks(), observe)
  }

  /// Returns the caller's own album, if it exists.
  ///
  /// - Throws: `failed` if descriptors or memory are missing.
  func album() throws(GrantError) -> GrantPlan.Album? {
    let facts: AccessFacts
    do throws(DeviceError) {
      facts = try machine.facts(for: Question(.kind(.album)))
    } catch {
      if error.code == .exhausted { throw GrantError(observing: error) }
      return nil
    }
    guard let path = facts.album?.path, let node = facts.access.object(at: path),
      node.type == .directory
    else { return nil }
    return GrantPlan.Album(path: node.path, owner: GrantCaller.user)
  }

  /// Returns the facts that answer the request's question about a path.
  func facts(_ request: GrantRequest, at path: String) throws(GrantError) -> AccessFacts {
    try observe(
      Question(
        .path(path), wanted: try wanted(request, at: path), subject: .user(request.user)))
  }

  func observe(_ question: Question) throws(GrantError) -> AccessFacts {
    var question = question
    question.names = .few
    do throws(DeviceError) {
      return try machine.facts(for: question)
    } catch {
      throw GrantError(observing: error)
    }
  }

  private func wanted(
    _ request: GrantRequest, at path: String
  ) throws(GrantError) -> Permissions {
    try request.wanted(on: try PinnedNode(path: path).type) { () throws(GrantError) in
      let facts = try observe(Question(.path(path), subject: .user(request.user)))
      return facts.devices.first { $0.node == path }.flatMap(GrantPlan.kind(of:))
    }
  }

  /// Returns the rule that matches only the planned device; `nil` if there is no device or no rule.
  func rule(for plan: GrantPlan) -> DeviceRule? {
    guard let kind = plan.kind, let facts = try? machine.facts(for: Question(.kind(kind))) else {
      return nil
    }
    return plan.rule(among: facts.devices)
  }

  /// Plans a grant on a pinned object, from facts that were observed after it was pinned.
  func plan(
    _ request: GrantRequest, _ node: borrowing PinnedNode, _ path: String,
    over state: InodeGrants?
  ) throws(GrantError) -> GrantPlan {
    let facts = try self.facts(request, at: path)
    guard node.isStill(at: path) else {
      throw GrantError(.changed, at: path, "it was replaced during the check")
    }
    let base = state?.list(withoutUser: facts.access.subject.fsuid)
    let plan = try GrantPlan(facts, album: node.type.isDevice ? nil : try album(), over: base)
    guard plan.node.type == node.type, plan.node.rdev == node.inode.device else {
      throw GrantError(.changed, at: path, "it was replaced during the check")
    }
    guard !node.type.isDevice || node.isInMemory else {
      throw GrantError(
        .wrongObject, at: path, "it is on a disk filesystem, so it is not a device node of udev")
    }
    return plan
  }

  /// Returns the folder that records grants on an object.
  func folder(
    for node: borrowing PinnedNode, at path: String, _ lifetime: GrantRequest.Lifetime
  ) throws(GrantError) -> GrantFolder {
    if node.type.isDevice { return places.devices }
    if node.isInMemory, lifetime != .permanent { return places.volatile }
    guard let lasting = places.lasting else {
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
    let file = places.lastingRules.file("0123456789abcdef")
    return [
      "printf '%s\\n' \((report.rule ?? "").shellQuoted) > \(file)", "udevadm control --reload",
      "udevadm trigger --action=change \(device.shellQuoted)", "udevadm settle",
    ]
  }
}
