extension CauseFinder {
  /// The causes of a refusal that only the kernel gave: a rule outside the model.
  func outsideCauses(_ errno: Int32) -> [Cause] {
    if let nodev = hiddenNodevCause(errno) { return [nodev] }
    if let snap = snapCauses(errno) { return snap }
    if let label = labelCause(errno) { return label }
    let attempted = attemptCauses(errno)
    if !attempted.isEmpty { return attempted }
    let isDevice = judgement.object?.type.isDevice ?? false
    if errno == ErrorNumber.notPermitted, isDevice {
      // A seccomp filter can answer EPERM in the kernel's place, to the check as well.
      return deviceCgroupCauses(
        at: path, isProven: confinement.seccompMode != nil && facts.isCheckUnfiltered)
    }
    if let mount = judgement.mount, mount.fstype.hasPrefix("nfs") {
      return [
        Cause(
          .nfsIDMap,
          summary: """
            \(path) is on a file server (\(mount.fstype) at \(mount.at)), which refuses \(user): \
            it decides by its own idea of who that is.
            """, at: path, isProven: false)
      ]
    }
    if case .undecided = judgement.decision.outcome, let cause = overflowCause(errno) {
      return [cause] + [keptGroupsCause].compactMap(\.self)
    }
    return [
      Cause(
        .unknown,
        summary: """
          The kernel refuses \(path) (\(ErrorNumber.name(errno))) for a reason that the model does \
          not see.
          """, at: path, isProven: false)
    ]
  }

  /// The security module whose label the subject has, for EACCES where modes and lists allow.
  ///
  /// Another layer can answer so, too.
  private func labelCause(_ errno: Int32) -> [Cause]? {
    guard errno == ErrorNumber.accessDenied, case .granted = judgement.decision.outcome else {
      return nil
    }
    let isTried = judgement.attempt?.errno == errno && judgement.kernelErrno ?? 0 == 0
    let isStream = judgement.attempt?.operation == .stream
    let who =
      isTried
      ? (isStream ? "streaming from it is refused" : "open(2) is refused")
      : "the kernel still refuses"
    if let enforced = confinement.enforcedLabel {
      let text = confinement.profileRule.map { " Its text contains \($0)." } ?? ""
      let label = Cause(
        enforced.code,
        summary: """
          Modes and lists allow \(path), but \(who) (EACCES), as the policy of \
          \(enforced.module) for \(enforced.name) may.\(text)
          """, at: path, isProven: false)
      return confinement.container == "snap" ? [snapCause(at: path), label] : [label]
    }
    guard confinement.hasLabelModule else { return nil }
    let isSELinux = confinement.securityModules?.contains("selinux") ?? false
    return [
      Cause(
        isSELinux ? .selinux : .unknown,
        summary: """
          Modes and lists allow \(path), but \(who) (EACCES), as the policy of \
          \(isSELinux ? "SELinux" : "the active security module") may.
          """, at: path, isProven: false)
    ]
  }

  /// An owner that the user namespace does not map, where mapping it would give access.
  private func overflowCause(_ errno: Int32) -> Cause? {
    guard let node = judgement.decidingStep?.node, judgement.wouldGrantIfMapped(node),
      errno == ErrorNumber.accessDenied
    else { return nil }
    return Cause(
      .usernsUnmapped,
      summary: """
        The kernel refuses \(path) (\(ErrorNumber.name(errno))), and \(node.path) shows as \
        \(names.user(node.uid)) and \(names.group(node.gid)): the user namespace does not map \
        its owner or group.
        """, at: node.path, isProven: false)
  }

  /// A container's process without any group of whoever started it: an engine that keeps them
  /// shows them as the number that stands for all others.
  private var keptGroupsCause: Cause? {
    guard confinement.container == "podman", let node = judgement.decidingStep?.node,
      node.gid == RemedyWriter.overflowID, !subject.groups.contains(RemedyWriter.overflowID),
      node.owningGroupPermissions.isSuperset(of: judgement.wanted)
    else { return nil }
    return Cause(
      .groupsDropped,
      summary: """
        The process has none of the groups of the user who started the container: the engine \
        dropped them.
        """, at: node.path, isProven: false)
  }

