extension AccessFacts {
  /// What became different about the objects on the way.
  ///
  /// - Parameters:
  ///   - before: The facts of an earlier look.
  ///   - mounts: What became different about mounts.
  ///   - arrivals: Where something appeared.
  /// - Returns: What became different, what is gone first.
  func nodeDifferences(
    from before: AccessFacts, besides mounts: ChangedPlaces, at arrivals: ChangedPlaces
  ) -> [FactsDifference] {
    func differences(of node: Node, from before: Node) -> [FactsDifference] {
      let all = node.differences(from: before)
      // Another object, as the root of another filesystem is, has a mode and an owner of its own.
      let others = all.filter { $0.code == .nodeReplaced }
      if mounts.points.contains(node.path) { return others }
      guard !all.isEmpty, arrivals.reach(node.path) else { return all }
      return others.isEmpty ? [.replaced(node.path)] : others
    }
    let (old, new) = (before.access.nodes, access.nodes)
    // Most often the same objects are there.
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
    // A link that leads elsewhere leaves what it led to where it is.
    let leadsElsewhere = new.contains { node in
      oldByPath[PathKey(node.path)].map { $0.target != node.target } ?? false
    }
    let isElsewhere = self.isElsewhere(before)
    let paths = [access.request.path, before.access.request.path]
    func isTold(_ path: String, _ isLookedUp: Bool) -> Bool {
      isLookedUp && !leadsElsewhere && !mounts.reach(path)
        && (!isElsewhere || paths.allSatisfy { $0.isBelow(path) })
    }
    func told(
      _ nodes: [Node], besides others: [PathKey: Node], _ isLookedUp: Bool, in look: AccessFacts
    ) -> [Node] {
      var told: [Node] = []
      for node in nodes where others[PathKey(node.path)] == nil && isTold(node.path, isLookedUp) {
        guard !look.access.isHidden(node.path) else { continue }
        // What a link leads to stays where it is when the link goes, and so does what is looked at
        // because of the device that a path leads to.
        guard kind != nil || told.last?.type != .symbolicLink && !isForLocks(node.path) else {
          break
        }
        told.append(node)
      }
      return told
    }
    let seesThrough = seesThroughRefusal(before)
    let gone = told(
      old, besides: newByPath, looksUpItsObject || seesThrough, in: self
    )
    .map(\.departure)
    let come = told(
      new, besides: oldByPath, before.looksUpItsObject || seesThrough, in: before
    )
    .map(\.arrival)
    return gone + kept + come
  }

  /// Whether the question led to another path before, as that about the album does when its place was
  /// changed: what was there stays.
  func isElsewhere(_ before: AccessFacts) -> Bool {
    !looksThroughSysfs && access.request.path != before.access.request.path
  }

  /// Whether the look sees what the subject may not reach, as that of root for another user does: the
  /// subject is refused where it was before, and other objects are seen all the same.
  private func seesThroughRefusal(_ before: AccessFacts) -> Bool {
    let (now, then) = (access.conclude(), before.access.conclude())
    return now.rule != nil && now.rule == then.rule && now.at == then.at
  }

  /// Whether what is missing was looked for: a directory that may not be searched hides what is in
  /// it, and tells nothing of it.
  var looksUpItsObject: Bool {
    looksThroughSysfs || access.verdict().rule == .walkNoEntry
      || access.object(at: access.request.path) != nil
  }

  /// Whether an object is on the way to the directory of locks, which is looked at after a serial port,
  /// and not on the way to that.
  func isForLocks(_ path: String) -> Bool {
    let leads = { (way: String) in way.isAtOrBelow(path) }
    return leads(Self.lockDirectory) && !leads(access.request.path) && path != "/"
  }

  /// Whether devices are those of a kind, which are found without their nodes.
  var looksThroughSysfs: Bool { kind.flatMap(DeviceKind.named)?.subsystem != nil }
}

extension AccessCase {
  /// Whether what is above a path cannot be looked at, so that what is missing there may be there.
  fileprivate func isHidden(_ path: String) -> Bool {
    nodes.contains { node in
      !node.unobserved.isDisjoint(with: [.status, .contents])
        && (node.path == "/" || path.isBelow(node.path))
    }
  }
}
