internal import AccessModel
internal import JSONText
internal import LinuxDevices

/// Grants that stay: rules of udev for one device each.
extension GrantWork {
  private static let mark = "# devaccess "

  /// A permanent grant on a device, before anything is written.
  struct LastingPlan {
    let report: GrantReport
    /// The device in sysfs.
    let device: String
    /// The text of the file of the rule; `nil` where nothing has to be written.
    let text: String?
  }

  /// Works out the rule that stays, or why there can be none.
  ///
  /// - Throws: `wrongObject`, `failed` and `full` where no rule can give the access for good, and what
  ///   planning any grant throws.
  func planForGood(
    _ request: GrantRequest, _ node: borrowing PinnedNode, _ path: String
  ) throws(GrantError) -> LastingPlan {
    let running = try temporary(node, at: path)
    let plan = try self.plan(request, node, path, over: running)
    // udev runs the rules in the order of their names, and the last one's entry stays.
    let id = AccessGrant.newID(after: rules().map(\.grant.id))
    let grant = record(plan, request, called: id)
    let report = self.report(of: plan, grant, request, path)
    let device = plan.device?.sysfsPath ?? ""
    guard !report.isAllowedAlready else {
      return LastingPlan(report: report, device: device, text: nil)
    }
    let rule = try plan.lasting(self.rule(for: plan))
    guard let line = report.rule else {
      throw GrantError(.wrongObject, at: path, "nothing is known that tells it from other devices")
    }
    guard UdevRuleFolder.isDaemonRunning else {
      throw GrantError(.failed, at: path, "udev does not run, so a rule would have no effect")
    }
    guard UdevRuleFolder.hasSetfacl else {
      throw GrantError(.failed, at: path, "the rule runs /usr/bin/setfacl, which is not installed")
    }
    var object = GrantedObject(
      path: path, inode: node.inode, handle: node.handle, conditions: rule.conditions,
      kind: plan.kind?.name, current: running?.before ?? plan.before)
    object.add(grant)
    let record = try Self.record(object)
    // udev takes no lines of 16 KiB, and some versions drop the whole file.
    guard record.utf8.count + line.utf8.count < 8_192 else {
      throw GrantError(.full, at: path, "its access list is too long to be kept in a rule")
    }
    return LastingPlan(report: report, device: device, text: "\(record)\n\(line)\n")
  }

  /// Writes the rule, and has udev handle an event of that device alone.
  func grantForGood(
    _ request: GrantRequest, _ node: borrowing PinnedNode, _ path: String
  ) throws(GrantError) -> GrantReport {
    let plan = try planForGood(request, node, path)
    var report = plan.report
    let grant = report.grant
    guard let text = plan.text else { return report }
    try places.lastingRules.write(text, for: grant.id)
    do throws(GrantError) {
      UdevRuleFolder.reload()
      UdevRuleFolder.trigger(plan.device, waits: true)
      let explanation = try facts(request, at: path).explain()
      guard explanation.answer == .allowed else {
        throw GrantError(
          .useless, at: path,
          "the rule did not help, so it was removed: "
            + (explanation.cause?.summary ?? "udev did not run it"))
      }
    } catch {
      if (try? retire(grant.id)) != nil {
        UdevRuleFolder.reload()
        // Where even this fails, the record stays for another attempt.
        try? clean(grant.id)
      }
      throw error
    }
    report.survivesReplug = true
    log("gave", grant, path)
    return report
  }

  /// The grants with an end on an object, which a permanent one must not take for the user's own.
  private func temporary(
    _ node: borrowing PinnedNode, at path: String
  ) throws(GrantError) -> GrantedObject? {
    let folder = places.volatile
    let book = try folder.locked(makesFolder: false) {
      (locked: borrowing GrantFolder.Locked) throws(GrantError) in
      try GrantBook(in: locked, at: folder.path)
    }
    guard var object = book?.object(node, at: path) else { return nil }
    object.rebase(on: try node.list(calledBy: path))
    return object
  }

  // MARK: - What stands

  /// The file of a permanent grant: its record in the first line, and then what udev reads.
  struct LastingRule: Hashable {
    var object: GrantedObject
    let grant: AccessGrant
    /// The lines after the record.
    let rest: String
    /// Whether udev no longer reads it, because it is being taken back.
    let isRetired: Bool
  }

  /// The grants that rules stand for.
  func standingRules() -> [StandingGrant] {
    rules().map { rule in
      // Of a node that is another by now, nothing is known: udev gives it the entry again.
      var list: AccessList?
      if let node = try? PinnedNode(path: rule.object.path), node.isInode(of: rule.object) {
        list = try? node.list(calledBy: rule.object.path)
      }
      return StandingGrant(rule.grant, on: rule.object, isOver: false, list: list)
    }
  }

