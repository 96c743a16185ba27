internal import AccessModel
internal import DeviceWatching
internal import LinuxDevices

/// Revokes grants and lists those that exist.
extension GrantOperations {
  /// Revokes grants.
  ///
  /// - Parameters:
  ///   - selection: The grants to revoke.
  ///   - isDry: `true` to report what would be done without doing it.
  /// - Throws: `unknown` if the selection matches no grant.
  /// - Returns: The revoked grants and the first failure.
  func revoke(_ selection: GrantSelection, isDry: Bool) throws(GrantError) -> Revocation {
    let choice = try GrantChoice(
      selection, following: TrustedLinks(), numbering: GrantCaller.number(ofUser:))
    var revocation = Revocation()
    if isDry {
      planRevocation(of: choice, &revocation)
    } else {
      var ofRules = Revocation()
      // Rules go first: when a temporary grant is revoked, udev applies the rules that remain.
      let rules = revokeRules(choice, &ofRules)
      for folder in folders.all {
        do throws(GrantError) {
          try revoke(choice, in: folder, &revocation)
        } catch {
          revocation.failure = revocation.failure ?? error
        }
      }
      for rule in rules { restoreOthers(of: rule.grant, on: rule.object, waits: true) }
      revocation.grants = remaining(named(revocation.grants + ofRules.grants))
      revocation.failure = revocation.failure ?? ofRules.failure
    }
    guard !revocation.grants.isEmpty || revocation.failure != nil || choice.isOfOverdue else {
      throw choice.missing(isRoot: GrantCaller.user == 0)
    }
    return revocation
  }

  private func revoke(
    _ choice: GrantChoice, in folder: GrantFolder, _ revocation: inout Revocation
  ) throws(GrantError) {
    let ended = try folder.locked(makesFolder: false) {
      (locked: borrowing GrantFolder.Locked) throws(GrantError) in
      var ledger = GrantLedger(in: locked, at: folder.path)
      var ended = Revocation()
      ended.failure = ledger.problem
      let chosen = ledger.objects.flatMap { object in
        object.grants.filter {
          choice.includes($0, object.path, object.kind, isOver: isOver($0))
        }
      }
      let result = end(Set(chosen.map(\.id)), in: &ledger, underLock: locked, folder)
      ended.grants = result.grants
      ended.failure = ended.failure ?? result.failure
      // End other overdue grants last: a requested grant is reported even if it is overdue.
      _ = end(overdue(in: ledger), in: &ledger, underLock: locked, folder)
      let before = ledger
      forgetEnded(in: &ledger, otherRecords(besides: folder))
      if ledger != before { try? save(ledger, to: locked, at: folder.path) }
      if choice.isOfOverdue { startLostTimers(in: ledger) }
      return ended
    }
    guard let ended else { return }
    revocation.grants += ended.grants
    revocation.failure = revocation.failure ?? ended.failure
  }

  /// Returns the IDs of the overdue grants, such as those that expired while the system slept.
  func overdue(in ledger: GrantLedger) -> Set<String> {
    Set(ledger.objects.flatMap(\.grants).filter(isOver).map(\.id))
  }

  /// Starts the missing timers of grants, such as those that the user's last logout removed.
  private func startLostTimers(in ledger: GrantLedger) {
    for grant in ledger.objects.flatMap(\.grants) {
      guard let end = grant.end, let rest = grant.rest(uptime: GrantCaller.uptime) else { continue }
      // A timer that still exists is kept.
      _ = try? startTimer(of: grant, after: rest, at: end)
    }
  }

  /// Returns the IDs of the grants on removed objects whose inode number the node now has.
  func onRemoved(in ledger: GrantLedger, whoseNumberHas node: borrowing PinnedNode) -> Set<String> {
    var ids = Set<String>()
    for object in ledger.objects where object.inode == node.inode && !node.isInode(of: object) {
      ids.formUnion(object.grants.map(\.id))
    }
    return ids
  }

  func isOver(_ grant: AccessGrant) -> Bool {
    grant.isOver(uptime: GrantCaller.uptime, boot: GrantCaller.boot)
  }

