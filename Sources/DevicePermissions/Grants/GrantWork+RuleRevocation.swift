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
      let file = places.lastingRules.file(id, isRetired: rule.isRetired)
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
  func retire(_ id: String) throws(GrantError) {
    let isDone: Void? = try places.volatile.locked(makesFolder: GrantCaller.user == 0) {
      (_: borrowing GrantFolder.Locked) throws(GrantError) in
      _ = try places.lastingRules.retire(id)
    }
    if isDone == nil { try places.lastingRules.retire(id) }
  }

  /// Takes back what a retired rule gave, and then removes the rule.
  func clean(_ id: String) throws(GrantError) {
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
    guard node.type.isDevice, try isDevice(of: object, node, at: object.path) else { return nil }
    return node
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
