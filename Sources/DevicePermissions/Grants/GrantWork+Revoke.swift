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
      var book = GrantBook(in: locked, at: folder.path)
      var ended = Revocation()
      ended.failure = book.problem
      let chosen = book.objects.flatMap { object in
        object.grants.filter {
          choice.includes($0, object.path, object.kind, isOver: isOver($0))
        }
      }
      let result = end(Set(chosen.map(\.id)), in: &book, kept: locked, folder)
      ended.grants = result.grants
      ended.failure = ended.failure ?? result.failure
      // After those that were asked for, which are told even where they should have ended before.
      _ = end(overdue(in: book), in: &book, kept: locked, folder)
      let known = book
      forgetEnded(in: &book, otherRecords(besides: folder))
      if book != known { try? save(book, to: locked, at: folder.path) }
      if choice.isOfOverdue { startLostTimers(in: book) }
      return ended
    }
    guard let ended else { return }
    revocation.grants += ended.grants
    revocation.failure = revocation.failure ?? ended.failure
  }

  /// The grants that should have ended before, such as while the system slept.
  func overdue(in book: GrantBook) -> Set<String> {
    Set(book.objects.flatMap(\.grants).filter(isOver).map(\.id))
  }

  /// Has systemd end what it would no longer: a timer went with the user's last logout.
  private func startLostTimers(in book: GrantBook) {
    for grant in book.objects.flatMap(\.grants) {
      guard let end = grant.end, let rest = grant.rest(uptime: GrantCaller.uptime) else { continue }
      // One that is still there is kept.
      _ = try? startTimer(of: grant, after: rest, at: end)
    }
  }

  /// The grants on an object that is gone, and whose number a new one has.
  func onRemoved(in book: GrantBook, whoseNumberHas node: borrowing PinnedNode) -> Set<String> {
    var ids = Set<String>()
    for object in book.objects where object.inode == node.inode && !node.isInode(of: object) {
      ids.formUnion(object.grants.map(\.id))
    }
    return ids
  }

  func isOver(_ grant: AccessGrant) -> Bool {
    grant.isOver(uptime: GrantCaller.uptime, boot: GrantCaller.boot)
  }

  /// What taking grants back would do, in the order in which it is to be done.
  ///
  /// - Parameters:
  ///   - choice: Which.
  ///   - revocation: Takes in the grants, each with its commands, and the first failure.
  private func plan(_ choice: GrantChoice, _ revocation: inout Revocation) {
    var planned = plannedRules(choice)
    var left = Set(planned.map(\.grant.id))
    var books: [(folder: GrantFolder, book: GrantBook)] = []
    for folder in places.folders {
      var found: GrantBook?
      revocation.attempt { () throws(GrantError) in
        found = try folder.locked(makesFolder: false) {
          (locked: borrowing GrantFolder.Locked) throws(GrantError) in
          GrantBook(in: locked, at: folder.path)
        }
      }
      guard let book = found else { continue }
      revocation.failure = revocation.failure ?? book.problem
      books.append((folder, book))
      for object in book.objects {
        let chosen = object.grants.filter {
          choice.includes($0, object.path, object.kind, isOver: isOver($0))
        }
        left.formUnion(chosen.map(\.id))
      }
    }
    for (folder, book) in books {
      let others = otherRecords(besides: folder)
      for object in book.objects where object.grants.contains(where: { left.contains($0.id) }) {
        revocation.attempt { () throws(GrantError) in
          planned += try self.planned(left, on: object, others, after: planned)
        }
      }
    }
    let others = otherRecords(besides: nil)
    for index in planned.indices where planned[index].grant.end == nil {
      // A rule on whose device nothing else ends.
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

  /// What taking grants with an end back would do; the first of an object has the command for all of them.
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

  /// The object, wherever it is now, as far as this caller can find it.
  func held(_ object: GrantedObject) throws(GrantError) -> PinnedNode? {
    do throws(GrantError) {
      let node = try PinnedNode(path: object.path)
      if node.isInode(of: object) { return node }
    } catch {
      guard error.code == .absent || error.code == .wrongObject else { throw error }
    }
    // What was moved would keep its entry, for good.
    if let handle = object.handle,
      let node = PinnedNode(handle: handle, of: object.inode, calledBy: object.path)
    {
      return node
    }
    // The filesystem finds it for root alone; another caller has to look for it.
    guard object.kind == nil else { return nil }
    return movedFiles.find(object) { (try? album())?.path }
  }

  // MARK: - What stands

  /// Every grant that this caller may see.
  func grants() throws(GrantError) -> [StandingGrant] {
    var standing: [StandingGrant] = []
    let hasUdev = UdevRuleFolder.isDaemonRunning
    let followed = Set(places.rules.texts.map(\.id))
    for folder in places.folders {
      standing +=
        try folder.locked(makesFolder: false) {
          (locked: borrowing GrantFolder.Locked) throws(GrantError) in
          try GrantBook(in: locked, at: folder.path).whole().objects.flatMap { object in
            guard !object.grants.isEmpty else { return [StandingGrant]() }
            let (list, path, isGone) = look(at: object)
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
    guard let changes = GrantRecordWatch.changes(in: places.folders) else { return nil }
    let folders = places.folders
    let (stream, continuation) = AsyncStream<Void>.makeStream()
    let task = Task {
      // It may have ended before the first change that is seen.
      if Self.isRecorded(id, in: folders) {
        for await _ in changes where !Self.isRecorded(id, in: folders) { break }
      }
      continuation.finish()
    }
    continuation.onTermination = { _ in task.cancel() }
    return stream
  }

  private static func isRecorded(_ id: String, in folders: [GrantFolder]) -> Bool {
    folders.contains { folder in
      guard let bytes = folder.unlockedRecord else { return false }
      let book = GrantBook(bytes, at: folder.path)
      // What cannot be read may hold it.
      return book.problem != nil || book.object(of: id) != nil
    }
  }

  /// Grants with what their users are called now.
  private func named(_ standing: [StandingGrant]) -> [StandingGrant] {
    let names = GrantCaller.names(ofUsers: Set(standing.map(\.grant.user)))
    return standing.map { one in
      let name = names[one.grant.user]
      var one = one
      one.currentName = name == one.grant.userName ? nil : name
      return one
    }
  }

  /// The list of an object, where it is, and whether it was not found; what cannot be looked at is told as
  /// it was written.
  private func look(at object: GrantedObject) -> (list: AccessList?, path: String, isGone: Bool) {
    do throws(GrantError) {
      guard let node = try held(object) else { return (nil, object.path, true) }
      let path = node.path ?? object.path
      return (try node.list(calledBy: path), path, false)
    } catch {
      return (nil, object.path, false)
    }
  }
}
