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
    /// The record, and the text of the file of the rule; `nil` where nothing has to be written.
    let writing: (object: GrantedObject, text: String)?
  }

  /// Works out the rule that stays, or why there can be none.
  ///
  /// - Throws: `wrongObject`, `failed` and `full` where no rule can give the access for good, and what
  ///   planning any grant throws.
  func planForGood(
    _ request: GrantRequest, _ node: borrowing PinnedNode, _ path: String
  ) throws(GrantError) -> LastingPlan {
    let plan = try self.plan(request, node, path, over: try temporary(node, at: path))
    let grant = record(plan, request)
    let report = self.report(of: plan, grant, request, path)
    let device = plan.device?.sysfsPath ?? ""
    guard !report.isAllowedAlready else {
      return LastingPlan(report: report, device: device, writing: nil)
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
      kind: plan.kind?.name, current: plan.before)
    object.add(grant)
    let record: String
    do {
      record = try JSONWriter.encode(object)
    } catch {
      throw GrantError(.failed, at: path, "the record of the rule cannot be written")
    }
    // udev takes no lines of 16 KiB, and some versions drop the whole file.
    guard record.utf8.count + line.utf8.count < 8_192 else {
      throw GrantError(.full, at: path, "its access list is too long to be kept in a rule")
    }
    return LastingPlan(
      report: report, device: device, writing: (object, "\(Self.mark)\(record)\n\(line)\n"))
  }

  /// Writes the rule, and has udev handle an event of that device alone.
  func grantForGood(
    _ request: GrantRequest, _ node: borrowing PinnedNode, _ path: String
  ) throws(GrantError) -> GrantReport {
    let plan = try planForGood(request, node, path)
    var report = plan.report
    let grant = report.grant
    guard let (object, text) = plan.writing else { return report }
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
      _ = try? remove(object, grant)
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
    return try folder.locked(makesFolder: false) {
      (locked: borrowing GrantFolder.Locked) throws(GrantError) in
      try GrantBook(in: locked, at: folder.path).object(node, at: path)
    } ?? nil
  }

  /// The grants that rules stand for.
  func standingRules() -> [StandingGrant] {
    rules().flatMap { object in
      // Of a node that is another by now, nothing is known: udev gives it the entry again.
      var list: AccessList?
      if let node = try? PinnedNode(path: object.path), node.isInode(of: object) {
        list = try? node.list(calledBy: object.path)
      }
      return object.grants.map { grant in
        StandingGrant(grant, on: object, isOver: false, list: list)
      }
    }
  }

  /// The records in the first lines of the rules.
  private func rules() -> [GrantedObject] {
    places.lastingRules.texts.compactMap { id, text in
      guard let first = text.split(separator: "\n").first, first.hasPrefix(Self.mark),
        let object = try? JSONReader.decode(
          GrantedObject.self, from: Array(first.dropFirst(Self.mark.count).utf8)),
        object.grants.map(\.id) == [id]
      else { return nil }
      return object
    }
  }

  func revokeRules(_ choice: GrantChoice, isDry: Bool) throws(GrantError) -> [StandingGrant] {
    var revoked: [StandingGrant] = []
    for object in rules() {
      guard let grant = object.grants.first, choice.includes(grant, object.path, object.kind) else {
        continue
      }
      var standing = StandingGrant(
        grant: grant, path: object.path, kind: object.kind, isOver: false)
      standing.commands = [
        "rm \(places.lastingRules.file(grant.id))", "udevadm control --reload",
        "setfacl -x u:\(grant.user) \(object.path.shellQuoted)",
      ]
      if !isDry {
        try remove(object, grant)
        log("took back from", grant, object.path)
      }
      revoked.append(standing)
    }
    return revoked
  }

  /// Removes a rule, and the entry that it set.
  private func remove(_ object: GrantedObject, _ grant: AccessGrant) throws(GrantError) {
    try places.lastingRules.remove(grant.id)
    UdevRuleFolder.reload()
    guard let node = try? PinnedNode(path: object.path), node.type.isDevice else { return }
    let facts = try? machine.facts(for: Question(.path(object.path)))
    guard let device = facts?.devices.first(where: { $0.node == object.path }),
      device.number == node.inode.device, node.isStill(at: object.path),
      DeviceRule(only: device)?.conditions == object.conditions
    else { return }
    let current = try node.list(calledBy: object.path)
    var list = object.withoutGrants(current)
    if node.isInode(of: object) {
      var left = object
      left.rebase(on: current)
      left.remove(grant.id)
      list = left.written
    }
    if list != current { try node.set(list, calledBy: object.path) }
  }

  /// Has udev set an entry again that something else gives, and that went with a grant: a rule that
  /// stays, or the seat that the user has taken since.
  func restoreOthers(of grant: AccessGrant, on object: GrantedObject) {
    guard let conditions = object.conditions,
      let facts = try? machine.facts(for: Question(.path(object.path))),
      let device = facts.devices.first(where: { $0.node == object.path })
    else { return }
    let isOfSeat =
      device.isTaggedForUserAccess && facts.session?.activeUsers[device.seat] == grant.user
    guard isOfSeat || rules().contains(where: { $0.conditions == conditions }) else { return }
    UdevRuleFolder.trigger(device.sysfsPath, waits: false)
  }
}
