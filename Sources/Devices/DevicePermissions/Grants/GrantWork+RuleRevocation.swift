internal import AccessModel
internal import LinuxDevices

/// Revokes permanent grants.
extension GrantWork {
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
      let file = places.lastingRules.file(rule.grant.id, isRetired: rule.isRetired)
      standing.commands = ["rm \(file)", "udevadm control --reload"]
      return standing
    }
  }

  /// Retires a rule, which udev stops reading after the next reload.
  ///
  /// The record is locked during this, because cleaning up after another rule may write this one
  /// again.
  func retire(_ id: String) throws(GrantError) {
    let isDone: Void? = try places.devices.locked(makesFolder: GrantCaller.user == 0) {
      (_: borrowing GrantFolder.Locked) throws(GrantError) in
      _ = try places.lastingRules.retire(id)
    }
    if isDone == nil { try places.lastingRules.retire(id) }
  }

  /// Removes the entry of a retired rule, and then the rule itself.
  func clean(_ id: String) throws(GrantError) {
    // Read the rule again, because another program may have revoked it in the meantime.
    guard let rule = rules().first(where: { $0.grant.id == id }) else { return }
    let folder = places.devices
    let isDone: Void? = try folder.locked(makesFolder: GrantCaller.user == 0) {
      (locked: borrowing GrantFolder.Locked) throws(GrantError) in
      // Grants that cannot be read must not keep a permanent grant alive.
      var book = GrantBook(in: locked, at: folder.path)
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

  /// Removes the entry that a rule set from the access list of its device.
  ///
  /// - Parameters:
  ///   - rule: The rule.
  ///   - book: The record of grants on devices, which receives the new list if the device has other
  ///     grants.
  ///   - save: Writes the record; called before and after the list is set.
  /// - Throws: The error that prevents inspecting the device or writing the list.
  private func takeEntry(
    of rule: LastingRule, _ book: inout GrantBook,
    save: (GrantBook) throws(GrantError) -> Void
  ) throws(GrantError) {
    let id = rule.grant.id
    guard let node = try device(of: rule.object) else { return }
    let path = node.path ?? rule.object.path
    let lock = lock(ownerOf: node)
    defer { withExtendedLifetime(lock) {} }
    let others = otherRecords(besides: places.devices)
    let own = book.object(node, at: path)
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
      book.put(object)
      try? save(book)
    }
    try set(list, on: node, calledBy: path)
    guard isNeeded else { return }
    object.confirm()
    book.put(object)
    try? save(book)
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
