internal import AccessModel
internal import LinuxDevices

/// Taking grants back that stay.
extension GrantWork {
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

  /// What taking permanent grants back would do, except for the lists of their devices.
  ///
  /// - Parameter choice: Which.
  /// - Returns: The grants, each with its commands, which are to be run in this order.
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

  /// Has udev read a rule no more.
  ///
  /// The record is locked meanwhile: cleaning after another rule may write this one again.
  func retire(_ id: String) throws(GrantError) {
    let isDone: Void? = try places.devices.locked(makesFolder: GrantCaller.user == 0) {
      (_: borrowing GrantFolder.Locked) throws(GrantError) in
      _ = try places.lastingRules.retire(id)
    }
    if isDone == nil { try places.lastingRules.retire(id) }
  }

  /// Takes back what a retired rule gave, and then removes the rule.
  func clean(_ id: String) throws(GrantError) {
    // Read again: another program may have taken it back meanwhile.
    guard let rule = rules().first(where: { $0.grant.id == id }) else { return }
    let folder = places.devices
    let isDone: Void? = try folder.locked(makesFolder: GrantCaller.user == 0) {
      (locked: borrowing GrantFolder.Locked) throws(GrantError) in
      // Grants that cannot be read do not keep a permanent one in place.
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

  /// Takes the entry that a rule set out of the list of its device.
  ///
  /// - Parameters:
  ///   - rule: The rule.
  ///   - book: The record of grants on devices, which takes in the list if other grants are on it.
  ///   - save: Writes the record, before the list is set and after.
  /// - Throws: What keeps the device from being looked at, and a list from being written.
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
    // The rule itself is the record of its own end; other records need to know of it.
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

  /// The node of the device that a rule is about, wherever it is; `nil` where the device is not there.
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

  /// Where the device of a record is; `nil` where it is not there.
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
