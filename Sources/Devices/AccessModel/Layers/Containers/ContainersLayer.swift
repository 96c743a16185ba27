/// Containers, their namespaces, and the device cgroup.
struct ContainersLayer: Layer {
  let assessment: Assessment
  let names: Names

  static let causes: [CauseDescription<ContainersLayer>] = [
    CauseDescription(
      .nodeHidden, "node missing from this /dev",
      remedies: { layer, cause in
        let at = layer.place(of: cause)
        return layer.sandboxes.isOfOptions
          ? layer.sandboxes.sandboxRemedies(at)
          : layer.containerRemedies(layer.node(of: cause), at)
      }),
    CauseDescription(
      .containerHotplug, "stale node in the container", object: .other,
      remedies: { layer, cause in layer.hotplugRemedies(layer.place(of: cause)) }),
    CauseDescription(
      .containerNoAccess, "no access inside the container",
      remedies: { layer, cause in
        layer.hostRemedies(layer.node(of: cause), layer.place(of: cause))
          + layer.startRemedies(cause)
      }),
    CauseDescription(
      .gidMismatch, "group number differs",
      // The manager of the system container chose the group ID, which any group inside may have.
      precedence: { layer in
        layer.confinement.isSystemContainer && ContainerManager(of: layer.facts) != nil
          ? .first : .byOrder
      },
      remedies: { layer, cause in layer.startRemedies(cause) }),
    CauseDescription(
      .usernsUnmapped, "owner not mapped",
      remedies: { layer, cause in layer.namespaceRemedies(layer.node(of: cause)) },
      note: { layer, cause in layer.confinement.container == nil ? nil : layer.noFixInside(cause) }),
    CauseDescription(
      .cgroupDevice, "device cgroup",
      remedies: { layer, cause in layer.start.policyRemedies(layer.place(of: cause)) },
      lookups: { layer, _ in layer.policyLookups() },
      note: { layer, _ in layer.policyNote }),
  ]

  var start: ContainerOptions { ContainerOptions(assessment: assessment, names: names) }

  private var sandboxes: SandboxesLayer { SandboxesLayer(assessment: assessment, names: names) }

  /// Returns the options that start the container with access for the container's user.
  func startRemedies(_ cause: Cause) -> [Remedy] {
    if let node = node(of: cause), hiddenOwnerCause(node) != nil {
      return hiddenOwnerRemedies(node)
    }
    return containerRemedies(node(of: cause), place(of: cause))
  }

  private func policyLookups() -> [Lookup] {
    // The device list of a container or sandbox does not belong to a unit.
    guard confinement.container == nil || isOfUnit || confinement.isSystemContainer else {
      return []
    }
    return UnitRemedies(assessment: assessment, names: names).deviceLookups()
  }

  private var policyNote: String? {
    guard assessment.isRefusedOutsideModel else { return nil }
    return """
      No permission of the node helps: the program that created the cgroup must allow the device.
      """
  }

  // MARK: - Nodes of a container

  func containerCauses(
    _ node: Node, _ step: Step, member: Cause?, owner: Cause
  ) -> [Cause] {
    let container = confinement.container ?? "container"
    if member != nil, let mismatch = mismatchCause(node) { return [withAccident(mismatch, node)] }
    if let member, names.groupName(node.gid) != nil { return [member] }
    let lacking = step.wanted.subtracting(node.otherBits).words(isDirectory: false)
    let reason =
      member == nil
      ? node.otherBits.isEmpty
        ? "others have no access" : "others have \(node.otherBits), which lacks \(lacking)"
      : "its group may \(lacking), but \(user) is "
        + (node.acl == nil ? "not in it" : "in none of its groups")
    let access = Cause(
      .containerNoAccess,
      summary: """
        In the \(container) container, \(node.path) (\(node.octalMode)) belongs to \
        \(names.user(node.uid)) and \(names.group(node.gid)): \(reason).
        """, at: node.path)
    // Do not repeat the statement about the group.
    return member == nil ? [access, owner] : [access]
  }

