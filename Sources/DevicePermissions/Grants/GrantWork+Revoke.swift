internal import AccessModel
internal import LinuxDevices

/// Taking back, and telling what stands.
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

  func isOver(_ grant: AccessGrant) -> Bool {
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
  func held(_ object: GrantedObject) throws(GrantError) -> PinnedNode? {
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