  /// The device control group, and the unit or the container behind it.
  func deviceCgroupCauses(at path: String, isProven: Bool) -> [Cause] {
    // A control group that is the root of its own namespace has no name that tells anything.
    let group = confinement.cgroup.flatMap { $0 == "/" ? nil : " \($0)" } ?? ""
    let layer = Cause(
      .cgroupDevice,
      summary: "The device control group\(group) refuses \(path) (EPERM), even to root.",
      at: path, isProven: isProven)
    if let container = confinement.container, !isOfUnit || judgement.isRefusedOutsideModel {
      if container == "snap" { return [snapCause(at: path), layer] }
      return [layer] + [newNumberCause(at: path)].compactMap(\.self)
    }
    if let causes = policyCauses(at: path) { return causes + [layer] }
    guard let unit = confinement.serviceUnit else { return [layer] }
    return [
      Cause(
        .unitPrivateDevices,
        summary: "The device policy of \(unit) refuses \(path) (EPERM), even to root.",
        at: path, isProven: isOfUnit && !judgement.isRefusedOutsideModel),
      layer,
    ]
  }

  /// A USB device that a container sees in the host's `/dev`, and whose number is not in the list
  /// that the container was started with.
  private func newNumberCause(at path: String) -> Cause? {
    guard path.hasPrefix("/dev/bus/usb/"), judgement.mount?.fstype == "devtmpfs" else { return nil }
    return Cause(
      .containerHotplug,
      summary: """
        The container sees the host's USB devices as they are now, and its list of allowed devices \
        dates from its start: a device that was plugged in again since has another number.
        """, at: path, isProven: false)
  }

  /// What a snap meets whose interface is not connected: its AppArmor profile, whose module is
  /// not listed where securityfs is not mounted.
  private func snapCauses(_ errno: Int32) -> [Cause]? {
    guard confinement.container == "snap", errno == ErrorNumber.accessDenied,
      judgement.kernelErrno == 0, let label = confinement.label, label.hasPrefix("snap."),
      !label.hasSuffix("(complain)")
    else { return nil }
    let profile = Cause(
      .appArmor,
      summary: """
        Modes and lists allow \(path), but open(2) is refused (EACCES): the AppArmor profile \
        \(label) may not allow it.
        """, at: path, isProven: false)
    return [snapCause(at: path), profile]
  }

  /// A file system that a user namespace may have mounted: its superblock then takes no devices,
  /// and neither its options nor the kernel's check tell.
  private func hiddenNodevCause(_ errno: Int32) -> Cause? {
    guard errno == ErrorNumber.accessDenied, judgement.kernelErrno == 0,
      subject.userNamespace != nil, judgement.object?.type.isDevice ?? false,
      let mount = judgement.mount, mount.unobserved.contains(.superblockNodev)
    else { return nil }
    return Cause(
      .mountNodev,
      summary: """
        \(path) is on the \(mount.fstype) at \(mount.at), which a user namespace may have \
        mounted: devices on such a file system cannot be opened, and its options do not show it.
        """, at: path, isProven: false)
  }

  func snapCause(at path: String) -> Cause {
    let name = confinement.snapName.map { " \($0)" } ?? ""
    let interface = SnapInterface.name(for: judgement.device, at: path)
    let what = interface.map { "the interface \($0), which gives" } ?? "the interface that gives"
    let tagged = judgement.device?.snapTags ?? []
    let others = tagged.isEmpty ? "" : " Connected to it: \(tagged.joined(separator: ", "))."
    return Cause(
      .snapInterface,
      summary: "The snap\(name) is not connected to \(what) \(path).\(others)",
      at: path, isProven: false)
  }

  /// A node that `InaccessiblePaths=` or `PrivateDevices=` put in place of the real one: no
  /// permissions and no device number; `nil` for any other.
  func hiddenByUnit(at node: Node?) -> [Cause]? {
    guard let node, node.type.isDevice, node.mode & 0o777 == 0,
      node.rdev == DeviceNumber(major: 0, minor: 0)
    else { return nil }
    let unit = confinement.unit ?? "the systemd unit"
    return [
      Cause(
        .unitInaccessiblePath,
        summary: "\(unit) covers \(node.path) with a node that nobody may open.", at: node.path)
    ]
  }
}

extension ConfinementFacts {
  /// The systemd service of the subject; `nil` in a session, where the user manager and the
  /// scopes of logind have no device policy.
  var serviceUnit: String? {
    guard let unit, unit.hasSuffix(".service"), !unit.hasPrefix("user@") else { return nil }
    return unit
  }
}

extension DeviceFacts {
  /// The tags of connected snap plugs, such as `snap_firefox_firefox`.
  var snapTags: [String] { (currentTags ?? tags).filter { $0.hasPrefix("snap_") }.sorted() }
}