  /// Returns the cause if the subject is in a group with the expected name but a different number.
  ///
  /// The expected name is the name of the node's group or a usual name for such devices.
  func mismatchCause(_ node: Node) -> Cause? {
    guard let container = confinement.container, !confinement.isSandbox else { return nil }
    let held = Set(subject.groups).union([subject.fsgid]).subtracting([node.gid]).sorted()
    let owning = names.groupName(node.gid)
    let namesake = held.first { owning != nil && names.groupName($0) == owning }
    let isForeign = owning == nil || start.isAccidental(node.gid, node)
    let usual = DeviceGroup.usual(ofSubsystem: device?.subsystem, at: node.path)
    let named =
      !isForeign
      ? []
      : held.filter { id in
        names.groupName(id).map {
          DeviceGroup.isUsual($0, ofSubsystem: device?.subsystem, at: node.path)
        } ?? false
      }
    guard
      let twin = namesake ?? named.first(where: { names.groupName($0) == usual }) ?? named.first
    else { return nil }
    return Cause(
      .gidMismatch,
      summary: """
        \(user) is in \(names.group(twin)), but \(node.path) belongs to \(names.group(node.gid)). In the \
        \(container) container, what counts is a group's number (GID), not its name.
        """, at: node.path)
  }

  /// Returns the cause, with a note in its summary if only the container gives the number this
  /// name.
  ///
  /// Outside the container, the number belongs to a different group.
  func withAccident(_ cause: Cause, _ node: Node) -> Cause {
    guard start.isAccidental(node.gid, node), let name = names.groupName(node.gid) else {
      return cause
    }
    let isOfHost =
      subject.userNamespace == nil
      && (confinement.takesRunOptions
        || assessment.access.mount(of: node.path)?.fstype == "devtmpfs")
    let number = names.number(ofGroup: node.gid)
    var cause = cause
    cause.summary +=
      isOfHost
      ? " On the host, number \(number) belongs to another group; only the container calls it \(name)."
      : " The number \(number) was set outside; only the container calls it \(name)."
    return cause
  }

  /// Returns the cause for the node of a known device that the container was started without.
  func hiddenCause(_ node: String, known: String) -> Cause? {
    guard let container = confinement.container else { return nil }
    let reason =
      start.canAppearLater(node)
      ? "the \(container) container was started without it, or before the device was there"
      : "the \(container) container was started without it"
    return Cause(.nodeHidden, summary: "\(known): \(reason).", at: node, isProven: false)
  }

  /// Returns the cause for a device that the container may have been started without.
  func missingCause(at path: String) -> Cause? {
    guard let container = confinement.container else { return nil }
    if let flatpak = sandboxes.flatpakCause(at: path) { return flatpak }
    return Cause(
      .nodeHidden, summary: "The \(container) container may have been started without it.",
      at: path, isProven: false)
  }

  /// Returns the cause for a file or a socket that may exist only on the host.
  ///
  /// The files of the system are those of the image, and a volume shows what the host has there.
  func missingFileCause(at missing: String) -> Cause? {
    guard !confinement.isSandbox, !wanted.contains(.execute), !access.request.creates,
      let first = missingFile.parts(at: "/").first, !Self.foldersOfImages.contains(first),
      let mount = access.mount(of: missingFile),
      ["overlay", "tmpfs", "btrfs", "zfs"].contains(mount.fstype)
    else { return nil }
    return missingCause(at: missing)
  }

  /// The file that the container lacks: what a link leads to, or the requested file itself.
  private var missingFile: String {
    guard let last = assessment.decidingStep?.path, !path.isAtOrBelow(last) else { return path }
    return last
  }

  private static let foldersOfImages: Set<Substring> = [
    "bin", "boot", "dev", "etc", "lib", "lib32", "lib64", "proc", "root", "sbin", "sys", "usr",
  ]

