internal import AccessModel
internal import LinuxDevices

/// Giving again: on a device that came back, and through switches of sessions.
extension GrantWork {
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
    let folder = places.folderOfDevice(with: id)
    let standing = try folder.locked(makesFolder: false) {
      (locked: borrowing GrantFolder.Locked) throws(GrantError) in
      var book = GrantBook(in: locked, at: folder.path)
      guard let object = book.object(of: id),
        let grant = object.grants.first(where: { $0.id == id })
      else { throw GrantError(.unknown, at: path, "there is no grant with that identifier") }
      guard !isOver(grant) else {
        _ = end(overdue(in: book), in: &book, kept: locked, folder)
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
        var written = book
        written.put(next, insteadOf: object)
        // Before the entry, as where it is given first. Writing takes a while, and logind can change the
        // list in it: what comes between the last look at the list and the call that sets it is lost.
        try save(written, to: locked, at: folder.path)
        whileListMayChange()
        guard try node.list(calledBy: path) == state.current else { continue }
        if next.written != state.current { try set(next.written, on: node, calledBy: path) }
        next.confirm()
        written.put(next)
        try save(written, to: locked, at: folder.path)
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
    guard node.type.isDevice, node.isInMemory, object.conditions != nil,
      try isDevice(of: object, node, at: path)
    else { throw GrantError(.wrongObject, at: path, "it is not the device of the grant") }
  }

  /// Whether a node is that of the device of a record, by what udev knows it by.
  ///
  /// - Parameters:
  ///   - object: The record.
  ///   - node: The node.
  ///   - path: Where it is.
  /// - Throws: What keeps the device from being looked at.
  /// - Returns: Whether it is, and still is at the path.
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
