/// The result of checking the mode bits and the access control list.
///
/// If facts are missing, both results may be possible. If all facts are known, exactly one is.
struct DiscretionaryAccess {
  var canGrant = false
  var canDeny = false
  /// The finding that applies unless a missing fact changes it.
  var finding = Finding()
  /// The first missing fact that could change the finding.
  var doubt: MissingFact?

  mutating func add(_ finding: Finding) {
    if finding.isDenied { canDeny = true } else { canGrant = true }
    self.finding = finding
  }
}

extension PreparedCase {
  /// Checks the owner, the access control list, the group and others, in the kernel's order.
  ///
  /// The kernel's function is `acl_permission_check`.
  ///
  /// Rules: <doc:ModeRules#mode.owner>, <doc:ModeRules#mode.group>, <doc:ModeRules#mode.other>.
  func discretionaryAccess(
    _ node: PreparedNode, _ wanted: Permissions, _ credentials: Credentials
  ) -> DiscretionaryAccess {
    var access = DiscretionaryAccess()
    switch isUser(node.uid, credentials, isUnknown: node.marks.contains(.idsUnknown)) {
    case .yes:
      access.add(Self.byMode(node.mode >> 6, wanted, .modeOwner))
      return access
    case .maybe:
      access.add(Self.byMode(node.mode >> 6, wanted, .modeOwner))
      access.doubt = idDoubt(node, isGroup: false)
    case .no: break
    }
    // If the group bits, which are the mask, are 000, the kernel skips the list entirely.
    if node.mode & 0o070 != 0 {
      if node.marks.contains(.hasACL) {
        byList(node, wanted, credentials, &access)
        return access
      }
      if node.marks.contains(.aclUnobserved) {
        byUnobservedList(node, wanted, &access)
      }
    }
    let isMember = isInGroup(
      node.gid, credentials, isUnknown: node.marks.contains(.idsUnknown))
    let other = Self.byMode(node.mode, wanted, .modeOther)
    let group = Self.byMode(node.mode >> 3, wanted, .modeGroup)
    switch isMember {
    case .yes: access.add(group)
    case .no: access.add(other)
    case .maybe:
      access.add(group)
      access.add(other)
      if access.doubt == nil { access.doubt = idDoubt(node, isGroup: true) }
    }
    return access
  }

  private static func byMode(
    _ bits: UInt16, _ wanted: Permissions, _ rule: Rule
  ) -> Finding {
    let granted = Permissions(rawValue: UInt8(truncatingIfNeeded: bits & 7))
    return granted.isSuperset(of: wanted)
      ? .granted(rule) : .denied(rule, .permissionDenied)
  }

  /// Checks the entries of the list in stored order.
  ///
  /// The kernel's function is `posix_acl_permission`.
  ///
  /// Rules: <doc:ModeRules#acl.user>, <doc:ModeRules#acl.group>, <doc:ModeRules#acl.other>.
  private func byList(
    _ node: PreparedNode, _ wanted: Permissions, _ credentials: Credentials,
    _ access: inout DiscretionaryAccess
  ) {
    let isUnknown = node.marks.contains(.idsUnknown)
    let list = entries.span.extracting(
      Int(node.firstEntry)..<Int(node.firstEntry + node.entryCount))
    var found = Ternary.no
    var matches = 0
    var firstMatch: Int32 = -1
    for index in list.indices {
      let entry = list[index]
      let position = Int32(truncatingIfNeeded: index)
      switch entry.tag {
      case .owner, .mask: continue
      case .user:
        let match = isUser(entry.id, credentials, isUnknown: isUnknown)
        guard match != .no else { continue }
        access.add(masked(index, of: node, wanted, .aclUser))
        if match == .yes { return }
        if access.doubt == nil { access.doubt = idDoubt(node, isGroup: false) }
      case .owningGroup, .group:
        let id = entry.tag == .group ? entry.id : node.gid
        let match = isInGroup(id, credentials, isUnknown: isUnknown)
        guard match != .no else { continue }
        found = max(found, match)
        matches += 1
        if firstMatch < 0 { firstMatch = position }
        if match == .maybe && access.doubt == nil { access.doubt = idDoubt(node, isGroup: true) }
        // The permissions of several groups are not combined: one entry must have all of them.
        guard entry.permissions.isSuperset(of: wanted) else { continue }
        access.add(masked(index, of: node, wanted, .aclGroup))
        if match == .yes { return }
      case .other:
        if found != .no {
          access.add(
            Finding(
              errno: .permissionDenied, rule: .aclGroup, entry: firstMatch,
              allMatchingGroupsLack: matches > 1))
        }
        if found != .yes {
          // The mask does not apply to this entry.
          let isEnough = entry.permissions.isSuperset(of: wanted)
          access.add(
            Finding(
              errno: isEnough ? .success : .permissionDenied, rule: .aclOther, entry: position))
        }
        return
      }
    }
    // A list without an entry for others is corrupt.
    access.add(.denied(.aclOther, .inputOutput))
  }

  /// Returns the finding for a matching entry, limited by the mask that follows it.
  ///
  /// Rule: <doc:ModeRules#acl.mask>.
  private func masked(
    _ index: Int, of node: PreparedNode, _ wanted: Permissions, _ rule: Rule
  ) -> Finding {
    let first = Int(node.firstEntry)
    let end = first + Int(node.entryCount)
    var finding = Finding(rule: rule, entry: Int32(truncatingIfNeeded: index))
    guard entries[first + index].permissions.isSuperset(of: wanted) else {
      finding.errno = .permissionDenied
      return finding
    }
    var next = first + index + 1
    while next < end && entries[next].tag != .mask { next += 1 }
    if next < end && !entries[next].permissions.isSuperset(of: wanted) {
      finding.errno = .permissionDenied
      finding.rule = .aclMask
    }
    return finding
  }

  /// Adds the possible results of a list that was not observed.
  ///
  /// Such a list may deny any access, and may grant only what its mask or its entry for others
  /// allows. The group bits of the mode are the mask, and the last three bits are the entry for
  /// others.
  private func byUnobservedList(
    _ node: PreparedNode, _ wanted: Permissions, _ access: inout DiscretionaryAccess
  ) {
    guard !wanted.isEmpty else { return }
    access.canDeny = true
    let bounds = [node.mode >> 3, node.mode].map {
      Permissions(rawValue: UInt8(truncatingIfNeeded: $0 & 7))
    }
    if bounds.contains(where: { $0.isSuperset(of: wanted) }) { access.canGrant = true }
    if access.doubt == nil { access.doubt = .accessControlList }
  }

  private func idDoubt(_ node: PreparedNode, isGroup: Bool) -> MissingFact {
    if node.marks.contains(.idsUnknown) { return .mountIDMap }
    if subject.areIDsUnknown { return .subjectIDs }
    if isGroup && subject.areGroupsUnknown { return .groups }
    return .overflowIDs
  }
}