  func containerRemedies(_ node: Node?, _ path: String) -> [Remedy] {
    if assessment.conclusion == .absent, device == nil, !self.path.hasPrefix("/dev/") {
      return start.passFile(missingFile)
    }
    let path = path.hasPrefix("/dev/") ? path : device?.node ?? path
    guard let node, assessment.conclusion != .absent else { return start.passDevice(path) }
    if let number = device?.number, let rdev = node.rdev, number != rdev {
      return start.passDevice(path)
    }
    return start.joinRemedies(node) + passingRemedies(node)
  }

  /// Returns the remedies that have the manager pass the node in again with one of the user's
  /// groups.
  private func passingRemedies(_ node: Node) -> [Remedy] {
    guard node.type.isDevice, let group = start.ownGroup, !start.isSetInside(node) else {
      return []
    }
    // In a directory of the host, the node of a USB device has another name after a replug.
    if node.path.hasPrefix("/dev/bus/usb/"), start.isInFolderOfHost(node) {
      return start.hostEntryRemedies(node)
    }
    let mode = FactsChange.setMode(path: node.path, mode: 0o660)
    let owner = FactsChange.changeOwner(path: node.path, user: nil, group: group)
    // The node exists in the container, so the manager already passes it in.
    return start.managedRemedies(node.path, changes: [mode, owner], isPassedIn: true)
  }

  /// Returns the remedies that pass a replugged device to the container, regardless of its number.
  private func hotplugRemedies(_ path: String) -> [Remedy] {
    let now = device ?? NodesLayer(assessment: assessment, names: names).otherCandidate
    guard now != nil || !isOfUnpluggedDevice else {
      return [
        Remedy(
          "Plug the device in again, and then create the container again",
          actor: .packager, takesEffect: confinement.recreation, assumes: "the device still works")
      ]
    }
    return start.passDevice(now?.node ?? path, replugged: now)
  }

  /// A Boolean value that indicates whether no device is known that the node could belong to.
  private var isOfUnpluggedDevice: Bool {
    device == nil && hiddenDevice(at: path) == nil && confinement.takesRunOptions
  }

  // MARK: - The device cgroup

  /// Returns the cause for a refusal by the device cgroup.
  func groupCause(at path: String, isProven: Bool) -> Cause {
    // The root of a cgroup namespace is always named `/`, so the name does not identify the cgroup.
    var group = confinement.cgroup.flatMap { $0 == "/" ? nil : " \($0)" } ?? ""
    var whose = ""
    if let container = confinement.container, !confinement.isSandbox, !isOfUnit {
      // The device list usually belongs to the container, and the observed name to a unit inside
      // it.
      let holder = container == "kubernetes" ? "pod" : "\(container) container"
      group = " of the \(holder)"
      whose =
        confinement.serviceUnit.map { unit in
          confinement.isUnitOfHost
            ? ", or of \(unit), which contains it," : ", or of \(unit) in it,"
        } ?? ""
    }
    let refusal =
      assessment.grantedPart.partialRefusal(of: path).map { part in
        part + (allowance.map { ": its list has \($0)" } ?? "")
      } ?? "refuses access to \(path) (EPERM), even for root"
    let volume =
      start.isBoundAlone(assessment.object ?? access.object(at: path))
      ? " The node was passed in as a volume, which does not add it to the list of allowed devices."
      : ""
    return Cause(
      .cgroupDevice,
      summary: "The device cgroup\(group)\(whose) \(refusal).\(volume)\(lossOfHook(path))",
      at: path, isProven: isProven)
  }

  /// Returns a sentence that explains how nodes added by NVIDIA's hook disappear from the device
  /// list.
  ///
  /// The sentence starts with a space. The result is empty for other nodes.
  private func lossOfHook(_ path: String) -> String {
    guard NodeCompanions.isNVIDIA(path), confinement.takesRunOptions, assessment.mount?.at == path
    else {
      return ""
    }
    return """
       If it worked before, systemd has rewritten the list since then (for example at systemctl \
      daemon-reload), and dropped the nodes that NVIDIA's hook had added.
      """
  }

  /// The entry of the device list that allows only a part of the access, such as `c 226:128 r`.
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

