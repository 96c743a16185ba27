/// Containers, the namespaces that they are made of, and the device control group.
struct ContainersLayer: Layer {
  let assessment: Assessment
  let names: Names

  private var start: ContainerStart { ContainerStart(assessment: assessment, names: names) }

  private var sandboxes: SandboxesLayer { SandboxesLayer(assessment: assessment, names: names) }

  func remedies(for cause: Cause) -> [Remedy] {
    let at = place(of: cause)
    let node = node(of: cause)
    return switch cause.code {
    case .groupNotMember, .gidMismatch, .containerNoAccess:
      containerRemedies(node, at) + managedNodeRemedies(node, cause.code)
    case .nodeHidden where sandboxes.isOfOptions: sandboxes.sandboxRemedies(at)
    case .nodeHidden, .containerHotplug: containerRemedies(node, at)
    case .usernsUnmapped: namespaceRemedies(node)
    case .cgroupDevice: start.policyRemedies(at)
    default: []
    }
  }

  func lookups(for cause: Cause) -> [Lookup] {
    guard cause.code == .cgroupDevice else { return [] }
    return UnitSettings(assessment: assessment, names: names).deviceLookups()
  }

  func note(for cause: Cause) -> String? {
    switch cause.code {
    case .usernsUnmapped where confinement.container != nil: noFixInside(cause)
    case .cgroupDevice where assessment.isRefusedOutsideModel:
      """
      No permission of the node helps: whoever made the control group has to let the device pass.
      """
    default: nil
    }
  }

  // MARK: - Nodes of a container

  func containerCauses(
    _ node: Node, _ step: Step, member: Cause?, owner: Cause
  ) -> [Cause] {
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
    if member != nil, let twin {
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
    if let member, names.groupName(node.gid) != nil { return [member] }
    let lacking = step.wanted.subtracting(node.otherBits).words(isDirectory: false)
    let access = Cause(
      .containerNoAccess,
      summary: """
        The \(container) container has \(node.path) (\(node.octalMode), \(names.user(node.uid)), \
        \(names.group(node.gid))) and gives others \(node.otherBits), which lacks \(lacking).
        """, at: node.path)
    return [access, member ?? owner]
  }

  /// That the node of a device which udev knows was not given to the container.
  func hiddenCause(_ node: String, known: String) -> Cause? {
    guard let container = confinement.container else { return nil }
    return Cause(
      .nodeHidden, summary: "\(known): the \(container) container was started without it.",
      at: node, isProven: false)
  }

  /// That the container may lack a device which nothing else tells of.
  func missingCause(at path: String) -> Cause? {
    guard let container = confinement.container else { return nil }
    return Cause(
      .nodeHidden, summary: "The \(container) container may have been started without it.",
      at: path, isProven: false)
  }

  func containerRemedies(_ node: Node?, _ path: String) -> [Remedy] {
    let path = path.hasPrefix("/dev/") ? path : device?.node ?? path
    guard let node, assessment.verdict != .absent else { return [start.passDevice(path)] }
    if let device, let number = device.number, let rdev = node.rdev, number != rdev {
      return [
        start.passDevice(path),
        Remedy(
          "Show the container the whole /dev, and allow it the device's class",
          options: ["-v /dev:/dev", "--device-cgroup-rule='c \(number.major):* \(start.letters)'"]
            .filter { _ in start.takesRunOptions }, actor: .packager,
          scope: "every device with major number \(number.major)",
          takesEffect: "in a new container",
          assumes: "the node's owner and mode let the user of the container in"),
      ]
    }
    guard node.gid != 0, node.gid != Subject.overflowID,
      node.owningGroupPermissions.isSuperset(of: wanted), start.takesRunOptions,
      subject.userNamespace.map({ $0.groups.inside(node.gid) != nil }) ?? true
    else { return subject.userNamespace == nil ? [] : start.keepGroups() }
    let inside = subject.userNamespace?.groups.inside(node.gid) ?? node.gid
    return [
      Remedy(
        "Start the container's user with the group number of the node",
        options: ["--group-add=\(inside)"], actor: .packager,
        changes: [.addGroups([node.gid], isPrimary: false)],
        scope: "everything else that \(names.group(node.gid)) may use in the container",
        takesEffect: "in a new container")
    ]
  }

  /// What the manager of a system container can do: hand in the node with a group of the
  /// container, in which its user is.
  func managedNodeRemedies(_ node: Node?, _ code: CauseCode) -> [Remedy] {
    guard confinement.container == "lxc", let node, node.type.isDevice,
      code == .gidMismatch || code == .containerNoAccess
    else { return [] }
    let held = subject.groups.filter { $0 != subject.fsgid && $0 != Subject.overflowID }
    let named = ["video", "render", "audio", "dialout", "kvm"]
    let namesake = held.first { id in
      names.groupName(id) != nil && names.groupName(id) == names.groupName(node.gid)
    }
    guard
      let group = namesake
        ?? held.first(where: { names.groupName($0).map(named.contains) ?? false }) ?? held.first
    else { return [] }
    let inside = subject.userNamespace.flatMap { $0.groups.inside(group) } ?? group
    return [
      Remedy(
        """
        Have the container's manager hand in the node with \(names.group(group)): as a property \
        of the device (Incus, LXD) or of its line dev0: (Proxmox)
        """, options: ["gid=\(inside)"], actor: .packager, takesEffect: "in a new container",
        assumes: "Incus, LXD or Proxmox manages the container, and the mode lets the group in")
    ]
  }

  // MARK: - The device control group

  /// That the list of the control group refuses.
  func groupCause(at path: String, isProven: Bool) -> Cause {
    // A control group that is the root of its own namespace has no name that tells anything.
    let group = confinement.cgroup.flatMap { $0 == "/" ? nil : " \($0)" } ?? ""
    return Cause(
      .cgroupDevice,
      summary: "The device control group\(group) refuses \(path) (EPERM), even to root.",
      at: path, isProven: isProven)
  }

  /// A USB device that a container sees in the host's `/dev`, and whose number is not in the list
  /// that the container was started with.
  func newNumberCause(at path: String) -> Cause? {
    guard path.hasPrefix("/dev/bus/usb/"), assessment.mount?.fstype == "devtmpfs" else {
      return nil
    }
    return Cause(
      .containerHotplug,
      summary: """
        The container sees the host's USB devices as they are now, and its list of allowed devices \
        dates from its start: a device that was plugged in again since has another number.
        """, at: path, isProven: false)
  }
}
