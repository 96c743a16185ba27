extension PreparedCase {
  /// Returns whether the subject's filesystem user ID is equal to an ID of an inode or entry.
  ///
  /// The kernel's function is `vfsuid_eq_kuid`.
  @inline(__always)
  func isUser(_ id: UInt32, _ credentials: Credentials, isUnknown: Bool) -> Ternary {
    if subject.areAllIDsKnown && !isUnknown {
      return Ternary(id == credentials.fsuid && id != PreparedNode.invalidID)
    }
    return isUnknownUser(id, credentials, isUnknown: isUnknown)
  }

  private func isUnknownUser(
    _ id: UInt32, _ credentials: Credentials, isUnknown: Bool
  ) -> Ternary {
    if isUnknown || subject.areIDsUnknown { return .maybe }
    if subject.hasDynamicIDs && Subject.dynamicIDs.contains(id) { return .maybe }
    if subject.hasOverflowIDs && isOverflow(id) && isOverflow(credentials.fsuid) { return .maybe }
    return Ternary(id != PreparedNode.invalidID && id == credentials.fsuid)
  }

  /// Returns whether a group is the subject's filesystem group or one of its supplementary groups.
  ///
  /// The kernel's function is `vfsgid_in_group_p`.
  @inline(__always)
  func isInGroup(_ id: UInt32, _ credentials: Credentials, isUnknown: Bool) -> Ternary {
    if subject.areAllIDsKnown && !isUnknown {
      let isMember = id == credentials.fsgid || subject.hasSupplementaryGroup(id)
      return Ternary(isMember && id != PreparedNode.invalidID)
    }
    return isInUnknownGroup(id, credentials, isUnknown: isUnknown)
  }

  private func isInUnknownGroup(
    _ id: UInt32, _ credentials: Credentials, isUnknown: Bool
  ) -> Ternary {
    if isUnknown { return .maybe }
    if subject.hasDynamicIDs && Subject.dynamicIDs.contains(id) { return .maybe }
    if subject.hasOverflowIDs && isOverflow(id) {
      let hasOverflow =
        isOverflow(credentials.fsgid)
        || subject.hasSupplementaryGroup(PreparedSubject.overflowID)
      return hasOverflow || subject.areIDsUnknown || subject.areGroupsUnknown ? .maybe : .no
    }
    if id == PreparedNode.invalidID { return .no }
    if id == credentials.fsgid && !subject.areIDsUnknown { return .yes }
    if subject.hasSupplementaryGroup(id) && !subject.areGroupsUnknown { return .yes }
    return subject.areIDsUnknown || subject.areGroupsUnknown ? .maybe : .no
  }

  /// Returns whether two inodes have the same owner and the mount maps it.
  func isSameOwner(_ left: PreparedNode, _ right: PreparedNode) -> Ternary {
    if left.marks.contains(.idsUnknown) || right.marks.contains(.idsUnknown) { return .maybe }
    if subject.hasOverflowIDs && isOverflow(left.uid) && isOverflow(right.uid) { return .maybe }
    return Ternary(left.uid != PreparedNode.invalidID && left.uid == right.uid)
  }

  /// Returns whether an ID may represent one that the observer's namespace does not map.
  ///
  /// stat(2) shows such an ID as the overflow ID, and access control lists show it as 4294967295.
  private func isOverflow(_ id: UInt32) -> Bool {
    id == PreparedSubject.overflowID || id == .max
  }

  /// Returns whether the subject may use a capability on an inode.
  ///
  /// The kernel's function is `capable_wrt_inode_uidgid`.
  func isCapable(
    _ capability: Capability, _ credentials: Credentials, of node: PreparedNode
  ) -> Ternary {
    credentials.has(capability).and(node.isOwnerMapped).and(node.isGroupMapped)
  }

  /// Returns the missing fact that makes the owner of a node uncertain.
  func ownerDoubt(of node: PreparedNode) -> MissingFact {
    if node.marks.contains(.idsUnknown) { return .mountIDMap }
    return subject.areIDsUnknown || subject.hasDynamicIDs ? .subjectIDs : .overflowIDs
  }

  /// Returns the missing fact that makes the use of a capability uncertain.
  func capabilityDoubt(
    _ capability: Capability, _ credentials: Credentials, of node: PreparedNode
  ) -> MissingFact {
    if credentials.has(capability) == .maybe { return .capabilities }
    if node.marks.contains(.idsUnknown) { return .mountIDMap }
    return subject.isNamespaceUnknown ? .userNamespace : .overflowIDs
  }
}
