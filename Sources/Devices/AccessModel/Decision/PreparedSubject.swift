/// A subject in the form that the engine reads.
struct PreparedSubject: Sendable {
  /// The ID that represents every ID without a mapping (`fs.overflowuid`).
  static let overflowID: UInt32 = 65534

  var effective: Credentials
  var real: Credentials
  /// The supplementary groups in ascending order.
  var groups: [UInt32]
  var areIDsUnknown: Bool
  var areGroupsUnknown: Bool
  var isNamespaceUnknown: Bool
  var isDeviceCgroupUnknown: Bool
  /// A Boolean value that indicates whether some IDs read as the overflow ID.
  var hasOverflowIDs: Bool
  /// A Boolean value that indicates whether the user is a dynamic user without an allocated ID.
  var hasDynamicIDs: Bool
  /// A Boolean value that indicates whether every ID is known, so that comparing two IDs is
  /// conclusive.
  var areAllIDsKnown: Bool

  init(_ subject: Subject) {
    effective = Credentials(effectiveOf: subject)
    real = Credentials(realOf: subject)
    // The kernel keeps the groups sorted, so a list that was read rarely needs sorting.
    var sorted = subject.groups
    if !Self.isSorted(sorted.span) { sorted.sort() }
    groups = sorted
    let unobserved = subject.unobserved
    areIDsUnknown = unobserved.contains(.ids)
    areGroupsUnknown = unobserved.contains(.groups)
    isNamespaceUnknown = unobserved.contains(.userns)
    isDeviceCgroupUnknown = unobserved.contains(.deviceCgroup)
    hasOverflowIDs = unobserved.contains(.overflowIDs)
    hasDynamicIDs = unobserved.contains(.dynamicIDs)
    areAllIDsKnown =
      !areIDsUnknown && !areGroupsUnknown && !hasOverflowIDs && !hasDynamicIDs
  }

  private static func isSorted(_ ids: Span<UInt32>) -> Bool {
    var index = 1
    while index < ids.count {
      if ids[index - 1] > ids[index] { return false }
      index += 1
    }
    return true
  }

  func hasSupplementaryGroup(_ group: UInt32) -> Bool {
    let ids = groups.span
    var low = 0
    var high = ids.count
    while low < high {
      let middle = (low + high) / 2
      if ids[middle] < group { low = middle + 1 } else { high = middle }
    }
    return low < ids.count && ids[low] == group
  }
}

/// The part of a subject's credentials that a system call uses.
struct Credentials: Sendable {
  var fsuid: UInt32
  var fsgid: UInt32
  /// The capabilities that are certainly effective.
  var capabilities: CapabilitySet
  /// The capabilities that may be effective, given what was observed; a superset of
  /// ``capabilities``.
  var possibleCapabilities: CapabilitySet

  func has(_ capability: Capability) -> Ternary {
    if capabilities.contains(capability) { return .yes }
    return possibleCapabilities.contains(capability) ? .maybe : .no
  }
}

extension Credentials {
  /// `SECBIT_NO_SETUID_FIXUP`.
  private static let noSetUserFixup: UInt32 = 4

  /// Creates the credentials that open(2) and `AT_EACCESS` use, which are the thread's own.
  ///
  /// See <doc:KernelRules#Credentials-of-open>.
  init(effectiveOf subject: Subject) {
    fsuid = subject.fsuid
    fsgid = subject.fsgid
    capabilities = subject.effective
    possibleCapabilities = subject.effective
    if subject.unobserved.contains(.capabilities) {
      capabilities = []
      possibleCapabilities = CapabilitySet(bits: .max)
    }
  }

  /// Creates the credentials that access(2) uses: the real IDs, and the capabilities that go with
  /// them.
  ///
  /// Unless `SECBIT_NO_SETUID_FIXUP` is set, the permitted capabilities count if the real user is
  /// root, and no capabilities count otherwise. The kernel's function is `access_override_creds`.
  ///
  /// See <doc:KernelRules#Credentials-of-access>.
  init(realOf subject: Subject) {
    self.init(effectiveOf: subject)
    fsuid = subject.ruid
    fsgid = subject.rgid
    guard !subject.unobserved.contains(.capabilities) else { return }
    let unobserved = subject.unobserved
    let isSecurebitsKnown = !unobserved.contains(.securebits)
    if isSecurebitsKnown && subject.securebits & Self.noSetUserFixup != 0 { return }
    let isRootKnown =
      !unobserved.contains(.ids) && !unobserved.contains(.userns)
      && !unobserved.contains(.overflowIDs)
    let root = subject.userNamespace.map { $0.users.outside(0) } ?? 0
    let fixed = subject.ruid == root ? subject.permitted : []
    if isSecurebitsKnown && isRootKnown {
      capabilities = fixed
      possibleCapabilities = fixed
      return
    }
    // Each unknown fact adds a set that may be the effective one.
    var certain = isRootKnown ? fixed : []
    var possible = isRootKnown ? fixed : subject.permitted
    if !isSecurebitsKnown {
      certain.formIntersection(subject.effective)
      possible.formUnion(subject.effective)
    }
    capabilities = certain
    possibleCapabilities = possible
  }
}

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
