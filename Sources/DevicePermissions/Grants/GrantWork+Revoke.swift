internal import AccessModel
internal import LinuxDevices

/// Taking back, giving again, and telling what stands.
extension GrantWork {
  /// Takes grants back.
  ///
  /// - Parameters:
  ///   - selection: Which.
  ///   - isDry: Whether it is only told what would be done.
  /// - Throws: `unknown` where no grant is selected.
  /// - Returns: What was taken back, and the first failure.
  func revoke(_ selection: GrantSelection, isDry: Bool) throws(GrantError) -> Revocation {
    let choice = try GrantChoice(
      selection, following: TrustedLinks(), numbering: GrantCaller.number(ofUser:))
    var revocation = Revocation()
    if isDry {
      plan(choice, &revocation)
    } else {
      var ofRules = Revocation()
      // Before the grants with an end: with theirs, udev is asked for what the rules that stay give.
      let rules = revokeRules(choice, &ofRules)
      for folder in places.folders {
        do throws(GrantError) {
          try revoke(choice, in: folder, &revocation)
        } catch {
          revocation.failure = revocation.failure ?? error
        }
      }
      for rule in rules { restoreOthers(of: rule.grant, on: rule.object, waits: true) }
      revocation.grants = named(revocation.grants + ofRules.grants)
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
    _ = try folder.locked(makesFolder: false) {
      (locked: borrowing GrantFolder.Locked) throws(GrantError) in
      var book = try GrantBook(in: locked, at: folder.path)
      for object in book.objects {
        for grant in object.grants
        where choice.includes(grant, object.path, object.kind, isOver: isOver(grant)) {
          var standing = StandingGrant(
            grant: grant, path: object.path, kind: object.kind, isOver: isOver(grant))
          do throws(GrantError) {
            let left = try end(grant, in: &book)
            standing.isLost = left == .objectAlone
            standing.isGone = left == .nothing
            revocation.grants.append(standing)
          } catch {
            revocation.failure = revocation.failure ?? error
          }
        }
      }
      // After those that were asked for, which are told even where they should have ended before.
      endOverdue(&book)
      if choice.isOfOverdue { startLostTimers(in: book) }
      try save(book, to: locked, at: folder.path)
    }
  }

  /// Ends what should have ended before, such as while the system slept.
  func endOverdue(_ book: inout GrantBook) {
    for grant in book.objects.flatMap(\.grants) where isOver(grant) {
      _ = try? end(grant, in: &book)
    }
  }

  /// Has systemd end what it would no longer: a timer went with the user's last logout.
  private func startLostTimers(in book: GrantBook) {
    for grant in book.objects.flatMap(\.grants) {
      guard let end = grant.end, let deadline = grant.deadline else { continue }
      // One that is still there is kept.
      _ = try? startTimer(of: grant, after: deadline - GrantCaller.uptime, at: end)
    }
  }

  /// Ends the grants on an object that is gone, and whose number a new one has.
  func endRemoved(_ book: inout GrantBook, whoseNumberHas node: borrowing PinnedNode) {
    for object in book.objects where object.inode == node.inode && !node.isInode(of: object) {
      for grant in object.grants { _ = try? end(grant, in: &book) }
    }
  }

  private func isOver(_ grant: AccessGrant) -> Bool {
    grant.isOver(uptime: GrantCaller.uptime, boot: GrantCaller.boot)
  }

  /// Takes one grant back: its entry, its rule and its timer.
  ///
  /// A node that went, or that another device has now, has nothing to take back.
  ///
  /// - Returns: What was left to take back.
  private func end(_ grant: AccessGrant, in book: inout GrantBook) throws(GrantError) -> Remains {
    guard var object = book.object(of: grant.id) else { return .access }
    var remains = Remains.nothing
    if let node = try held(object) {
      let current = try node.list(calledBy: object.path)
      remains = Remains(of: grant, in: current)
      object.rebase(on: current)
      object.remove(grant.id)
      if object.written != current { try node.set(object.written, calledBy: object.path) }
    } else {
      object.remove(grant.id)
    }
    book.put(object)
    if try places.rules.remove(grant.id) { UdevRuleFolder.reload() }
    if grant.end != nil, GrantTimer.isPossible { GrantTimer.stop(grant.id) }
    if grant.end != nil, SessionSwitchUnit.isPossible { SessionSwitchUnit.stop(grant.id) }
    log("took back from", grant, object.path)
    restoreOthers(of: grant, on: object)
    return remains
  }

  /// What taking grants back would do, in the order in which it is to be done.
  ///
  /// - Parameters:
  ///   - choice: Which.
  ///   - revocation: Takes in the grants, each with its commands, and the first failure.
  private func plan(_ choice: GrantChoice, _ revocation: inout Revocation) {
    var lists: [String: AccessList] = [:]
    var planned: [StandingGrant] = []
    for folder in places.folders {
      revocation.attempt { () throws(GrantError) in
        var book =
          try folder.locked(makesFolder: false) {
            (locked: borrowing GrantFolder.Locked) throws(GrantError) in
            try GrantBook(in: locked, at: folder.path)
          } ?? GrantBook()
        // Those with an end start from lists that hold what the permanent ones give.
        if folder == places.volatile { planned += try plannedRules(choice, &lists, &book) }
        planned += try self.planned(choice, book, from: lists)
      }
    }
    revocation.grants = named(planned)
  }

  /// What taking grants with an end back would do; the first of an object has the command for all of them.
  private func planned(
    _ choice: GrantChoice, _ book: GrantBook, from lists: [String: AccessList]
  ) throws(GrantError) -> [StandingGrant] {
    var planned: [StandingGrant] = []
    for object in book.objects {
      var left = object
      var chosen: [StandingGrant] = []
      var list: AccessList?
      if let node = try held(object) {
        let current = try self.list(of: node, at: object.path, or: lists)
        list = current
        left.rebase(on: current)
      }
      for grant in object.grants
      where choice.includes(grant, object.path, object.kind, isOver: isOver(grant)) {
        left.remove(grant.id)
        chosen.append(
          StandingGrant(
            grant, on: object, isOver: isOver(grant), list: list, isGone: list == nil))
      }
      guard !chosen.isEmpty else { continue }
      if list != nil {
        chosen[0].commands = ["setfacl --set \(left.written.text) \(object.path.shellQuoted)"]
      }
      planned += chosen
    }
    return planned
  }

  /// The list that an object will have by then.
  func list(
    of node: borrowing PinnedNode, at path: String, or lists: [String: AccessList]
  ) throws(GrantError) -> AccessList {
    if let list = lists[path] { return list }
    return try node.list(calledBy: path)
  }

  /// The object, wherever it is now, as far as this caller can find it.
  private func held(_ object: GrantedObject) throws(GrantError) -> PinnedNode? {
    do throws(GrantError) {
      let node = try PinnedNode(path: object.path)
      if node.isInode(of: object) { return node }
    } catch {
      guard error.code == .absent || error.code == .wrongObject else { throw error }
    }
    // What was moved would keep its entry, for good.
    guard let handle = object.handle else { return nil }
    return PinnedNode(handle: handle, of: object.inode, calledBy: object.path)
  }

  // MARK: - Giving again

  /// How long the seats are at rest before a switch of sessions is over, in seconds.
  private static let rest: Int32 = 2

  /// Gives a grant again, and again after each switch of sessions, until there was none for two seconds.
  ///
  /// - Parameters:
  ///   - id: The grant.
  ///   - path: The node of the device.
  ///   - settles: Whether to wait for that; otherwise it is given once.
  /// - Throws: As ``renew(_:at:)``, where it was not given at all.
  /// - Returns: The grant.
  func renew(
    _ id: String, at path: String, settles: Bool
  ) throws(GrantError) -> StandingGrant {
    // Before the first look at the list, so that no change after it is missed.
    guard settles, let switches = SeatSwitches() else { return try renew(id, at: path) }
    var standing = try renew(id, at: path)
    while switches.happen(within: Self.rest) {
      do throws(GrantError) {
        standing = try renew(id, at: path)
      } catch {
        // It was revoked, or the device is gone; whatever it is, the grant was given before.
        break
      }
    }
    return standing
  }

  /// Gives a grant again on a device that came back; udev calls this.
  ///
  /// - Parameters:
  ///   - id: The grant.
  ///   - path: The node of the device.
  /// - Throws: `unknown` for a grant that is over, `wrongObject` for another device.
  /// - Returns: The grant.
  func renew(_ id: String, at path: String) throws(GrantError) -> StandingGrant {
    let folder = places.volatile
    let standing = try folder.locked(makesFolder: false) {
      (locked: borrowing GrantFolder.Locked) throws(GrantError) in
      var book = try GrantBook(in: locked, at: folder.path)
      guard let object = book.object(of: id),
        let grant = object.grants.first(where: { $0.id == id })
      else { throw GrantError(.unknown, at: path, "there is no grant with that identifier") }
      guard !isOver(grant) else {
        endOverdue(&book)
        try save(book, to: locked, at: folder.path)
        throw GrantError(.unknown, at: path, "the grant is over")
      }
      let node = try PinnedNode(path: path)
      try check(object, is: node, at: path)
      if !node.isInode(of: object), try held(object) != nil {
        throw GrantError(.wrongObject, at: path, "the device that was granted is still there")
      }
      for _ in 0..<Self.mostAttempts {
        let current = try node.list(calledBy: path)
        var next = object
        if node.isInode(of: object), path == object.path {
          next.renew(on: current)
        } else {
          next.move(to: path, node.inode, handle: node.handle, current: current)
        }
        var written = book
        written.put(next, insteadOf: object)
        // Before the entry, as where it is given first. Writing takes a while, and logind can change the
        // list in it: what comes between the last look at the list and the call that sets it is lost.
        try save(written, to: locked, at: folder.path)
        whileListMayChange()
        guard try node.list(calledBy: path) == current else { continue }
        if next.written != current { try node.set(next.written, calledBy: path) }
        if path != object.path { followSwitches(of: grant, at: path) }
        return StandingGrant(grant: grant, path: path, kind: object.kind, isOver: false)
      }
      try save(book, to: locked, at: folder.path)
      throw Self.restless(path)
    }
    guard let standing else {
      throw GrantError(.unknown, at: path, "there is no grant with that identifier")
    }
    return standing
  }

  /// Refuses another device than the one that access was given to.
  private func check(
    _ object: GrantedObject, is node: borrowing PinnedNode, at path: String
  ) throws(GrantError) {
    let facts: AccessFacts
    do throws(DeviceError) {
      facts = try machine.facts(for: Question(.path(path)))
    } catch {
      throw GrantError(observing: error, at: path)
    }
    guard let device = facts.devices.first(where: { $0.node == path }),
      device.number == node.inode.device, node.type.isDevice, node.isInMemory,
      object.conditions != nil, DeviceRule(only: device)?.conditions == object.conditions,
      node.isStill(at: path)
    else { throw GrantError(.wrongObject, at: path, "it is not the device that was granted") }
  }

  // MARK: - What stands

  /// Every grant that this caller may see.
  func grants() throws(GrantError) -> [StandingGrant] {
    var standing: [StandingGrant] = []
    for folder in places.folders {
      standing +=
        try folder.locked(makesFolder: false) {
          (locked: borrowing GrantFolder.Locked) throws(GrantError) in
          try GrantBook(in: locked, at: folder.path).objects.flatMap { object in
            let (list, isGone) = look(at: object)
            return object.grants.map {
              StandingGrant($0, on: object, isOver: isOver($0), list: list, isGone: isGone)
            }
          }
        } ?? []
    }
    return named(standing + standingRules())
  }

  /// Grants with what their users are called now.
  private func named(_ standing: [StandingGrant]) -> [StandingGrant] {
    var names: [UInt32: String?] = [:]
    return standing.map { one in
      let user = one.grant.user
      let name = names[user] ?? GrantCaller.name(ofUser: user)
      names[user] = .some(name)
      var one = one
      one.currentName = name == one.grant.userName ? nil : name
      return one
    }
  }

  /// The list of an object, and whether it was not found; what cannot be looked at is told as it was
  /// written.
  private func look(at object: GrantedObject) -> (list: AccessList?, isGone: Bool) {
    do throws(GrantError) {
      guard let node = try held(object) else { return (nil, true) }
      return (try node.list(calledBy: object.path), false)
    } catch {
      return (nil, false)
    }
  }
}

/// What is left of a grant.
private enum Remains {
  /// The object, and the access.
  case access
  /// The object, whose list no longer gives the access.
  case objectAlone
  /// Not even the object.
  case nothing

  /// What a list leaves of a grant on its object.
  init(of grant: AccessGrant, in list: AccessList) {
    self = list.gives(grant.permissions, toUser: grant.user) ? .access : .objectAlone
  }
}
