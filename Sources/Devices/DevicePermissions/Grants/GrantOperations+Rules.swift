internal import AccessModel
internal import DeviceWatching
internal import JSONText
internal import LinuxDevices

/// Gives permanent grants, each of which is a udev rule for one device.
extension GrantOperations {
  private static let mark = "# devaccess "

  /// A permanent grant on a device, before anything is written.
  struct PermanentGrantPlan {
    let report: GrantReport
    /// The path of the device in sysfs.
    let device: String
    /// The text of the rule file; `nil` if nothing needs to be written.
    let text: String?
  }

  /// Plans the rule of a permanent grant.
  ///
  /// - Throws: `wrongObject`, `useless` or `full` if no rule can give the access permanently, and
  ///   the errors of planning any grant.
  func planForGood(
    _ target: GrantTarget, _ node: borrowing PinnedNode
  ) throws(GrantError) -> PermanentGrantPlan {
    let path = target.path
    let first = try planEntry(for: target, on: node, over: nil)
    let onlyRule = rule(for: first)
    let running = try temporary(node, at: path, if: onlyRule?.conditions)
    let plan = try planEntry(for: target, on: node, over: running)
    // udev runs the rules in the order of their names, and the entry of the last rule stays.
    let id = AccessGrant.newID(after: rules().map(\.grant.id))
    let grant = newGrant(from: plan, target.request, called: id)
    let report = self.report(of: plan, grant, at: path, onlyRule)
    let device = plan.device?.sysfsPath ?? ""
    guard !report.isAllowedAlready else {
      return PermanentGrantPlan(report: report, device: device, text: nil)
    }
    let rule = try plan.lasting(onlyRule)
    guard let line = report.rule else {
      throw GrantError(.wrongObject, at: path, "nothing identifies it among other devices")
    }
    guard UdevRuleFolder.isDaemonRunning else {
      throw GrantError(.useless, at: path, "udev is not running, so a rule would have no effect")
    }
    guard UdevRuleFolder.hasSetfacl else {
      throw GrantError(.useless, at: path, "the rule runs /usr/bin/setfacl, which is not installed")
    }
    var object = GrantedObject(
      path: path, inode: node.inode, handle: node.handle, conditions: rule.conditions,
      kind: plan.kind?.name, current: running.base)
    object.add(grant)
    // As setfacl(1) writes it: the entry of the last rule stays.
    object.prepare(
      running.current.granting(grant.permissions.union(grant.kept), toUser: grant.user),
      from: running)
    object.confirm()
    let record = try Self.recordLine(object)
    // udev does not accept lines of 16 KiB, and some versions ignore the whole file.
    guard record.utf8.count + line.utf8.count < 8_192 else {
      throw GrantError(.full, at: path, "its access list is too long to be kept in a rule")
    }
    return PermanentGrantPlan(report: report, device: device, text: "\(record)\n\(line)\n")
  }

  /// Writes the rule, and triggers a udev event for only that device.
  func grantForGood(
    _ target: GrantTarget, _ node: borrowing PinnedNode
  ) throws(GrantError) -> GrantReport {
    let path = target.path
    let plan = try planForGood(target, node)
    var report = plan.report
    let grant = report.grant
    guard let text = plan.text else { return report }
    try folders.lastingRules.write(text, for: grant.id)
    do throws(GrantError) {
      UdevRuleFolder.reload()
      UdevRuleFolder.trigger(plan.device, waits: true)
      let explanation = try observe(target.question).explain()
      guard explanation.answer == .allowed else {
        throw GrantError(
          .useless, at: path,
          "the rule had no effect, so it was removed: "
            + (explanation.cause?.summary ?? "udev did not run it"))
      }
    } catch {
      if (try? retire(grant.id)) != nil {
        UdevRuleFolder.reload()
        // If this also fails, the record stays for another attempt.
        try? clean(grant.id)
      }
      throw error
    }
    report.survivesReplug = true
    log("gave", grant, path)
    return report
  }

  /// Returns the existing grants on a device.
  ///
  /// When a permanent grant is planned, they must not count as access that the user has anyway.
  private func temporary(
    _ node: borrowing PinnedNode, at path: String, if conditions: String?
  ) throws(GrantError) -> InodeGrants {
    let folder = folders.devices
    let ledger = try folder.locked(makesFolder: false) {
      (locked: borrowing GrantFolder.Locked) throws(GrantError) in
      try GrantLedger(in: locked, at: folder.path).whole()
    }
    return try state(
      of: node, calledBy: path, own: ledger?.object(node, at: path),
      others: otherRecords(besides: folder), if: conditions)
  }

