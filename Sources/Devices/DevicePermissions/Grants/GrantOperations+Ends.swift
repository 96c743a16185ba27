internal import AccessModel
internal import LinuxDevices

/// Ends grants, and determines the access that remains.
extension GrantOperations {
  /// Ends grants: removes their entries from the lists, and their rules and units.
  ///
  /// Each new list goes into the record before it is written. Each grant leaves the record
  /// afterwards, and the record is saved.
  ///
  /// - Parameters:
  ///   - ids: The identifiers of the grants, all of them in the record.
  ///   - ledger: The ledger of the folder.
  ///   - locked: The locked folder of the record.
  ///   - folder: The same folder.
  /// - Returns: The grants that ended, and the first failure.
  func end(
    _ ids: Set<String>, in ledger: inout GrantLedger,
    underLock locked: borrowing GrantFolder.Locked,
    _ folder: GrantFolder
  ) -> Revocation {
    var revocation = Revocation()
    guard !ids.isEmpty else { return revocation }
    let others = otherRecords(besides: folder)
    let chosen = ledger.objects.indices.filter { index in
      ledger.objects[index].grants.contains { ids.contains($0.id) }
    }
    // Save once for all objects, because each save waits for the disk.
    let before = ledger
    for index in chosen {
      guard let node = try? held(ledger.objects[index]), !hasOtherOwner(node),
        let state = try? state(
          of: node, calledBy: ledger.objects[index].path, own: ledger.objects[index],
          others: others,
          if: nil)
      else { continue }
      let list = state.list(without: ids)
      if list != state.current { ledger.objects[index].prepare(list, from: state) }
    }
    // A full disk must not keep any access alive.
    if ledger != before { try? save(ledger, to: locked, at: folder.path) }
    var finished: [(AccessGrant, GrantedObject)] = []
    var empty = Set<Int>()
    for index in chosen {
      do throws(GrantError) {
        let (ended, isNeeded) = try endAll(
          ids, of: index, in: &ledger, others, underLock: locked, folder)
        for one in ended { finished.append((one.grant, ledger.objects[index])) }
        revocation.grants += ended
        if !isNeeded { empty.insert(index) }
      } catch {
        revocation.failure = revocation.failure ?? error
      }
    }
    if finished.isEmpty { return revocation }
    release(finished)
    ledger.objects = ledger.objects.indices.filter { !empty.contains($0) }.map {
      ledger.objects[$0]
    }
    forgetEnded(in: &ledger, others)
    revocation.attempt { () throws(GrantError) in
      try save(ledger, to: locked, at: folder.path)
    }
    for (grant, object) in finished {
      log("took back from", grant, object.path)
      restoreOthers(of: grant, on: object)
    }
    return revocation
  }

  /// Ends grants on one inode.
  ///
  /// - Returns: The ended grants, each compared with the last list that contained it, and whether
  ///   the record is still needed.
  private func endAll(
    _ ids: Set<String>, of index: Int, in ledger: inout GrantLedger, _ others: OtherRecords,
    underLock locked: borrowing GrantFolder.Locked, _ folder: GrantFolder
  ) throws(GrantError) -> (ended: [StandingGrant], isNeeded: Bool) {
    let grants = ledger.objects[index].grants.filter { ids.contains($0.id) }
    var standing = grants.map { grant in
      StandingGrant(
        grant, on: ledger.objects[index], isOver: isOver(grant), list: nil, isGone: true)
    }
    var isNeeded = false
    if let node = try held(ledger.objects[index]) {
      let lock = lock(ownerOf: node)
      defer { withExtendedLifetime(lock) {} }
      let path = node.path ?? ledger.objects[index].path
      if path != ledger.objects[index].path {
        ledger.objects[index].move(to: path, node.inode, handle: node.handle)
      }
      let state = try state(
        of: node, calledBy: path, own: ledger.objects[index], others: others, if: nil)
      // A previous attempt may have removed the entry and then failed.
      let isWritten = ledger.objects[index].written == state.current
      let list = isWritten ? ledger.objects[index].replaced ?? state.current : state.current
      standing = grants.map { grant in
        StandingGrant(grant, on: ledger.objects[index], isOver: isOver(grant), list: list)
      }
      let left = state.list(without: ids)
      if left != state.current {
        if ledger.objects[index].written != left || ledger.objects[index].replaced != state.current
        {
          ledger.objects[index].prepare(left, from: state)
          try? save(ledger, to: locked, at: folder.path)
        }
        try write(left, on: node, calledBy: path)
      }
      isNeeded = state.grants.contains { !ids.contains($0.id) }
      if isNeeded, left == state.current { ledger.objects[index].prepare(left, from: state) }
    }
    ledger.objects[index].remove(ids)
    ledger.objects[index].confirm()
    return (standing, isNeeded || !ledger.objects[index].grants.isEmpty)
  }

  /// Removes the udev rules of ended grants and stops their units.
  private func release(_ grants: [(grant: AccessGrant, object: GrantedObject)]) {
    var isRuleGone = false
    for (grant, _) in grants {
      if (try? folders.rules.remove(grant.id)) == true { isRuleGone = true }
      guard grant.end != nil else { continue }
      if GrantTimer.isPossible { GrantTimer.stop(grant.id) }
      if SessionSwitchUnit.isPossible { SessionSwitchUnit.stop(grant.id) }
    }
    if isRuleGone { UdevRuleFolder.reload() }
  }

  /// Drops records without grants, unless another record still has a grant on the same inode.
  func forgetEnded(in ledger: inout GrantLedger, _ others: OtherRecords) {
    guard ledger.objects.contains(where: \.grants.isEmpty) else { return }
    ledger.objects.removeAll { object in
      guard object.grants.isEmpty else { return false }
      guard let node = try? held(object),
        let state = try? state(
          of: node, calledBy: object.path, own: object, others: others, if: nil)
      else { return true }
      return state.grants.isEmpty
    }
  }

  // MARK: - Remaining access

  /// Returns ended grants together with the access that their users still have.
  ///
  /// Each grant requires a scan of the machine. After the first 64, the remaining access is
  /// reported as unknown.
  func remaining(_ ended: [StandingGrant]) -> [StandingGrant] {
    let others = otherRecords(besides: nil)
    return ended.enumerated().map { index, one in
      guard !one.isGone else { return one }
      var one = one
      one.remaining =
        index < Self.mostScans
        ? remaining(of: one.grant.user, at: one.path, others)
        : RemainingAccess([], by: [.unknown])
      return one
    }
  }

  private static let mostScans = 64

  private func remaining(
    of user: UInt32, at path: String, _ others: OtherRecords
  ) -> RemainingAccess? {
    let question = Question(
      .path(path), wanted: [.read, .write], subject: .user(String(user)))
    guard let facts = try? observe(question) else { return RemainingAccess([], by: [.unknown]) }
    let conditions = facts.devices.first { $0.node == path }.flatMap {
      DeviceRule(only: $0)?.conditions
    }
    var state: InodeGrants?
    if let node = try? PinnedNode(path: path) {
      state = try? self.state(
        of: node, calledBy: path, own: nil, others: others, if: conditions)
    }
    return RemainingAccess(of: user, in: facts, state)
  }
}