  /// Plans a revocation in the order of its steps.
  ///
  /// - Parameters:
  ///   - choice: The grants to revoke.
  ///   - revocation: Receives the grants, each with its commands, and the first failure.
  private func planRevocation(
    of choice: GrantChoice, _ revocation: inout Revocation
  ) {
    var planned = plannedRules(choice)
    var left = Set(planned.map(\.grant.id))
    var ledgers: [(folder: GrantFolder, ledger: GrantLedger)] = []
    for folder in folders.all {
      var found: GrantLedger?
      revocation.attempt { () throws(GrantError) in
        found = try folder.locked(makesFolder: false) {
          (locked: borrowing GrantFolder.Locked) throws(GrantError) in
          GrantLedger(in: locked, at: folder.path)
        }
      }
      guard let ledger = found else { continue }
      revocation.failure = revocation.failure ?? ledger.problem
      ledgers.append((folder, ledger))
      for object in ledger.objects {
        let chosen = object.grants.filter {
          choice.includes($0, object.path, object.kind, isOver: isOver($0))
        }
        left.formUnion(chosen.map(\.id))
      }
    }
    for (folder, ledger) in ledgers {
      let others = otherRecords(besides: folder)
      for object in ledger.objects where object.grants.contains(where: { left.contains($0.id) }) {
        revocation.attempt { () throws(GrantError) in
          planned += try self.planned(left, on: object, others, after: planned)
        }
      }
    }
    let others = otherRecords(besides: nil)
    for index in planned.indices where planned[index].grant.end == nil {
      // Only a rule whose device has no later grant in the plan needs its own command.
      guard let rule = others.rules.first(where: { $0.grant.id == planned[index].grant.id }),
        !planned.dropFirst(index + 1).contains(where: { $0.path.isSame(as: planned[index].path) })
      else { continue }
      revocation.attempt { () throws(GrantError) in
        guard let node = try device(of: rule.object) else { return }
        let path = node.path ?? rule.object.path
        let state = try state(
          of: node, calledBy: path, own: nil, others: others, if: rule.object.conditions)
        let list = state.list(without: left)
        guard list != state.current else { return }
        planned[index].commands.append("setfacl --set \(list.text) \(path.shellQuoted)")
      }
    }
    revocation.grants = named(planned)
  }

  /// Plans the revocation of temporary grants.
  ///
  /// The first grant of an object has the command for all of them.
  private func planned(
    _ ids: Set<String>, on object: GrantedObject, _ others: OtherRecords, after: [StandingGrant]
  ) throws(GrantError) -> [StandingGrant] {
    let chosen = object.grants.filter { ids.contains($0.id) }
    guard let node = try held(object) else {
      return chosen.map {
        StandingGrant($0, on: object, isOver: isOver($0), list: nil, isGone: true)
      }
    }
    let path = node.path ?? object.path
    let state = try state(of: node, calledBy: path, own: object, others: others, if: nil)
    var planned = chosen.map { grant in
      var standing = StandingGrant(grant, on: object, isOver: isOver(grant), list: state.current)
      standing.path = path
      return standing
    }
    let list = state.list(without: ids)
    planned[0].commands = ["setfacl --set \(list.text) \(path.shellQuoted)"]
    return planned
  }

  /// Opens the object at its current place, or returns `nil` if this caller cannot find it.
  func held(_ object: GrantedObject) throws(GrantError) -> PinnedNode? {
    do throws(GrantError) {
      let node = try PinnedNode(path: object.path)
      if node.isInode(of: object) { return node }
    } catch {
      guard error.code == .absent || error.code == .wrongObject else { throw error }
    }
    // A file that was moved would otherwise keep its entry forever.
    if let handle = object.handle,
      let node = PinnedNode(handle: handle, of: object.inode, calledBy: object.path)
    {
      return node
    }
    // Only root can open a file by its handle; another caller has to search for it.
    guard object.kind == nil else { return nil }
    return movedFiles.find(object) { (try? album())?.path }
  }

