extension AccessFacts {
  /// What became different about the objects on the way.
  ///
  /// - Parameters:
  ///   - before: The facts of an earlier look.
  ///   - mounts: What became different about mounts.
  /// - Returns: What became different, what is gone first.
  func nodeDifferences(
    from before: AccessFacts, besides mounts: ChangedMounts
  ) -> [FactsDifference] {
    let (old, new) = (before.access.nodes, access.nodes)
    // Most often the same objects are there.
    if old.count == new.count, new.indices.allSatisfy({ new[$0].path == old[$0].path }) {
      return new.indices.filter { new[$0] != old[$0] }
        .flatMap { new[$0].differences(from: old[$0], at: mounts) }
    }
    func byPath(_ nodes: [Node]) -> [String: Node] {
      Dictionary(nodes.map { ($0.path, $0) }) { first, _ in first }
    }
    let (oldByPath, newByPath) = (byPath(old), byPath(new))
    let kept = new.flatMap { node in
      oldByPath[node.path].map { node.differences(from: $0, at: mounts) } ?? []
    }
    // A link that leads elsewhere leaves what it led to where it is.
    let isElsewhere = new.contains { node in
      oldByPath[node.path].map { $0.target != node.target } ?? false
    }
    func isTold(_ path: String, _ isLookedUp: Bool) -> Bool {
      isLookedUp && !isElsewhere && !mounts.reach(path)
    }
    let gone = old.filter { newByPath[$0.path] == nil && isTold($0.path, looksUpItsObject) }
      .map { FactsDifference(.nodeRemoved, $0.path, "\($0.path) is gone") }
    let come = new.filter { oldByPath[$0.path] == nil && isTold($0.path, before.looksUpItsObject) }
      .map { FactsDifference(.nodeAdded, $0.path, "\($0.path) appeared") }
    return gone + kept + come
  }

  /// Whether what is missing was looked for: a directory that may not be searched hides what is in
  /// it, and tells nothing of it.
  private var looksUpItsObject: Bool {
    looksThroughSysfs || access.verdict().rule == .walkNoEntry
      || access.object(at: access.request.path) != nil
  }

  /// Whether devices are those of a kind, which are found without their nodes.
  var looksThroughSysfs: Bool { kind.flatMap(DeviceKind.named)?.subsystem != nil }
}

extension Node {
  /// What became different, where something may be mounted now or not any more: the root of another
  /// filesystem has a mode and an owner of its own.
  fileprivate func differences(from before: Node, at mounts: ChangedMounts) -> [FactsDifference] {
    let all = differences(from: before)
    return mounts.points.contains(path) ? all.filter { $0.code == .nodeReplaced } : all
  }
}
