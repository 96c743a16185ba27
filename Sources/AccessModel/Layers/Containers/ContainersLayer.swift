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
    case .groupNotMember, .gidMismatch, .containerNoAccess, .modeGroup, .modeOwner:
      (cause.code == .containerNoAccess ? hostRemedies(node, at) : [])
        + containerRemedies(node, at, isHandedIn: cause.code == .gidMismatch)
    case .nodeHidden where sandboxes.isOfOptions: sandboxes.sandboxRemedies(at)
    case .nodeHidden: containerRemedies(node, at)
    case .containerHotplug: hotplugRemedies(at)
    case .usernsUnmapped: namespaceRemedies(node)
    case .cgroupDevice: start.policyRemedies(at)
    default: []
    }
  }

  func lookups(for cause: Cause) -> [Lookup] {
    // The list of a container or of a sandbox is no unit's.
    guard cause.code == .cgroupDevice,
      confinement.container == nil || isOfUnit || confinement.isSystemContainer
    else { return [] }
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
    let usual = DeviceGroup.usual(ofSubsystem: device?.subsystem, at: node.path)
    let twin =
      namesake
      ?? held.sorted().first { id in
        id != node.gid && usual != nil && names.groupName(id) == usual
      }
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
    let reason =
      member == nil
      ? node.otherBits.isEmpty
        ? "gives others nothing" : "gives others \(node.otherBits), which lacks \(lacking)"
      : "gives its group \(lacking), and \(user) is in none of the node's groups"
    let access = Cause(
      .containerNoAccess,
      summary: """
        The \(container) container has \(node.path) (\(node.octalMode), \(names.user(node.uid)), \
        \(names.group(node.gid))), which \(reason).
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

  func containerRemedies(
    _ node: Node?, _ path: String, isHandedIn: Bool = false
  ) -> [Remedy] {
    let path = path.hasPrefix("/dev/") ? path : device?.node ?? path
    guard let node, assessment.verdict != .absent else { return start.passDevice(path) }
    if let number = device?.number, let rdev = node.rdev, number != rdev {
      return start.passDevice(path)
    }
    return start.joinRemedies(node) + handingRemedies(node, isHandedIn: isHandedIn)
  }

  /// Has the manager of a system container hand in the node with a group in which the user is.
  private func handingRemedies(_ node: Node, isHandedIn: Bool) -> [Remedy] {
    guard node.type.isDevice, let group = start.ownGroup else { return [] }
    let mode = FactsChange.setMode(path: node.path, mode: 0o660)
    let owner = FactsChange.changeOwner(path: node.path, user: nil, group: group)
    return start.managedRemedies(node.path, changes: [mode, owner], isHandedIn: isHandedIn)
  }

  /// Shows the container a device that came back under another number, whichever it gets next.
  private func hotplugRemedies(_ path: String) -> [Remedy] {
    let now = device ?? NodesLayer(assessment: assessment, names: names).otherCandidate
    return start.passDevice(now?.node ?? path, replugged: now)
  }

  // MARK: - The device control group

  /// That the list of the control group refuses.
  func groupCause(at path: String, isProven: Bool) -> Cause {
    // A control group that is the root of its own namespace has no name that tells anything.
    var group = confinement.cgroup.flatMap { $0 == "/" ? nil : " \($0)" } ?? ""
    var whose = ""
    if let container = confinement.container, !confinement.isSandbox, !isOfUnit {
      // The list is most often the container's, and the name that of a unit in it.
      let holder = container == "kubernetes" ? "pod" : "\(container) container"
      group = " of the \(holder)"
      whose = confinement.serviceUnit.map { ", or of \($0) in it," } ?? ""
    }
    let refusal =
      partialRefusal(of: path).map { part in
        part + (allowance.map { ": its list has \($0)" } ?? "")
      } ?? "refuses \(path) (EPERM), even to root"
    let volume =
      start.isBoundAlone(assessment.object ?? access.object(at: path))
      ? " The container has the node as a volume, which brings no permission to use the device."
      : ""
    return Cause(
      .cgroupDevice,
      summary: "The device control group\(group)\(whose) \(refusal).\(volume)\(lossOfHook(path))",
      at: path, isProven: isProven)
  }

  /// What takes nodes that NVIDIA's hook has bound into a container out of its list, as a sentence with a
  /// space before it; empty for any other node.
  private func lossOfHook(_ path: String) -> String {
    guard NodeCompanions.isNVIDIA(path), start.takesRunOptions, assessment.mount?.at == path else {
      return ""
    }
    return """
       If the container could use it before, systemd has rewritten the list since then (for example at \
      systemctl daemon-reload), without the nodes that NVIDIA's hook had added.
      """
  }

  /// What a list lets pass and what it refuses, where it lets a part of what is wanted pass.
  private func partialRefusal(of path: String) -> String? {
    assessment.grantedPart.partialRefusal(of: path)
  }

  /// The line of the list that lets a part pass, such as `c 226:128 r`.
  private var allowance: String? {
    guard let list = subject.deviceCgroup, list.defaultBehavior == .deny,
      let node = assessment.decidingStep?.node, let number = node.rdev
    else { return nil }
    let part = assessment.grantedPart
    return list.exceptions.first { exception in
      DeviceCgroup(defaultBehavior: .deny, exceptions: [exception])
        .allows(number, isBlock: node.type == .blockDevice, for: part)
    }?.words
  }

  /// A node that the kernel has removed from the host's `/dev`, and that a mount of the container keeps:
  /// devtmpfs takes every permission from a node before it removes it (`handle_remove`).
  func removedNodeCause() -> Cause? {
    guard confinement.container != nil, let node = assessment.decidingStep?.node,
      node.type.isDevice, node.mode & 0o7777 == 0, node.acl == nil,
      assessment.mount?.fstype == "devtmpfs"
    else { return nil }
    return Cause(
      .containerHotplug,
      summary: """
        \(node.path) (0000) is what is left of a node that the host has removed: the device was plugged \
        in again, or its driver was loaded again, after the container was started.
        """, at: node.path)
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

extension Permissions {
  /// That a device list lets this part of reading and writing pass and refuses the rest, as the rest of a
  /// sentence; `nil` for no part.
  func partialRefusal(of path: String) -> String? {
    switch intersection([.read, .write]) {
    case .read: "allows reading \(path), but refuses writing (EPERM), even to root"
    case .write: "allows writing \(path), but refuses reading (EPERM), even to root"
    default: nil
    }
  }
}

extension DeviceCgroup.Exception {
  /// The line as `devices.list` has it.
  fileprivate var words: String {
    let number = [major, minor].map { $0.map(String.init) ?? "*" }.joined(separator: ":")
    let letters = (read ? "r" : "") + (write ? "w" : "") + (makeNode ? "m" : "")
    return "\(isBlock ? "b" : "c") \(number) \(letters)"
  }
}