  // MARK: - Existing rules

  /// The file of a permanent grant: its record in the first line, then the lines that udev reads.
  struct PermanentGrantRule: Hashable {
    var object: GrantedObject
    let grant: AccessGrant
    /// The lines after the record.
    let rest: String
    /// A Boolean value that indicates whether the rule is being removed and udev no longer reads
    /// it.
    let isRetired: Bool
  }

  /// Returns the grants that exist as rules.
  func standingRules() -> [StandingGrant] {
    rules().map { rule in
      var standing = StandingGrant(rule.grant, on: rule.object, isOver: false, list: nil)
      standing.survivesReplug = true
      do throws(GrantError) {
        guard let node = try device(of: rule.object) else {
          standing.isGone = true
          return standing
        }
        let path = node.path ?? rule.object.path
        standing.path = path
        let list = try node.list(calledBy: path)
        standing.isLost = !list.gives(rule.grant.permissions, toUser: rule.grant.user)
      } catch {
        // If the device cannot be inspected, the grant is reported as it was recorded.
      }
      return standing
    }
  }

  /// Returns the rules whose first line is a record.
  func rules() -> [PermanentGrantRule] {
    folders.lastingRules.texts.compactMap { id, text, isRetired in
      let lines = text.split(separator: "\n", maxSplits: 1)
      guard let first = lines.first, first.hasPrefix(Self.mark),
        let object = try? JSONReader.decode(
          GrantedObject.self, from: Array(first.dropFirst(Self.mark.count).utf8)),
        let grant = object.grants.first, object.grants.map(\.id) == [id]
      else { return nil }
      let rest = lines.dropFirst().first.map(String.init) ?? ""
      return PermanentGrantRule(object: object, grant: grant, rest: rest, isRetired: isRetired)
    }
  }

  /// Returns the first line of a rule.
  private static func recordLine(_ object: GrantedObject) throws(GrantError) -> String {
    do {
      return mark + (try JSONWriter.encode(object))
    } catch {
      throw GrantError(.failed, at: object.path, "the record of the rule cannot be written")
    }
  }
}

