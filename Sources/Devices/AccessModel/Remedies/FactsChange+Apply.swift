extension FactsChange {
  /// Returns the facts after the command.
  ///
  /// - Parameter facts: The facts before the command.
  /// - Returns: The new facts; `nil` if the command would fail, or if the facts do not show its
  ///   effect.
  public func applied(to facts: AccessFacts) -> AccessFacts? {
    var facts = facts
    guard let path = editedPath, let index = facts.access.mountIndex(of: path),
      facts.confinement.isReadOnlyInService(facts.access.mounts[index])
    else { return apply(to: &facts) ? facts : nil }
    // The command runs outside the service.
    facts.access.mounts[index].readOnly = false
    guard apply(to: &facts) else { return nil }
    facts.access.mounts[index].readOnly = true
    return facts
  }

  private func apply(to facts: inout AccessFacts) -> Bool {
    switch self {
    case .setEntries(let path, let entries):
      guard facts.access.showsIDsOfList(at: path) else { return false }
      return facts.access.changeNode(at: path) { $0.setEntries(entries) }
    case .replaceList(let path, let entries):
      return facts.access.changeNode(at: path) { $0.replaceList(entries) }
    case .addMode(let path, let bits):
      return facts.access.changeNode(at: path) { $0.setMode($0.mode | bits) }
    case .setMode(let path, let mode):
      return facts.access.changeNode(at: path) { $0.setMode(mode) }
    case .changeOwner(let path, let user, let group):
      return facts.access.changeNode(at: path) { node in
        node.uid = user ?? node.uid
        node.gid = group ?? node.gid
        return true
      }
    case .clearFlag(let path, let flag):
      return facts.access.changeFlags(at: path) { $0.remove(flag) }
    case .setFlag(let path, let flag):
      return facts.access.changeFlags(at: path) { $0.insert(flag) }
    case .makeDirectory(let path): return facts.access.makeDirectory(path)
    case .appear(let node):
      facts.access.nodes.removeAll { $0.path.isSame(as: node.path) }
      facts.access.nodes.append(node)
      return true
    case .remove(let path):
      facts.access.nodes.removeAll { $0.path.isAtOrBelow(path) }
      return true
    case .remount(let place, let option): return facts.access.remount(place, option)
    case .spare(let path): return facts.spare(path)
    case .deviceEvent, .activateSession, .lift, .allowDevice, .storePortalAnswer:
      return applyToDevices(&facts)
    case .joinGroup, .logIn, .addGroups, .raise, .takeIDs, .ask:
      return applyToSubject(&facts)
    }
  }

  private func applyToSubject(_ facts: inout AccessFacts) -> Bool {
    switch self {
    case .joinGroup(let group):
      guard let groups = facts.account.loginGroups else { return false }
      if !groups.contains(group) { facts.account.loginGroups?.append(group) }
    case .logIn: return facts.logIn()
    case .addGroups(let groups, let isPrimary):
      if isPrimary, let first = groups.first {
        let before = facts.access.subject.fsgid
        facts.access.subject.setGroup(first)
        if !facts.access.subject.groups.contains(before) {
          facts.access.subject.groups.append(before)
        }
      }
      for group in groups where !facts.access.subject.groups.contains(group) {
        facts.access.subject.groups.append(group)
      }
    case .raise(let capabilities):
      guard facts.access.subject.permitted.isSuperset(of: capabilities) else { return false }
      facts.access.subject.effective.formUnion(capabilities)
    case .takeIDs(let user, let group):
      let subject = facts.access.subject
      guard [subject.ruid, subject.euid, subject.suid, subject.fsuid].contains(user),
        [subject.rgid, subject.egid, subject.sgid, subject.fsgid].contains(group)
      else { return false }
      facts.access.subject.fsuid = user
      facts.access.subject.fsgid = group
    case .ask(let request): facts.access.request = request
    default: return false
    }
    return true
  }

  private func applyToDevices(_ facts: inout AccessFacts) -> Bool {
    switch self {
    case .deviceEvent(let path, let mode, let group, let isTagged):
      return facts.handleEvent(path, mode: mode, group: group, isTagged: isTagged)
    case .activateSession: return facts.activateSession()
    case .lift(let layer):
      let errno: Errno =
        layer == .deviceProgram ? .notPermitted : .permissionDenied
      let path = facts.access.request.path
      facts.kernelChecks.removeAll { $0.path.isSame(as: path) && $0.errno == errno }
      facts.attempts.removeAll { $0.path.isSame(as: path) && $0.errno == errno }
      guard layer == .deviceProgram else { return true }
      facts.access.subject.unobserved.remove(.deviceCgroup)
      if facts.access.subject.deviceCgroup != nil {
        guard let node = facts.access.object(at: path), let number = node.rdev else { return false }
        facts.access.subject.deviceCgroup = DeviceCgroup(
          defaultBehavior: .deny,
          exceptions: [
            DeviceCgroup.Exception(
              isBlock: node.type == .blockDevice, major: number.major, minor: number.minor,
              read: true, write: true, makeNode: false)
          ])
      }
    case .allowDevice(let number, let isBlock, let permissions):
      let isAllowed = facts.access.subject.deviceCgroup?.defaultBehavior == .deny
      guard isAllowed else { return false }
      facts.access.subject.deviceCgroup?.exceptions.append(
        DeviceCgroup.Exception(
          isBlock: isBlock, major: number.major, minor: number.minor,
          read: permissions.contains(.read), write: permissions.contains(.write),
          makeNode: false))
    case .storePortalAnswer(let answer): facts.portal?.storedAnswer = answer
    default: return false
    }
    return true
  }
}