  // MARK: - Current grants

  /// Returns every grant that this caller may see.
  func grants() throws(GrantError) -> [StandingGrant] {
    var standing: [StandingGrant] = []
    let hasUdev = UdevRuleFolder.isDaemonRunning
    let followed = Set(folders.rules.texts.map(\.id))
    for folder in folders.all {
      standing +=
        try folder.locked(makesFolder: false) {
          (locked: borrowing GrantFolder.Locked) throws(GrantError) in
          try GrantLedger(in: locked, at: folder.path).whole().objects.flatMap { object in
            guard !object.grants.isEmpty else { return [StandingGrant]() }
            let (list, path, isGone) = inspect(object)
            return object.grants.map { grant in
              var standing = StandingGrant(
                grant, on: object, isOver: isOver(grant), list: list, isGone: isGone)
              standing.path = path
              if object.kind != nil, hasUdev {
                standing.survivesReplug = followed.contains(grant.id)
              }
              return standing
            }
          }
        } ?? []
    }
    return named(standing + standingRules())
  }

  func end(of id: String) -> AsyncStream<Void>? {
    let watched = folders.all
    guard let changes = GrantLedgerWatch.changes(in: watched) else { return nil }
    let (stream, continuation) = AsyncStream<Void>.makeStream()
    let task = Task {
      // The grant may have ended before the first change arrives.
      if Self.isRecorded(id, in: watched) {
        for await _ in changes where !Self.isRecorded(id, in: watched) { break }
      }
      continuation.finish()
    }
    continuation.onTermination = { _ in task.cancel() }
    return stream
  }

  private static func isRecorded(_ id: String, in folders: [GrantFolder]) -> Bool {
    folders.contains { folder in
      guard let bytes = folder.unlockedRecord else { return false }
      let ledger = GrantLedger(bytes, at: folder.path)
      // A record that cannot be read may contain the grant.
      return ledger.problem != nil || ledger.object(of: id) != nil
    }
  }

  /// Returns the grants with the current names of their users.
  private func named(_ standing: [StandingGrant]) -> [StandingGrant] {
    let names = GrantCaller.names(ofUsers: Set(standing.map(\.grant.user)))
    return standing.map { one in
      let name = names[one.grant.user]
      var one = one
      one.currentName = name == one.grant.userName ? nil : name
      return one
    }
  }

  /// Returns the access list of an object, its path, and whether the object was not found.
  ///
  /// If the object cannot be found or inspected, the path is the recorded one.
  private func inspect(_ object: GrantedObject) -> (list: AccessList?, path: String, isGone: Bool) {
    do throws(GrantError) {
      guard let node = try held(object) else { return (nil, object.path, true) }
      let path = node.path ?? object.path
      return (try node.list(calledBy: path), path, false)
    } catch {
      return (nil, object.path, false)
    }
  }
}

/// Renews grants when a device is connected again and when sessions are switched.
extension GrantOperations {
  /// The number of seconds without a session switch after which no further one is expected.
  private static let rest: Int32 = 2

  /// Renews a grant, and again after each session switch until two seconds pass without one.
  ///
  /// - Parameters:
  ///   - id: The identifier of the grant.
  ///   - path: The node of the device.
  ///   - settles: `true` to wait for session switches, `false` to renew the grant once.
  /// - Throws: The errors of ``renew(_:at:)``, if the first renewal fails.
  /// - Returns: The grant.
  func renew(
    _ id: String, at path: String, settles: Bool
  ) throws(GrantError) -> StandingGrant {
    // Watch before reading the list the first time, so no later change is missed.
    guard settles, let switches = SeatSwitches() else { return try renew(id, at: path) }
    var standing = try renew(id, at: path)
    while switches.happen(within: Self.rest) {
      do throws(GrantError) {
        standing = try renew(id, at: path)
      } catch {
        // The grant was revoked, or the device was removed. The first renewal succeeded.
        break
      }
    }
    return standing
  }

