extension CauseFinder {
  /// What is missing when neither owner, group nor list speaks of the subject, so that the bits
  /// for others decided: on a device the rule that would have given it, else the owner.
  func otherCauses(at node: Node, step: Step) -> [Cause] {
    guard step.action != .search else { return [] }
    guard node.type.isDevice else { return [otherOwnerCause(node, step)] }
    var causes = deviceCauses(node, step)
    if let stale = staleEntryCause(node) { causes.append(stale) }
    return causes
  }

  private func otherOwnerCause(_ node: Node, _ step: Step) -> Cause {
    let isDirectory = node.type == .directory
    let words = step.wanted.words(isDirectory: isDirectory)
    let lacking = step.wanted.subtracting(node.otherBits).words(isDirectory: isDirectory)
    if node.gid != 0, !judgement.wouldGrantAfterLogin,
      node.owningGroupPermissions.isSuperset(of: step.wanted), !isAlbum
    {
      return notMember(node, words)
    }
    return Cause(
      isAlbum ? .albumTraverse : .modeOwner,
      summary: """
        \(node.path) (\(node.octalMode)) belongs to \(names.user(node.uid)) and \
        \(names.group(node.gid)), and gives others \(node.otherBits), which lacks \(lacking).
        """, at: node.path)
  }

  private func notMember(_ node: Node, _ words: String) -> Cause {
    Cause(
      .groupNotMember,
      summary: """
        \(node.path) gives \(names.group(node.gid)) \(words), and \(user) is not in it.
        """, at: node.path)
  }

  private func deviceCauses(_ node: Node, _ step: Step) -> [Cause] {
    let words = step.wanted.words(isDirectory: false)
    let groupGives =
      !isRootGroup(node.gid) && node.owningGroupPermissions.isSuperset(of: step.wanted)
    let member = groupGives && !judgement.wouldGrantAfterLogin ? [notMember(node, words)] : []
    if let race = bootRace(node) { return [race] + member }
    if confinement.container != nil, confinement.container != "flatpak", !isOfUnit {
      return containerCauses(node, step, member: member)
    }
    if let dynamic = dynamicUserCause(node) { return [dynamic] + member }
    guard let device = judgement.device else {
      return member.isEmpty ? [ownerOnly(node, step)] : member
    }
    if device.isTaggedForUserAccess {
      // No seat is ever a service's, so that its group is what it lacks.
      if confinement.serviceUnit != nil, facts.session?.id == nil, !isActive(on: device) {
        return member + [activeSessionCause(node, device)]
      }
      let late = isActive(on: device) && !device.isUsuallyTagged
      return (late ? [lateTagCause(node)] : []) + [activeSessionCause(node, device)] + member
    }
    guard hasUdevData(device) else {
      guard member.isEmpty else { return member }
      let owner = ownerOnly(node, step)
      // Where udev is done and left the node to root, the user of the seat lacks a rule.
      return device.isInitialized && isActive(on: device) && device.isOfSeats
        ? [untaggedCause(node, device), owner] : [owner]
    }
    let untagged = untaggedCause(node, device)
    // A person at the seat gets a camera through the tag; a service gets it through the group.
    if member.isEmpty || (isActive(on: device) && device.isUsuallyTagged) {
      return [untagged] + member
    }
    return isActive(on: device) ? member + [untagged] : member
  }

  private func ownerOnly(_ node: Node, _ step: Step) -> Cause {
    // Where udev has not set the node up, what its rules say is not known.
    let rule =
      judgement.device.map(hasUdevData) ?? false ? ", and no rule gives it to anybody else" : ""
    return Cause(
      .modeOwner,
      summary: """
        \(node.path) (\(node.octalMode)) is for \(names.user(node.uid)) and \
        \(names.group(node.gid)) alone\(rule).
        """, at: node.path)
  }

  /// Whether a group is root's, here or in the subject's user namespace: nobody joins that one.
  private func isRootGroup(_ gid: UInt32) -> Bool {
    guard let map = subject.userNamespace else { return gid == 0 }
    return gid == 0 || map.groups.ranges.contains { $0.inside == 0 && $0.outside == gid }
  }

  private func hasUdevData(_ device: DeviceFacts) -> Bool {
    device.isInitialized && !(device.tags.isEmpty && device.properties.isEmpty)
  }

  /// From its creation until udev has finished, a node is 0600 and root's.
  private func bootRace(_ node: Node) -> Cause? {
    guard let device = judgement.device, !device.isInitialized, node.uid == 0, node.gid == 0,
      confinement.container == nil
    else { return nil }
    if facts.hardware?.hasUdevControl == false { return udevNotRunning(node) }
    // A hidden database looks like one that udev has not written yet.
    guard facts.devices.contains(where: \.isInitialized),
      !facts.unobserved.contains(where: { $0.layer == Unobserved.udevDatabaseLayer })
    else { return nil }
    return Cause(
      .bootRace,
      summary: "udev has not finished with \(node.path), which is still \(node.octalMode).",
      at: node.path, isProven: false)
  }

  // MARK: - Containers and services

