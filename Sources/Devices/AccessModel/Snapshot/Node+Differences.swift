extension AccessFacts {
  /// Returns the differences of the objects on the path.
  ///
  /// - Parameters:
  ///   - before: The earlier facts.
  ///   - mounts: The mount points at which mounts changed.
  ///   - arrivals: The paths at which something appeared.
  /// - Returns: The differences, starting with removed objects.
  func nodeDifferences(
    from before: AccessFacts, besides mounts: ChangedPlaces, at arrivals: ChangedPlaces
  ) -> [FactsDifference] {
    func differences(of node: Node, from before: Node) -> [FactsDifference] {
      let all = node.differences(from: before)
      // A different object, such as the root of another filesystem, has its own mode and owner.
      let others = all.filter { $0.code == .nodeReplaced }
      if mounts.points.contains(node.path) { return others }
      guard !all.isEmpty, arrivals.reach(node.path) else { return all }
      return others.isEmpty ? [.replaced(node.path)] : others
    }
    let (old, new) = (before.access.nodes, access.nodes)
    // Usually, both lists contain the same objects.
    if old.count == new.count, new.indices.allSatisfy({ new[$0].path.isSame(as: old[$0].path) }) {
      return new.indices.filter { new[$0] != old[$0] }
        .flatMap { differences(of: new[$0], from: old[$0]) }
    }
    func byPath(_ nodes: [Node]) -> [PathKey: Node] {
      Dictionary(nodes.map { (PathKey($0.path), $0) }) { first, _ in first }
    }
    let (oldByPath, newByPath) = (byPath(old), byPath(new))
    let kept = new.flatMap { node in
      oldByPath[PathKey(node.path)].map { differences(of: node, from: $0) } ?? []
    }
    // If the target of a link changes, the previous target remains in place.
    let leadsElsewhere = new.contains { node in
      oldByPath[PathKey(node.path)].map { $0.target != node.target } ?? false
    }
    let isElsewhere = self.isElsewhere(before)
    let paths = [access.request.path, before.access.request.path]
    func isReported(_ path: String, _ isLookedUp: Bool) -> Bool {
      isLookedUp && !leadsElsewhere && !mounts.reach(path)
        && (!isElsewhere || paths.allSatisfy { $0.isBelow(path) })
    }
    func reported(
      _ nodes: [Node], besides others: [PathKey: Node], _ isLookedUp: Bool, in scan: AccessFacts
    ) -> [Node] {
      var reported: [Node] = []
      for node in nodes where others[PathKey(node.path)] == nil && isReported(node.path, isLookedUp)
      {
        guard !scan.access.isHidden(node.path) else { continue }
        // If a link is added or removed, the objects that it leads to remain in place. The same
        // applies to the objects that are inspected because of the device at the path.
        guard kind != nil || reported.last?.type != .symbolicLink && !isForLocks(node.path) else {
          break
        }
        reported.append(node)
      }
      return reported
    }
    let seesThrough = seesThroughRefusal(before)
    let gone = reported(
      old, besides: newByPath, looksUpItsObject || seesThrough, in: self
    )
    .map(\.departure)
    let come = reported(
      new, besides: oldByPath, before.looksUpItsObject || seesThrough, in: before
    )
    .map(\.arrival)
    return gone + kept + come
  }

  /// Returns whether the question led to another path before, for example because the album moved.
  ///
  /// In this case, the objects at the previous path remain in place.
  func isElsewhere(_ before: AccessFacts) -> Bool {
    !looksThroughSysfs && access.request.path != before.access.request.path
  }

  /// Returns whether the observer sees objects that the subject cannot reach.
  ///
  /// For example, root can observe them for another user. In both observations, the subject is
  /// refused by the same rule at the same path, which does not prevent the observer from finding
  /// other objects.
  private func seesThroughRefusal(_ before: AccessFacts) -> Bool {
    let (now, then) = (access.decide(.brief), before.access.decide(.brief))
    return now.rule != nil && now.rule == then.rule && now.at == then.at
  }

  /// A Boolean value that indicates whether a missing object was looked for.
  ///
  /// A directory without search permission hides its contents, so an object that is missing there
  /// may exist.
  var looksUpItsObject: Bool {
    looksThroughSysfs || access.verdict().rule == .walkNoEntry
      || access.object(at: access.request.path) != nil
  }

  /// Returns whether a path leads to the lock directory and not to the requested object.
  ///
  /// The lock directory is inspected in addition to a serial port.
  func isForLocks(_ path: String) -> Bool {
    let leads = { (way: String) in way.isAtOrBelow(path) }
    return leads(Self.lockDirectory) && !leads(access.request.path) && path != "/"
  }

  /// A Boolean value that indicates whether the question is about a kind of device.
  ///
  /// Such devices are found through sysfs and not by their nodes.
  var looksThroughSysfs: Bool { kind.flatMap(DeviceKind.named)?.subsystem != nil }
}

