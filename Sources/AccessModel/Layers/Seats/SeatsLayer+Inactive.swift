/// Fixes for a device that goes to the active user of its seat, for a subject who never is that user.
extension SeatsLayer {
  func inactiveRemedies(_ path: String) -> [Remedy] {
    let rules = UdevRules(assessment: assessment, names: names)
    guard confinement.serviceUnit != nil else {
      return [switchSession(), rules.groupRule(path), loginManager].compactMap(\.self)
    }
    // If the group of the node suffices, the unit lacks the group and the device needs no rule.
    guard let node = access.object(at: path),
      node.gid == 0 || !node.owningGroupPermissions.isSuperset(of: assessment.wanted)
    else { return [] }
    return [rules.serviceRule(path) ?? rules.entryRule(path)].compactMap(\.self)
  }

  /// The login manager of machines without systemd, where it does not run.
  private var loginManager: Remedy? {
    guard confinement.hasSystemd == false, confinement.container == nil,
      facts.session?.isLogindRunning == false
    else { return nil }
    return Remedy(
      "Run elogind, which gives tagged devices to the active user", actor: .administrator,
      takesEffect: "after a new login",
      assumes: "elogind is installed, and logins go through PAM with pam_elogind")
  }
}

extension UdevRules {
  /// A udev rule that gives the device to a group of the service, where the node's own does not suffice.
  ///
  /// The other permissions of the node stay.
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
      title: "Give the device to group \(name), with which \(unit) runs, at every event",
      changes: [
        .deviceEvent(
          path: path, mode: mode, group: group, isTagged: device.isTaggedForUserAccess)
      ], promise: .group(name, mode: mode))
  }

  /// A group that the service has, and that is not one of all users.
  private var serviceGroup: UInt32? {
    ([subject.fsgid] + subject.groups).first { group in
      group != 0 && group < 1000 && names.hasPlainName(group: group)
        && !["users", "nogroup", "nobody", "daemon"].contains(names.groupName(group))
    }
  }
}