/// Revokes permanent grants.
extension GrantOperations {
  /// Revokes permanent grants, whose access udev must not give again.
  ///
  /// First, udev stops reading the rules. Then it finishes the events in progress. Only then are
  /// the entries removed. The record of an entry stays until the entry is removed.
  ///
  /// - Parameters:
  ///   - choice: The grants to revoke.
  ///   - revocation: Receives the revoked grants and the first failure.
  /// - Returns: The revoked rules, for ``restoreOthers(of:on:waits:)``.
  func revokeRules(
    _ choice: GrantChoice, _ revocation: inout Revocation
  ) -> [PermanentGrantRule] {
    let chosen = rules().filter {
      choice.includes($0.grant, $0.object.path, $0.object.kind, isOver: false)
    }
    var retired: [PermanentGrantRule] = []
    for rule in chosen {
      revocation.attempt { () throws(GrantError) in
        try retire(rule.grant.id)
        retired.append(rule)
      }
    }
    guard !retired.isEmpty else { return [] }
    UdevRuleFolder.reload()
    UdevRuleFolder.settle()
    var done: [PermanentGrantRule] = []
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

  /// Plans the revocation of permanent grants, except for the access lists of their devices.
  ///
  /// - Parameter choice: The grants to revoke.
  /// - Returns: The grants, each with its commands, which must be run in this order.
  func plannedRules(_ choice: GrantChoice) -> [StandingGrant] {
    rules().filter {
      choice.includes($0.grant, $0.object.path, $0.object.kind, isOver: false)
    }.map { rule in
      var standing = StandingGrant(
        grant: rule.grant, path: rule.object.path, kind: rule.object.kind, isOver: false)
      let file = folders.lastingRules.file(rule.grant.id, isRetired: rule.isRetired)
      standing.commands = ["rm \(file)", "udevadm control --reload"]
      return standing
    }
  }

  /// Retires a rule, which udev stops reading after the next reload.
  ///
  /// The record is locked during this, because cleaning up after another rule may write this one
  /// again.
  func retire(_ id: String) throws(GrantError) {
    let isDone: Void? = try folders.devices.locked(makesFolder: GrantCaller.user == 0) {
      (_: borrowing GrantFolder.Locked) throws(GrantError) in
      _ = try folders.lastingRules.retire(id)
    }
    if isDone == nil { try folders.lastingRules.retire(id) }
  }

  /// Removes the entry of a retired rule, and then the rule itself.
  func clean(_ id: String) throws(GrantError) {
    // Read the rule again, because another program may have revoked it in the meantime.
    guard let rule = rules().first(where: { $0.grant.id == id }) else { return }
    let folder = folders.devices
    let isDone: Void? = try folder.locked(makesFolder: GrantCaller.user == 0) {
      (locked: borrowing GrantFolder.Locked) throws(GrantError) in
      // Grants that cannot be read must not keep a permanent grant alive.
      var ledger = GrantLedger(in: locked, at: folder.path)
      try takeEntry(of: rule, &ledger) { (ledger: GrantLedger) throws(GrantError) in
        try save(ledger, to: locked, at: folder.path)
      }
    }
    if isDone == nil {
      var none = GrantLedger()
      try takeEntry(of: rule, &none) { _ in }
    }
    try folders.lastingRules.remove(id, isRetired: true)
    log("took back from", rule.grant, rule.object.path)
  }

  /// Removes the entry that a rule set from the access list of its device.
  ///
  /// - Parameters:
  ///   - rule: The rule.
  ///   - ledger: The ledger of grants on devices, which receives the new list if the device has other
  ///     grants.
  ///   - save: Writes the record; called before and after the list is set.
  /// - Throws: The error that prevents inspecting the device or writing the list.
  private func takeEntry(
    of rule: PermanentGrantRule, _ ledger: inout GrantLedger,
    save: (GrantLedger) throws(GrantError) -> Void
  ) throws(GrantError) {
    let id = rule.grant.id
    guard let node = try device(of: rule.object) else { return }
    let path = node.path ?? rule.object.path
    let lock = lock(ownerOf: node)
    defer { withExtendedLifetime(lock) {} }
    let others = otherRecords(besides: folders.devices)
    let own = ledger.object(node, at: path)
    let state = try state(
      of: node, calledBy: path, own: own, others: others, if: rule.object.conditions)
    let list = state.list(without: [id])
    guard list != state.current else { return }
    var object =
      own
      ?? GrantedObject(
        path: path, inode: node.inode, handle: node.handle, conditions: rule.object.conditions,
        kind: rule.object.kind, current: state.current)
    // The file of the rule is sufficient to complete its removal, but other records need the new
    // list.
    let isNeeded = own != nil || state.grants.contains { $0.id != id }
    if isNeeded {
      object.prepare(list, from: state)
      ledger.put(object)
      try? save(ledger)
    }
    try write(list, on: node, calledBy: path)
    guard isNeeded else { return }
    object.confirm()
    ledger.put(object)
    try? save(ledger)
  }

  /// Returns the current node of a rule's device; `nil` if the device is not present.
  func device(of object: GrantedObject) throws(GrantError) -> PinnedNode? {
    guard let path = try present(object) else { return nil }
    do throws(GrantError) {
      let node = try PinnedNode(path: path)
      guard node.type.isDevice, try isDevice(of: object, node, at: path) else { return nil }
      return node
    } catch {
      guard error.code == .absent || error.code == .wrongObject else { throw error }
      return nil
    }
  }

  /// Returns the current path of a record's device; `nil` if the device is not present.
  private func present(_ object: GrantedObject) throws(GrantError) -> String? {
    guard let kind = object.kind.flatMap(DeviceKind.named) else { return object.path }
    do throws(DeviceError) {
      let devices = try machine.facts(for: Question(.kind(kind))).devices
      return devices.first { device in
        device.node != nil && DeviceRule(only: device)?.conditions == object.conditions
      }?.node
    } catch {
      throw GrantError(observing: error, at: object.path)
    }
  }

  /// Makes udev restore access that was removed with a grant although another source gives it.
  ///
  /// The source is another rule, or the seat whose active user has the access.
  ///
  /// - Parameters:
  ///   - grant: The revoked grant.
  ///   - object: The object of the grant.
  ///   - waits: `true` to wait until udev has restored the access, which is not possible while the
  ///     record is locked.
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
