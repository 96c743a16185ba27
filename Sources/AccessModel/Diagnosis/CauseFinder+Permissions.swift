extension CauseFinder {
  /// The causes of a refusal by mode bits or by the access control list of a node.
  func permissionCauses(at node: Node, step: Step) -> [Cause] {
    let isSearch = step.action == .search
    var causes: [Cause] = []
    if let hidden = hiddenByUnit(at: node) { return hidden }
    if let home = protectedHome(node) { return [home] }
    if let covered = coveredByUnit(node) { return [covered] }
    if judgement.wouldGrantAfterLogin { causes += staleGroupCauses(at: node, wanted: step.wanted) }
    if isUnmapped(node), let isProven = mappingHelps(node, wanted: step.wanted) {
      causes.append(unmappedCause(node, isProven: isProven))
    }
    if isSearch {
      causes.append(closedDirectory(node, step))
    }
    causes += ruleCause(at: node, step: step).map { [$0] } ?? otherCauses(at: node, step: step)
    return causes
  }

  /// The cause of a rule that matched the subject; `nil` when nothing names it, so that what
  /// others get decides.
  private func ruleCause(at node: Node, step: Step) -> Cause? {
    let path = node.path
    let wanted = step.wanted
    let isDirectory = node.type == .directory
    let lacking = { (given: Permissions) in
      wanted.subtracting(given).words(isDirectory: isDirectory)
    }
    switch judgement.decision.rule {
    case .aclUser:
      let given = userEntry(of: node)?.permissions ?? []
      return Cause(
        .aclNamedEntry,
        summary: """
          The access list of \(path) names \(user) with \(given), which lacks \
          \(lacking(given)); this entry beats every group.
          """, at: path)
    case .aclMask:
      return maskCause(node, entry: decidingEntry(of: node))
    case .aclGroup:
      return groupEntryCause(node, wanted: wanted)
    case .modeOwner:
      guard step.action != .search else { return nil }
      return Cause(
        .modeOwner,
        summary: """
          \(user) owns \(path), and the owner's bits (\(node.ownerBits)) lack \
          \(lacking(node.ownerBits)); neither group nor others are asked then.
          """, at: path)
    case .modeGroup, .modeOther:
      if let entry = skippedEntry(of: node, wanted: wanted) { return maskCause(node, entry: entry) }
      guard judgement.decision.rule == .modeGroup, step.action != .search else { return nil }
      let given = node.owningGroupPermissions
      return Cause(
        .modeGroup,
        summary: """
          \(user) is in \(names.group(node.gid)), whose bits on \(path) \
          (\(given)) lack \(lacking(given)).
          """, at: path)
    default: return nil
    }
  }

  private func userEntry(of node: Node) -> ACLEntry? {
    node.acl?.first { $0.tag == .user && $0.id == subject.fsuid }
  }

  private func decidingEntry(of node: Node) -> ACLEntry? {
    guard let acl = node.acl, let index = judgement.decision.entry, acl.indices.contains(index)
    else { return userEntry(of: node) }
    return acl[index]
  }

  /// An entry that would suffice if the mask were not `---`: the kernel then skips the whole
  /// list (`acl_permission_check` in fs/namei.c).
  private func skippedEntry(of node: Node, wanted: Permissions) -> ACLEntry? {
    guard let acl = node.acl, node.mode & 0o070 == 0 else { return nil }
    let groups = Set(subject.groups).union([subject.fsgid])
    return acl.first { entry in
      guard entry.permissions.isSuperset(of: wanted) else { return false }
      return switch (entry.tag, entry.id) {
      case (.user, let id?): id == subject.fsuid
      case (.group, let id): groups.contains(id ?? node.gid)
      default: false
      }
    }
  }

  private func maskCause(_ node: Node, entry: ACLEntry?) -> Cause {
    let who: String
    switch entry?.tag {
    case .group: who = names.group(entry?.id ?? node.gid)
    default: who = user
    }
    let given = entry?.permissions.description ?? "more"
    return Cause(
      .aclMask,
      summary: """
        The access list of \(node.path) gives \(who) \(given), and its mask \
        (\(node.aclMask)) takes that away.
        """, at: node.path)
  }

  private func groupEntryCause(_ node: Node, wanted: Permissions) -> Cause {
    let isDirectory = node.type == .directory
    if judgement.decision.allMatchingGroupsLack {
      return Cause(
        .aclGroupEntry,
        summary: """
          \(user) is in several groups that the access list of \(node.path) names, and no one \
          of them has \(wanted.words(isDirectory: isDirectory)) together; the kernel does not add \
          them up.
          """, at: node.path)
    }
    let entry = decidingEntry(of: node)
    let group = names.group(entry?.id ?? node.gid)
    let given = entry?.permissions ?? []
    return Cause(
      .aclGroupEntry,
      summary: """
        The access list of \(node.path) gives \(group) \(given), which lacks \
        \(wanted.subtracting(given).words(isDirectory: isDirectory)); with a list, ls shows the \
        mask in the group's place.
        """, at: node.path)
  }

  private func closedDirectory(_ node: Node, _ step: Step) -> Cause {
    Cause(
      isAlbum ? .albumTraverse : .parentNotSearchable,
      summary: """
        \(user) may not search \(node.path) (\(node.octalMode), owner \(names.user(node.uid)), \
        \(names.group(node.gid))), so nothing in it can be reached.
        """, at: node.path)
  }

  // MARK: - Groups

  /// The database lists a group that the process does not have: not logged in since, or dropped
  /// by a launcher.
  private func staleGroupCauses(at node: Node, wanted: Permissions) -> [Cause] {
    let login = facts.account.loginGroups ?? []
    let missing = login.filter { !subject.groups.contains($0) && $0 != subject.fsgid }
    let helpful = missing.filter { $0 == node.gid || node.namesGroup($0) }
    let group = (helpful.first ?? missing.first).map(names.group) ?? "a group"
    let supplementary = subject.groups.filter { $0 != subject.fsgid }
    let isBare = supplementary.isEmpty
    let refreshed = Cause(
      .groupNotRefreshed,
      summary: """
        The database lists \(user) in \(group), and this process was started without it: a \
        process keeps the groups it began with.
        """, at: node.path, isProven: !isBare)
    let dropped = Cause(
      .groupsDropped,
      summary: """
        This process runs without the groups of \(user), \(group) among them: what started it \
        dropped them.
        """, at: node.path, isProven: false)
    guard isBare else { return [refreshed] }
    let wasLauncher = missing.count > 1 || subject.userNamespace != nil
    return wasLauncher ? [dropped, refreshed] : [refreshed, dropped]
  }

  // MARK: - Namespaces

  /// Whether the owner or the group has no number in the subject's user namespace: capabilities
  /// of that namespace then count for nothing here.
  private func isUnmapped(_ node: Node) -> Bool {
    guard let map = subject.userNamespace else { return false }
    return !map.users.covers(node.uid) || !map.groups.covers(node.gid)
  }

  /// Whether it is certain that mapping every number would give access; `nil` where it would not.
  private func mappingHelps(_ node: Node, wanted: Permissions) -> Bool? {
    if judgement.wouldGrantWithoutNamespace { return true }
    // Which groups the user has outside is not known in a container.
    let couldBeMember =
      facts.account.loginGroups == nil && node.owningGroupPermissions.isSuperset(of: wanted)
    return couldBeMember ? false : nil
  }

  private func unmappedCause(_ node: Node, isProven: Bool) -> Cause {
    Cause(
      .usernsUnmapped,
      summary: """
        \(node.path) belongs to \(names.user(node.uid)) and \(names.group(node.gid)), and the \
        user namespace does not map both (they show as nobody or nogroup), so being root in it \
        does not help.
        """, at: node.path, isProven: isProven)
  }

  /// A directory or file that `InaccessiblePaths=` of the unit in question puts another in place of.
  private func coveredByUnit(_ node: Node) -> Cause? {
    guard isOfUnit, let unit = confinement.unit, node.mode & 0o777 == 0, node.uid == 0,
      judgement.access.mounts.contains(where: { $0.at == node.path && $0.isCover })
    else { return nil }
    return Cause(
      .unitInaccessiblePath,
      summary: "InaccessiblePaths= of \(unit) covers \(node.path), which nobody may use.",
      at: node.path)
  }

  private func protectedHome(_ node: Node) -> Cause? {
    guard let unit = confinement.unit, confinement.container == nil || isOfUnit,
      node.mode & 0o777 == 0,
      judgement.access.mounts.contains(where: { $0.at == node.path }),
      ["/home", "/root", "/run/user"].contains(where: { home in
        node.path == home || node.path.hasPrefix(home + "/")
      })
    else { return nil }
    return Cause(
      .unitProtectHome, summary: "ProtectHome= of \(unit) hides \(node.path).", at: node.path,
      isProven: isOfUnit)
  }
}

extension Mount {
  /// Whether it is what systemd puts over a path: read-only, and good for nothing.
  var isCover: Bool { fstype == "tmpfs" && readOnly && nodev && noexec && nosuid }
}

extension IDMap {
  /// Whether an identifier outside has one inside.
  fileprivate func covers(_ id: UInt32) -> Bool {
    ranges.contains { id >= $0.outside && id - $0.outside < $0.length }
  }
}

extension Node {
  /// Whether the list has an entry for a group.
  fileprivate func namesGroup(_ id: UInt32) -> Bool {
    acl?.contains { $0.tag == .group && $0.id == id } ?? false
  }
}