  /// Renews a grant on a device that was connected again; udev requests this.
  ///
  /// - Parameters:
  ///   - id: The identifier of the grant.
  ///   - path: The node of the device.
  /// - Throws: `unknown` if the grant has ended, `wrongObject` if the node belongs to another
  ///   device.
  /// - Returns: The grant.
  func renew(_ id: String, at path: String) throws(GrantError) -> StandingGrant {
    let folder = folders.folderOfDevice(with: id)
    let standing = try folder.locked(makesFolder: false) {
      (locked: borrowing GrantFolder.Locked) throws(GrantError) in
      var ledger = GrantLedger(in: locked, at: folder.path)
      guard let object = ledger.object(of: id),
        let grant = object.grants.first(where: { $0.id == id })
      else { throw GrantError(.unknown, at: path, "no grant with ID \(id)") }
      guard !isOver(grant) else {
        _ = end(overdue(in: ledger), in: &ledger, underLock: locked, folder)
        throw GrantError(.unknown, at: path, "the grant is over")
      }
      let node = try PinnedNode(path: path)
      try check(object, is: node, at: path)
      if !node.isInode(of: object), try held(object) != nil {
        throw GrantError(.wrongObject, at: path, "the device is still connected")
      }
      let others = otherRecords(besides: folder)
      let lock = lock(ownerOf: node)
      defer { withExtendedLifetime(lock) {} }
      for _ in 0..<Self.mostAttempts {
        var next = object
        let state: InodeGrants
        if node.isInode(of: object) {
          state = try self.state(
            of: node, calledBy: path, own: object, others: others, if: nil, isFresh: true)
        } else {
          state = try self.state(
            of: node, calledBy: path, own: nil, others: others, if: object.conditions,
            arriving: object.grants)
        }
        next.move(to: path, node.inode, handle: node.handle)
        next.prepare(state.list(renewing: Set(object.grants.map(\.id))), from: state)
        var written = ledger
        written.put(next, insteadOf: object)
        // Save the record before setting the entry, as for a new grant. Saving takes a while, and
        // logind may change the list in the meantime, so read the list again. A change between that
        // read and the write is still lost.
        try save(written, to: locked, at: folder.path)
        whileListMayChange()
        guard try node.list(calledBy: path) == state.current else { continue }
        if next.written != state.current { try write(next.written, on: node, calledBy: path) }
        next.confirm()
        written.put(next)
        try save(written, to: locked, at: folder.path)
        if path != object.path { followSwitches(of: grant, at: path) }
        return StandingGrant(grant: grant, path: path, kind: object.kind, isOver: false)
      }
      try save(ledger, to: locked, at: folder.path)
      throw Self.restless(path)
    }
    guard let standing else {
      throw GrantError(.unknown, at: path, "no grant with ID \(id)")
    }
    return standing
  }

  /// Throws an error if the node is not the device of the grant.
  private func check(
    _ object: GrantedObject, is node: borrowing PinnedNode, at path: String
  ) throws(GrantError) {
    guard node.type.isDevice, node.isInMemory, object.conditions != nil,
      try isDevice(of: object, node, at: path)
    else { throw GrantError(.wrongObject, at: path, "it is not the device of the grant") }
  }

  /// Returns a Boolean value that indicates whether a node belongs to the device of a record.
  ///
  /// It compares the properties that udev uses to identify the device.
  ///
  /// - Parameters:
  ///   - object: The record.
  ///   - node: The node.
  ///   - path: The path of the node.
  /// - Throws: The error that prevents inspecting the device.
  /// - Returns: `true` if it is the device and still at the path.
  func isDevice(
    of object: GrantedObject, _ node: borrowing PinnedNode, at path: String
  ) throws(GrantError) -> Bool {
    let facts: AccessFacts
    do throws(DeviceError) {
      facts = try machine.facts(for: Question(.path(path)))
    } catch {
      throw GrantError(observing: error, at: path)
    }
    guard let device = facts.devices.first(where: { $0.node == path }) else { return false }
    return device.number == node.inode.device
      && DeviceRule(only: device)?.conditions == object.conditions && node.isStill(at: path)
  }
}