  /// Returns the cause for a node that the host has removed but a mount in the container still
  /// shows.
  ///
  /// devtmpfs clears the mode of a node before it removes the node (`handle_remove`).
  func removedNodeCause() -> Cause? {
    guard confinement.container != nil, let node = assessment.decidingStep?.node,
      node.type.isDevice, node.mode & 0o7777 == 0, node.acl == nil,
      assessment.mount?.fstype == "devtmpfs"
    else { return nil }
    return Cause(
      .containerHotplug,
      summary: """
        \(node.path) (0000) is what is left of a node that the host has removed: the device was \
        replugged, or its driver was reloaded, after the container was started.
        """, at: node.path)
  }

  /// Returns the cause for a USB device that was replugged after the container was started.
  ///
  /// The container sees the device in the host's `/dev`, but its device list was set when the
  /// container started and does not contain the new number.
  func newNumberCause(at path: String) -> Cause? {
    guard path.hasPrefix("/dev/bus/usb/"), let mount = assessment.mount, mount.fstype == "devtmpfs",
      path.isBelow(mount.at)
    else { return nil }
    return Cause(
      .containerHotplug,
      summary: """
        The container sees the host's USB devices as they are now, and its list of allowed devices \
        dates from its start: a device that was replugged since then has another number.
        """, at: path, isProven: false)
  }
}

extension Permissions {
  /// Returns a clause that describes a device list that allows only reading or only writing.
  ///
  /// - Returns: The clause; `nil` if the list allows both or neither.
  func partialRefusal(of path: String) -> String? {
    switch intersection([.read, .write]) {
    case .read: "allows reading \(path), but refuses writing (EPERM), even for root"
    case .write: "allows writing \(path), but refuses reading (EPERM), even for root"
    default: nil
    }
  }
}

extension DeviceCgroup.Exception {
  /// The exception in the format of `devices.list`.
  fileprivate var words: String {
    let number = [major, minor].map { $0.map(String.init) ?? "*" }.joined(separator: ":")
    let letters = (read ? "r" : "") + (write ? "w" : "") + (makeNode ? "m" : "")
    return "\(isBlock ? "b" : "c") \(number) \(letters)"
  }
}

/// Nodes that a container gets from a host on which udev has not set their permissions.
extension ContainersLayer {
  /// Returns the cause, with an addition to its summary if udev does not seem to run on the host.
  ///
  /// If udev runs, it gives the node to a group. Otherwise the node keeps the mode and owner that
  /// the kernel gives to new nodes.
  func withHost(_ cause: Cause, _ node: Node) -> Cause {
    guard cause.code == .containerNoAccess, let group = groupOfHost(node) else { return cause }
    var cause = cause
    cause.summary += """
       The kernel creates such nodes with mode \(node.octalMode), owned by root, and udev would \
      usually have given this one to a group, such as \(group). So udev is not running on the host, or \
      its rules do not name such nodes.
      """
    return cause
  }

  /// Returns the group that udev would give the node to, if the node is as the kernel created it.
  private func groupOfHost(_ node: Node) -> String? {
    guard let container = confinement.container, !Self.managed.contains(container),
      node.uid == 0, node.gid == 0, node.mode & 0o7777 == 0o600, node.acl == nil,
      !(device?.hasUdevData ?? false)
    else { return nil }
    return DeviceGroup.usual(ofSubsystem: nil, at: node.path)
  }

  /// The kinds of containers whose nodes are created by their manager or by udev inside the
  /// container.
  private static let managed = [
    "lxc", "systemd-nspawn", "flatpak", "bubblewrap", "firejail", "snap",
  ]

  /// Returns the remedy that starts udev on the host, to set the permissions of the node.
  func hostRemedies(_ node: Node?, _ path: String) -> [Remedy] {
    guard let node, groupOfHost(node) != nil else { return [] }
    return [
      Remedy(
        "On the host, start udev; then start the container with the GID of the group that the node then has",
        commands: UdevDaemonStart(hasSystemd: nil).start
          + UdevTrigger(facts).commands(node: path, device: device, action: "add"),
        actor: .administrator,
        takesEffect: "when the container is recreated",
        assumes: "udev is installed on the host, and is not running yet")
    ]
  }
}