extension AccessCase {
  /// Returns whether a directory above a path cannot be inspected, so that missing objects may
  /// exist.
  fileprivate func isHidden(_ path: String) -> Bool {
    nodes.contains { node in
      !node.unobserved.isDisjoint(with: [.status, .contents])
        && (node.path == "/" || path.isBelow(node.path))
    }
  }
}

extension Node {
  /// Returns the differences of an object that is still at its path.
  func differences(from before: Node) -> [FactsDifference] {
    // Changes to an object that could not be inspected are not known.
    guard isUnseen == before.isUnseen else { return [.visibility(of: path, isUnseen: isUnseen)] }
    guard type == before.type, rdev == before.rdev else {
      return [.replaced(path)]
    }
    var differences: [FactsDifference] = []
    if acl != before.acl {
      differences.append(FactsDifference(.accessList, path, entryText(from: before)))
    } else if mode != before.mode {
      differences.append(
        FactsDifference(
          .mode, path, "the mode of \(path) went from \(before.octalMode) to \(octalMode)"))
    }
    if uid != before.uid || gid != before.gid {
      differences.append(
        FactsDifference(
          .owner, path,
          "the owner of \(path) went from \(before.uid):\(before.gid) to \(uid):\(gid)"))
    }
    if flags != before.flags {
      differences.append(FactsDifference(.flags, path, "the flags of \(path) have changed"))
    }
    if target != before.target {
      differences.append(FactsDifference(.nodeReplaced, path, "\(path) leads elsewhere"))
    }
    // A change to the mode usually explains this.
    let isHidden = unobserved.contains(.contents)
    if differences.isEmpty, isHidden != before.unobserved.contains(.contents) {
      differences.append(.visibility(of: path, isUnseen: isHidden))
    }
    return differences
  }

  /// A Boolean value that indicates whether the status, the ACL or the target of a link is unknown.
  private var isUnseen: Bool { !unobserved.isDisjoint(with: [.status, .acl, .target]) }

  /// The difference that reports a new object.
  var arrival: FactsDifference {
    unobserved.contains(.status)
      ? .visibility(of: path, isUnseen: true)
      : FactsDifference(.nodeAdded, path, "\(path) appeared")
  }

  /// The difference that reports a removed object.
  var departure: FactsDifference {
    unobserved.contains(.status)
      ? .visibility(of: path, isUnseen: false)
      : FactsDifference(.nodeRemoved, path, "\(path) is gone")
  }

  /// Returns the changes to the ACL as a clause.
  ///
  /// The clause lists the named entries, which grant access to a user or group.
  private func entryText(from before: Node) -> String {
    let (old, new) = (before.acl ?? [], acl ?? [])
    let removed = old.filter { $0.id != nil && !new.contains($0) }
    let added = new.filter { $0.id != nil && !old.contains($0) }
    var clauses = removed.filter { entry in
      !added.contains { $0.tag == entry.tag && $0.id == entry.id }
    }.map { "lost \($0.text)" }
    clauses += added.map { entry in
      let isNew = !removed.contains { $0.tag == entry.tag && $0.id == entry.id }
      return isNew ? "got \(entry.text)" : "has \(entry.text) now"
    }
    guard !clauses.isEmpty else { return "the ACL of \(path) has changed" }
    return "the ACL of \(path) \(clauses.joined(separator: " and "))"
  }
}

extension FactsDifference {
  /// Returns a difference for an object that can no longer be inspected, or can be inspected again.
  static func visibility(of path: String, isUnseen: Bool) -> Self {
    Self(
      .visibility, path, isUnseen ? "\(path) cannot be inspected" : "\(path) can be inspected again"
    )
  }

  /// Returns a difference for a path at which there is now another object.
  static func replaced(_ path: String) -> Self {
    Self(.nodeReplaced, path, "something else is at \(path)")
  }
}

extension SessionFacts {
  /// Returns the change to the session as a clause; `nil` if there is none.
  func changeText(since before: SessionFacts) -> String? {
    guard let id else { return before.id == nil ? nil : "the session ended" }
    let state = isActive ? "active" : "inactive"
    guard before.id == id else {
      return before.id == nil
        ? "a session began, which is \(state)" : "it is session \(id) now, which is \(state)"
    }
    if isActive != before.isActive { return "the session became \(state)" }
    guard seat != before.seat else { return nil }
    return seat.map { "the session is on \($0) now" } ?? "the session is on no seat any more"
  }
}
