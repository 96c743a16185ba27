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