  /// The rules whose first line is a record.
  private func rules() -> [LastingRule] {
    places.lastingRules.texts.compactMap { id, text, isRetired in
      let lines = text.split(separator: "\n", maxSplits: 1)
      guard let first = lines.first, first.hasPrefix(Self.mark),
        let object = try? JSONReader.decode(
          GrantedObject.self, from: Array(first.dropFirst(Self.mark.count).utf8)),
        let grant = object.grants.first, object.grants.map(\.id) == [id]
      else { return nil }
      let rest = lines.dropFirst().first.map(String.init) ?? ""
      return LastingRule(object: object, grant: grant, rest: rest, isRetired: isRetired)
    }
  }

  // MARK: - Taking back

  /// Takes permanent grants back.
  ///
  /// udev must not give again what is taken back. First it stops reading the rules, then it finishes what it
  /// has begun, and only then the entries go. Until an entry is gone, its record stays.
  ///
  /// - Parameters:
  ///   - choice: Which.
  ///   - revocation: Takes in what was taken back, and the first failure.
  /// - Returns: The rules that were taken back, for ``restoreOthers(of:on:waits:)``.
  func revokeRules(
    _ choice: GrantChoice, _ revocation: inout Revocation
  ) -> [LastingRule] {
    let chosen = rules().filter {
      choice.includes($0.grant, $0.object.path, $0.object.kind, isOver: false)
    }
    var retired: [LastingRule] = []
    for rule in chosen {
      revocation.attempt { () throws(GrantError) in
        try retire(rule.grant.id)
        retired.append(rule)
      }
    }
    guard !retired.isEmpty else { return [] }
    UdevRuleFolder.reload()
    UdevRuleFolder.settle()
    var done: [LastingRule] = []
    for rule in retired {
      revocation.attempt { () throws(GrantError) in
        try clean(rule.grant.id)
        done.append(rule)
      }
    }
    revocation.grants += done.map { rule in
      StandingGrant(
        grant: rule.grant, path: rule.object.path, kind: rule.object.kind, isOver: false)
    }
    return done
  }

  /// What taking permanent grants back would do.
  ///
  /// - Parameters:
  ///   - choice: Which.
  ///   - lists: Takes in what the lists of their devices would be, by path.
  ///   - book: The grants with an end, as they would be recorded.
  /// - Throws: What keeps a device from being looked at.
  /// - Returns: The grants, each with its commands, which are to be run in this order.
  func plannedRules(
    _ choice: GrantChoice, _ lists: inout [String: AccessList], _ book: inout GrantBook
  ) throws(GrantError) -> [StandingGrant] {
    var planned: [StandingGrant] = []
    var left = rules()
    for id in left.map(\.grant.id) {
      guard let index = left.firstIndex(where: { $0.grant.id == id }) else { continue }
      let rule = left[index]
      let object = rule.object
      guard choice.includes(rule.grant, object.path, object.kind, isOver: false) else { continue }
      var standing = StandingGrant(
        grant: rule.grant, path: object.path, kind: object.kind, isOver: false)
      let file = places.lastingRules.file(id) + (rule.isRetired ? ".revoked" : "")
      standing.commands = ["rm \(file)", "udevadm control --reload"]
      left.remove(at: index)
      if let node = try device(of: object) {
        let current = try self.list(of: node, at: object.path, or: lists)
        let list = without(rule, on: node, current, &left, &book)
        if list != current {
          standing.commands.append("setfacl --set \(list.text) \(object.path.shellQuoted)")
        }
        lists[object.path] = list
      }
      planned.append(standing)
    }
    return planned
  }

  /// Has udev read a rule no more.
  ///
  /// The record is locked meanwhile: cleaning after another rule may write this one again.
  private func retire(_ id: String) throws(GrantError) {
    let isDone: Void? = try places.volatile.locked(makesFolder: GrantCaller.user == 0) {
      (_: borrowing GrantFolder.Locked) throws(GrantError) in
      _ = try places.lastingRules.retire(id)
    }
    if isDone == nil { try places.lastingRules.retire(id) }
  }

  /// Takes back what a retired rule gave, and then removes the rule.
  private func clean(_ id: String) throws(GrantError) {
    // Read again: what another rule gave may have been taken out of its record.
    guard let rule = rules().first(where: { $0.grant.id == id }) else { return }
    let folder = places.volatile
    let isDone: Void? = try folder.locked(makesFolder: GrantCaller.user == 0) {
      (locked: borrowing GrantFolder.Locked) throws(GrantError) in
      // Grants that cannot be read do not keep a permanent one in place.
      var book = (try? GrantBook(in: locked, at: folder.path)) ?? GrantBook()
      try takeEntry(of: rule, &book) { (book: GrantBook) throws(GrantError) in
        try save(book, to: locked, at: folder.path)
      }
    }
    if isDone == nil {
      var none = GrantBook()
      try takeEntry(of: rule, &none) { _ in }
    }
    try places.lastingRules.remove(id, isRetired: true)
    log("took back from", rule.grant, rule.object.path)
  }