extension AccessFacts {
  /// Simulates a new login of the subject's real user.
  ///
  /// - Returns: `true` on success; `false` if the groups are unknown, or if the login would be in
  ///   another user namespace.
  fileprivate mutating func logIn() -> Bool {
    guard let groups = account.loginGroups, access.subject.userNamespace == nil else {
      return false
    }
    let old = access.subject
    let group = groups.contains(old.rgid) ? old.rgid : groups.first ?? old.rgid
    var fresh = Subject(uid: old.ruid, gid: group, groups: groups)
    if old.ruid == 0 {
      fresh.permitted = .all
      fresh.effective = .all
    }
    fresh.deviceCgroup = old.deviceCgroup
    fresh.unobserved = old.unobserved.intersection([.deviceCgroup])
    access.subject = fresh
    return true
  }

  /// Simulates how udev and logind process an event of a device.
  fileprivate mutating func handleEvent(
    _ path: String, mode: UInt16?, group: UInt32?, isTagged: Bool
  ) -> Bool {
    guard let device = devices.firstIndex(where: { $0.node == path }) else { return false }
    if isTagged {
      devices[device].tags.append("uaccess")
      devices[device].currentTags?.append("uaccess")
    }
    let facts = devices[device]
    let active = facts.isTaggedForUserAccess ? session?.activeUsers[facts.seat] : nil
    return access.changeNode(at: path) { node in
      if let group { node.gid = group }
      if let mode { _ = node.setMode(mode) }
      guard facts.isTaggedForUserAccess else { return true }
      return node.giveSeatEntry(to: active, insteadOf: node.namedUsers)
    }
  }

  fileprivate mutating func activateSession() -> Bool {
    guard let seat = session?.seat, session?.id != nil, session?.isRemote == false,
      session?.isOf(access.subject.ruid) == true
    else { return false }
    let before = session?.activeUsers[seat]
    let user = access.subject.ruid
    session?.isActive = true
    session?.activeUsers[seat] = user
    for device in devices where device.seat == seat && device.isTaggedForUserAccess {
      guard let path = device.node, access.nodes.contains(where: { $0.path.isSame(as: path) })
      else {
        continue
      }
      _ = access.changeNode(at: path) {
        $0.giveSeatEntry(to: user, insteadOf: before.map { [$0] } ?? [])
      }
    }
    return true
  }
}

extension Subject {
  fileprivate mutating func setGroup(_ group: UInt32) {
    rgid = group
    egid = group
    sgid = group
    fsgid = group
  }
}
