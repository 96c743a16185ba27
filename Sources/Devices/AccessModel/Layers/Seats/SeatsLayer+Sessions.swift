internal import UdevRules

/// Fixes for a subject who never becomes the active user of the device's seat.
extension SeatsLayer {
  func inactiveRemedies(_ path: String) -> [Remedy] {
    let rules = UdevRuleRemedies(assessment: assessment, names: names)
    guard confinement.serviceUnit != nil else {
      return [
        switchSession(), rules.groupRule(path) ?? rules.ownGroupEntryRule(path), loginManager,
      ].compactMap(\.self)
    }
    // If the node's group has access, the unit only needs to join that group, and no rule is
    // needed.
    guard let node = access.object(at: path),
      node.gid == 0 || !node.owningGroupPermissions.isSuperset(of: assessment.wanted)
    else { return [] }
    return [rules.serviceRule(path) ?? rules.entryRule(path)].compactMap(\.self)
  }

  /// The remedy that starts the login manager, if it is not running on a system without systemd.
  private var loginManager: Remedy? {
    guard confinement.hasSystemd == false, confinement.container == nil,
      facts.session?.isLogindRunning == false
    else { return nil }
    return Remedy(
      "Run elogind, which gives tagged devices to the active user", actor: .administrator,
      takesEffect: "at the next login",
      assumes: Remedy.both(
        "elogind is installed", "logins go through PAM with pam_elogind"))
  }
}

extension UdevRuleRemedies {
  /// Returns the remedy that adds a udev rule to give the device to a group of the service.
  ///
  /// The remedy is for a node whose current group does not suffice. Permissions of others are
  /// preserved.
  func serviceRule(_ path: String) -> Remedy? {
    guard let unit = confinement.serviceUnit, confinement.container == nil,
      subject.userNamespace == nil, let device, device.node == path, device.isInitialized,
      facts.hardware?.hasUdevControl != false,
      let node = assessment.access.object(at: path), node.type.isDevice, let group = serviceGroup,
      let name = names.groupName(group), name.isRuleWord
    else { return nil }
    let mode = 0o660 | node.mode & 0o007
    let digits = String(mode, radix: 8)
    return rule(
      for: device, #"GROUP="\#(name)", MODE="0\#(digits)""#, at: path,
      named: "73-devaccess-group.rules",
      title: "Add a udev rule that gives the device to group \(name), which \(unit) runs with",
      changes: [
        .deviceEvent(
          path: path, mode: mode, group: group, isTagged: device.isTaggedForUserAccess)
      ], promise: .group(name, mode: mode))
  }

  /// Returns the remedy that adds a udev rule to set an ACL entry for the user's own group whenever
  /// udev processes the device.
  ///
  /// The remedy is for programs of the user manager, which keep running while another user is active
  /// on the seat. logind removes the entries of users then, but not those of groups.
  func ownGroupEntryRule(_ path: String) -> Remedy? {
    guard confinement.isOfUserManager, confinement.container == nil, access.hasHostIDs, let device,
      device.node == path, device.isInitialized, facts.hardware?.hasUdevControl != false,
      let group = ([subject.fsgid] + subject.groups).first(where: { group in
        names.groupName(group) == names.userWord(subject.fsuid) && names.hasPlainName(group: group)
      })
    else { return nil }
    let permissions = wanted.intersection([.read, .write])
    let name = names.groupWord(group)
    var remedy = rule(
      for: device, Self.entryAction("g:\(name)", permissions), at: path,
      named: "99-devaccess-entry.rules",
      title: """
        Add a udev rule that gives \(user), through group \(name), an ACL entry for \(path) \
        (\(permissions)) whenever udev processes the device
        """,
      changes: [
        .deviceEvent(path: path, mode: nil, group: nil, isTagged: false),
        .setEntries(path: path, entries: [ACLEntry(.group, group, permissions)]),
      ], promise: .command)
    remedy?.assumes = Self.setfaclAssumption
    return remedy
  }

  /// A group of the service that is not shared by all users.
  private var serviceGroup: UInt32? {
    ([subject.fsgid] + subject.groups).first { group in
      group != 0 && group < 1000 && names.hasPlainName(group: group)
        && !["users", "nogroup", "nobody", "daemon"].contains(names.groupName(group))
    }
  }
}

/// Notes about udev inside a system container, and about remote sessions.
extension SeatsLayer {
  /// Returns the cause, with the rule that gives the node to its group in a system container.
  func withGuestRule(_ cause: Cause, _ node: Node) -> Cause {
    guard let container = confinement.container, ["lxc", "systemd-nspawn"].contains(container),
      let rules = SeatRules(facts, of: assessment.device, node),
      let group = names.groupName(node.gid)
    else { return cause }
    var place: UdevRulePlace?
    if let effect = rules.setting, effect.subject == .group {
      place = effect.token.value.exact == group ? effect.place : nil
    } else if let fixed = rules.groupByName, fixed.group.exact == group {
      place = fixed.place
    }
    guard let place else { return cause }
    var cause = cause
    cause.summary += """
       \(place) in the container gives the node to group \(group) each time the container starts.
      """
    return cause
  }

  /// Returns the cause, with a note that a remote session gives no access to the devices of a seat.
  func withSession(_ cause: Cause) -> Cause {
    guard let session = facts.session, session.isRemote, !assessment.canHaveSeat else {
      return cause
    }
    var cause = cause
    let name = session.id.map { "Session \($0)" } ?? "The session"
    cause.summary +=
      " \(name) is remote, so logind does not give it access to the devices of a seat."
    return cause
  }
}
