/// Owners and groups without a number in a user namespace.
extension ContainersLayer {
  /// A node whose owner or group the namespace does not map, where mapping it could help.
  func unmappedCause(at node: Node, wanted: Permissions) -> Cause? {
    guard isUnmapped(node), let isProven = mappingHelps(node, wanted: wanted) else { return nil }
    return unmappedCause(node, isProven: isProven)
  }

  /// Whether the owner or the group has no number in the subject's user namespace: capabilities
  /// of that namespace then count for nothing here.
  private func isUnmapped(_ node: Node) -> Bool {
    guard let map = subject.userNamespace else { return false }
    return !map.users.covers(node.uid) || !map.groups.covers(node.gid)
  }

  /// Whether it is certain that mapping every number would give access; `nil` where it would not.
  private func mappingHelps(_ node: Node, wanted: Permissions) -> Bool? {
    if assessment.wouldGrantWithoutNamespace { return true }
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

  /// An owner that the user namespace does not map, where mapping it would give access.
  func overflowCause(_ errno: Errno) -> Cause? {
    guard let node = assessment.decidingStep?.node, assessment.wouldGrantIfMapped(node),
      errno == .permissionDenied
    else { return nil }
    return Cause(
      .usernsUnmapped,
      summary: """
        The kernel refuses \(path) (\(errno.name)), and \(node.path) shows as \
        \(names.user(node.uid)) and \(names.group(node.gid)): the user namespace does not map \
        its owner or group.
        """, at: node.path, isProven: false)
  }

  /// A container's process without any group of whoever started it: an engine that keeps them
  /// shows them as the number that stands for all others.
  var keptGroupsCause: Cause? {
    guard confinement.container == "podman", let node = assessment.decidingStep?.node,
      node.gid == Subject.overflowID, !subject.groups.contains(Subject.overflowID),
      node.owningGroupPermissions.isSuperset(of: assessment.wanted)
    else { return nil }
    return Cause(
      .groupsDropped,
      summary: """
        The process has none of the groups of the user who started the container: the engine \
        dropped them.
        """, at: node.path, isProven: false)
  }

  /// A mount through which an owner or a group has no number.
  func unmappedThroughMountCause(at path: String) -> Cause {
    Cause(
      .usernsUnmapped,
      summary: """
        The owner or group of \(path) has no number through this mount, so nobody may write it.
        """, at: path)
  }

  func namespaceRemedies(_ node: Node?) -> [Remedy] {
    if assessment.decision.rule == .inodeUnmappedID {
      return [
        Remedy(
          "Mount it with an ID map that covers the owner and the group", actor: .administrator,
          assumes: "its mode and access list let the user in")
      ]
    }
    guard let node, node.owningGroupPermissions.isSuperset(of: wanted),
      subject.userNamespace != nil, confinement.container != nil
    else { return [] }
    return ContainerStart(assessment: assessment, names: names).keepGroups()
  }

  /// A node that nobody inside a container owns: only outside it has an owner.
  func noFixInside(_ cause: Cause) -> String {
    let path = cause.at ?? assessment.access.request.path
    let node = assessment.access.nodes.first { $0.path.isSame(as: path) }
    guard node?.type.isDevice == true else {
      return """
        Nothing inside the container can change \(path), because its owner or group has no number \
        there. Outside, give it to a number that the container maps, such as \(subject.fsuid).
        """
    }
    return """
      Nothing inside the container can change \(path), because its owner or group has no number \
      there. On the host, let a udev rule give the device to a number that the container maps, such \
      as OWNER="\(subject.fsuid)"; a device that comes back under another vendor or product number \
      needs a rule for that one too.
      """
  }
}

extension IDMap {
  /// Whether an identifier outside has one inside.
  fileprivate func covers(_ id: UInt32) -> Bool {
    ranges.contains { id >= $0.outside && id - $0.outside < $0.length }
  }
}
