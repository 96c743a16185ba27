internal import AccessModel
internal import LinuxDevices

/// Renews grants when a device is connected again and when sessions are switched.
extension GrantWork {
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
    let folder = places.folderOfDevice(with: id)
    let standing = try folder.locked(makesFolder: false) {
      (locked: borrowing GrantFolder.Locked) throws(GrantError) in
      var book = GrantBook(in: locked, at: folder.path)
      guard let object = book.object(of: id),
        let grant = object.grants.first(where: { $0.id == id })
      else { throw GrantError(.unknown, at: path, "no grant with ID \(id)") }
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
        // Save the record before setting the entry, as for a new grant. Saving takes a while, and
        // logind may change the list in the meantime, so read the list again. A change between that
        // read and the write is still lost.
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