  private func containerCauses(_ node: Node, _ step: Step, member: [Cause]) -> [Cause] {
    let container = confinement.container ?? "container"
    let held = Set(subject.groups).union([subject.fsgid])
    let wanted = ["video", "render", "audio", "input", "dialout", "plugdev", "kvm", "tty"]
    let namesake = held.sorted().first { id in
      id != node.gid && names.groupName(id) != nil
        && names.groupName(id) == names.groupName(node.gid)
    }
    let twin =
      namesake
      ?? held.sorted().first { id in
        id != node.gid && names.groupName(id).map(wanted.contains) ?? false
      }
    if !member.isEmpty, let twin {
      return [
        Cause(
          .gidMismatch,
          summary: """
            \(user) is in \(names.group(twin)), and \(node.path) belongs to \
            \(names.group(node.gid)): in the \(container) container the number decides, not the \
            name.
            """, at: node.path)
      ]
    }
    if !member.isEmpty, names.groupName(node.gid) != nil { return member }
    let access = Cause(
      .containerNoAccess,
      summary: """
        The \(container) container has \(node.path) (\(node.octalMode), \(names.user(node.uid)), \
        \(names.group(node.gid))), and \(user) has no permission on it.
        """, at: node.path)
    return [access] + (member.isEmpty ? [ownerOnly(node, step)] : member)
  }

  // MARK: - uaccess

  /// Whether the subject's user is the one to whom logind gives the devices of the seat.
  func isActive(on device: DeviceFacts) -> Bool {
    facts.session?.activeUsers[device.seat] == subject.fsuid
  }

  private func untaggedCause(_ node: Node, _ device: DeviceFacts) -> Cause {
    let isSticky = device.tags.contains("uaccess")
    return Cause(
      .uaccessNotTagged,
      summary: isSticky
        ? "\(node.path) had the tag uaccess once and does not have it now, so no session gets it."
        : "No udev rule tags \(node.path) uaccess in time, so no session gets it.",
      at: node.path)
  }

  /// A tag that a rule of somebody else's sets has no effect behind `73-seat-late.rules`, which
  /// turns tags into entries.
  private func lateTagCause(_ node: Node) -> Cause {
    Cause(
      .uaccessNotTagged,
      summary: """
        \(node.path) is tagged uaccess, and without effect: the rule that tags it probably sorts \
        after 73-seat-late.rules, or the device was there before the rule.
        """, at: node.path, isProven: false)
  }

  private func activeSessionCause(_ node: Node, _ device: DeviceFacts) -> Cause {
    let seat = device.seat
    guard let session = facts.session, session.isLogindRunning else {
      return Cause(
        .uaccessNotActive,
        summary: """
          \(node.path) is tagged uaccess, and systemd-logind, which would give it to the active \
          user, \(facts.session == nil ? "was not asked" : "is not running").
          """, at: node.path, isProven: facts.session != nil)
    }
    if isActive(on: device) {
      return Cause(
        .aclAbsent,
        summary: """
          \(node.path) is tagged uaccess and \(user) is active on \(seat), yet the node has no \
          entry for this user.
          """, at: node.path)
    }
    let holder = session.activeUsers[seat].map(names.user) ?? "nobody"
    return Cause(
      .uaccessNotActive,
      summary: """
        \(node.path) goes to the active user of \(seat), now \(holder); \
        \(inactivity(session, seat: seat)).
        """, at: node.path)
  }

  /// Why the session does not count.
  private func inactivity(_ session: SessionFacts, seat: String) -> String {
    guard let id = session.id else {
      let unit = confinement.serviceUnit.map { " (\($0))" } ?? ""
      if facts.origin?.kind == .user { return "\(user) has no session" }
      let who = facts.origin?.kind == .unit ? "a service" : "this process"
      return "\(who) belongs to no session\(unit)"
    }
    if session.isRemote { return "session \(id) is a remote one" }
    guard let own = session.seat else { return "session \(id) has no seat" }
    if own != seat { return "session \(id) is on \(own)" }
    return "session \(id) on \(own) is not the active one"
  }

  /// A named user entry that logind would have taken away: the device is not tagged any more, or
  /// the user is not the active one.
  private func staleEntryCause(_ node: Node) -> Cause? {
    guard let device = judgement.device, let session = facts.session, session.isLogindRunning else {
      return nil
    }
    let active = session.activeUsers[device.seat]
    let entry = node.acl?.first { entry in
      guard entry.tag == .user, let id = entry.id else { return false }
      return !device.isTaggedForUserAccess || id != active
    }
    guard let id = entry?.id else { return nil }
    return Cause(
      .aclStale,
      summary: """
        The access list of \(node.path) still names \(names.user(id)), \
        \(device.isTaggedForUserAccess ? "who is not active" : "and the device has no uaccess tag").
        """, at: node.path, isProven: false)
  }
}

extension DeviceFacts {
  /// Whether rules give such devices to the user of the seat, those of systemd or of vendors,
  /// and not to a group or to services.
  fileprivate var isOfSeats: Bool { isUsuallyTagged || ["hidraw", "usb"].contains(subsystem) }

  /// Whether systemd's own `70-uaccess.rules` tags such a device.
  var isUsuallyTagged: Bool {
    switch subsystem {
    case "video4linux", "sound", "drm", "media", "dvb": true
    case "input": kernelName.hasPrefix("js")
    case "misc": kernelName == "kvm"
    default: false
    }
  }
}