  /// Takes the entry that a rule set out of the list of its device, and out of what other grants have
  /// recorded as the list before them: they would bring it back with their end.
  ///
  /// - Parameters:
  ///   - rule: The rule.
  ///   - book: The grants with an end.
  ///   - save: Writes them, before the list is set.
  /// - Throws: What keeps the device from being looked at, and a list or a record from being written.
  private func takeEntry(
    of rule: LastingRule, _ book: inout GrantBook,
    save: (GrantBook) throws(GrantError) -> Void
  ) throws(GrantError) {
    let object = rule.object
    guard let node = try device(of: object) else { return }
    let known = rules()
    var others = known.filter { $0.grant.id != rule.grant.id }
    let current = try node.list(calledBy: object.path)
    let old = book
    let list = without(rule, on: node, current, &others, &book)
    for other in others where !known.contains(other) { try write(other) }
    if book != old { try save(book) }
    if list != current { try node.set(list, calledBy: object.path) }
  }

  /// The list of a device without what a rule gave there.
  ///
  /// - Parameters:
  ///   - rule: The rule.
  ///   - node: The device.
  ///   - current: Its list.
  ///   - others: The rules that stay, out of whose records it goes.
  ///   - book: The grants with an end, out of whose records it goes.
  /// - Returns: The list.
  private func without(
    _ rule: LastingRule, on node: borrowing PinnedNode, _ current: AccessList,
    _ others: inout [LastingRule], _ book: inout GrantBook
  ) -> AccessList {
    let (object, id) = (rule.object, rule.grant.id)
    for index in others.indices where others[index].object.conditions == object.conditions {
      let other = others[index].object
      let isOwn = other.inode == object.inode && other.handle == object.handle
      let before = object.list(other.before, without: id, isOwn: isOwn)
      if before != other.before { others[index].object.start(from: before) }
    }
    let isOwn = node.isInode(of: object)
    guard var running = book.object(node, at: object.path) else {
      return object.list(current, without: id, isOwn: isOwn)
    }
    running.rebase(on: current)
    running.start(from: object.list(running.before, without: id, isOwn: isOwn))
    book.put(running)
    return running.written
  }

  /// The node of the device that a rule is about; `nil` where it went, or another device has its path.
  private func device(of object: GrantedObject) throws(GrantError) -> PinnedNode? {
    let node: PinnedNode
    do throws(GrantError) {
      node = try PinnedNode(path: object.path)
    } catch {
      guard error.code == .absent || error.code == .wrongObject else { throw error }
      return nil
    }
    guard node.type.isDevice else { return nil }
    let facts: AccessFacts
    do throws(DeviceError) {
      facts = try machine.facts(for: Question(.path(object.path)))
    } catch {
      throw GrantError(observing: error, at: object.path)
    }
    guard let device = facts.devices.first(where: { $0.node == object.path }),
      device.number == node.inode.device, node.isStill(at: object.path),
      DeviceRule(only: device)?.conditions == object.conditions
    else { return nil }
    return node
  }

  /// Writes a rule with its record.
  private func write(_ rule: LastingRule) throws(GrantError) {
    let record = try Self.record(rule.object)
    try places.lastingRules.write(
      "\(record)\n\(rule.rest)", for: rule.grant.id, isRetired: rule.isRetired)
  }

  /// The first line of a rule.
  private static func record(_ object: GrantedObject) throws(GrantError) -> String {
    do {
      return mark + (try JSONWriter.encode(object))
    } catch {
      throw GrantError(.failed, at: object.path, "the record of the rule cannot be written")
    }
  }

  /// Has udev set an entry again that something else gives, and that went with a grant: a rule that
  /// stays, or the seat that the user has taken since.
  ///
  /// - Parameters:
  ///   - grant: The grant that was taken back.
  ///   - object: Its object.
  ///   - waits: Whether to wait until it has: not while the record is locked.
  func restoreOthers(of grant: AccessGrant, on object: GrantedObject, waits: Bool = false) {
    guard let conditions = object.conditions,
      let facts = try? machine.facts(for: Question(.path(object.path))),
      let device = facts.devices.first(where: { $0.node == object.path })
    else { return }
    let isOfSeat =
      device.isTaggedForUserAccess && facts.session?.activeUsers[device.seat] == grant.user
    let hasRule = rules().contains { !$0.isRetired && $0.object.conditions == conditions }
    guard isOfSeat || hasRule else { return }
    UdevRuleFolder.trigger(device.sysfsPath, waits: waits)
  }
}
