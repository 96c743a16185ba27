internal import UdevRules

/// Nodes that are needed together, and engines without a device list.
extension ContainerOptions {
  // MARK: - Nodes that are needed together

  /// Returns the other nodes that a program opens together with the given one.
  ///
  /// For `/dev/kfd`, the result includes the directory `/dev/dri` if no render node is known.
  func otherNodes(_ path: String) -> [String] {
    let seen = DriverNodes(assessment: assessment).others(than: path).map(\.path)
      .filter { $0.isConfigurationWord && !$0.utf8.contains(UInt8(ascii: ",")) }
    let hasCards = facts.access.nodes.contains { $0.path.hasPrefix("/dev/dri/renderD") }
    return path == "/dev/kfd" && !hasCards ? seen + ["/dev/dri"] : seen
  }

  /// Returns the remedy and, for a node of the NVIDIA driver, a remedy with the option for all its
  /// nodes.
  func withInterface(_ remedy: Remedy, _ path: String) -> [Remedy] {
    guard NodeCompanions.isNVIDIA(path) else { return [remedy] }
    var remedy = remedy
    let toolkit = Remedy(
      "Start the container with the GPU through CDI, as NVIDIA's toolkit describes it",
      options: ["--device=nvidia.com/gpu=all"], actor: .packager, changes: remedy.changes,
      scope: "access to every NVIDIA GPU", takesEffect: confinement.recreation,
      assumes: """
        the host has a CDI specification (nvidia-ctk cdi generate), and the engine supports CDI
        """)
    guard DriverNodes(assessment: assessment).areUnseen(at: path) else { return [remedy, toolkit] }
    let others =
      "the container has the driver's other nodes, such as /dev/nvidiactl and /dev/nvidia-uvm"
    remedy.assumes = Remedy.both(remedy.assumes, others)
    return [toolkit, remedy]
  }

  // MARK: - Engines without a device list

  /// Returns the words that name the file in which an option for firejail is permanent.
  static func inProfile(_ settings: [String]) -> String {
    let lines = settings.map { "'ignore \($0)'" }.joined(separator: " and ")
    return """
      , with command-line options or permanently with \(lines) in ~/.config/firejail/PROFILE.local \
      (replace PROFILE with the profile's name)
      """
  }

  /// Returns the remedy that binds the node into an Apptainer container, which has no device list.
  func bindRemedies(
    _ path: String, outside: String, others: [String], isThere: Bool
  ) -> [Remedy] {
    guard !isThere, !(path + outside).utf8.contains(where: ":,".utf8.contains) else { return [] }
    let pairs = [outside == path ? path : "\(outside):\(path)"] + others
    var remedy = Remedy(
      "Start the container with the node bound into it",
      options: ["--bind=\(pairs.joined(separator: ","))".shellQuoted], actor: .packager,
      takesEffect: "when the program is restarted",
      assumes: "the node exists on the host, and the user has permission to use it")
    if NodeCompanions.isNVIDIA(path) {
      remedy.title = "Start the container with the nodes and libraries of NVIDIA's driver"
      remedy.steps[0].options = ["--nv"]
      remedy.scope = "access to every NVIDIA GPU"
    }
    return [remedy]
  }

  /// Returns the remedy for an unknown engine, which describes the option to look up.
  func unknownEngineRemedy(
    _ remedy: Remedy, _ path: String, isThere: Bool
  ) -> Remedy {
    var remedy = remedy
    let engine = confinement.container ?? "its engine"
    remedy.title =
      isThere
      ? "Start the container with the option of \(engine) that allows it to use \(path)"
      : "Start the container with the option of \(engine) that binds \(path) into it"
    remedy.steps[0].changes = []
    let option = "\(engine) has such an option"
    remedy.assumes = Remedy.both(option, remedy.assumes)
    return remedy
  }
}

extension ContainerOptions {
  // MARK: - Use beyond opening

  /// Extends the remedy by what the container needs to use a device, in addition to opening its
  /// node.
  ///
  /// A tun(4) interface requires `CAP_NET_ADMIN`. Mounting with FUSE or a loop device requires
  /// `CAP_SYS_ADMIN`, which makes the container nearly as powerful as root on the host, so the
  /// remedy only mentions it.
  func addUse(of path: String, to remedy: inout Remedy) {
    if path == "/dev/net/tun", !subject.bounding.contains(.administerNetwork) {
      remedy.title += ", and permission to create a network interface with it"
      remedy.steps[0].options.append("--cap-add=NET_ADMIN")
      let other = "permission to change every setting of the container's network"
      remedy.scope = Remedy.joined(remedy.scope, other, by: ", and ")
      remedy.excess = remedy.scope
    }
    guard path == "/dev/fuse" || path.hasPrefix("/dev/loop"),
      !subject.bounding.contains(.administerSystem)
    else { return }
    // The engines' default profiles refuse mount(2) even with the capability.
    let isProfiled = confinement.label?.hasSuffix("(enforce)") == true
    let profile = isProfiled ? " and --security-opt=apparmor=unconfined" : ""
    let verb = isProfiled ? "give" : "gives"
    let isOfHost = subject.userNamespace == nil
    let weight = isOfHost ? ", which \(verb) its root nearly the power of root on the host" : ""
    let condition = """
      the program only opens the device; to mount with it, the container also needs \
      --cap-add=SYS_ADMIN\(profile)\(weight)
      """
    remedy.assumes = Remedy.both(remedy.assumes, condition)
  }

  /// Returns the fix that allows devices in the unit of a systemd-nspawn container.
  ///
  /// `--property=` has no effect if a unit starts the container with `--keep-unit`.
  func allowInUnit(_ lines: [String], _ changes: [FactsChange], scope: String?) -> Remedy {
    let unit = "systemd-nspawn@NAME.service"
    var remedy = UnitRemedies(assessment: assessment, names: names).dropIn(
      unit, lines, named: "devaccess-device",
      title: """
        On the host, allow the device in the unit of the container; replace NAME with the \
        container's name
        """, changes: changes, scope: scope,
      assumes: "\(unit) runs the container (on NixOS, it is container@NAME.service)")
    remedy.takesEffect = nil
    return remedy
  }
}

extension DeviceNumber {
  /// A Boolean value that indicates whether unrelated drivers share the major number.
  ///
  /// A rule for the whole major number would also open unrelated devices. Examples are memory,
  /// terminals and the `misc` devices of the kernel's `linux/miscdevice.h`.
  var isSharedByDrivers: Bool { [1, 4, 5, 10].contains(major) }

  /// Creates the number of a node that has a fixed number on every machine; `nil` for other nodes.
  ///
  /// The numbers are from the kernel's `linux/miscdevice.h`.
  init?(of path: String) {
    let minors: [String: UInt32] = ["/dev/net/tun": 200, "/dev/fuse": 229, "/dev/kvm": 232]
    guard let minor = minors[path] else { return nil }
    self.init(major: 10, minor: minor)
  }
}

/// The parameters with which NVIDIA's driver creates its nodes.
struct NVIDIAParameters {
  var user: UInt32?
  var group: UInt32?
  var mode: UInt16

  /// The parameters, such as `NVreg_DeviceFileMode=0660`.
  ///
  /// Without the leading zero, the driver would read the mode as a decimal number.
  var words: [String] {
    [
      user.map { "NVreg_DeviceFileUID=\($0)" }, group.map { "NVreg_DeviceFileGID=\($0)" },
      "NVreg_DeviceFileMode=0\(String(mode, radix: 8))",
    ]
    .compactMap(\.self)
  }
}

/// Fixes on the host of a container, for nodes that the container gets from the host.
extension ContainerOptions {
  /// Returns the fix that adds a udev rule on the host to give the device to a group.
  ///
  /// The fix is for a node that its current group cannot open. The container gets the host's node,
  /// so its process needs the number of the new group.
  func hostRuleRemedies(_ node: Node) -> [Remedy] {
    guard confinement.takesRunOptions || confinement.container == "kubernetes", node.type.isDevice,
      subject.userNamespace == nil, let device, device.node == node.path,
      let match = RuleMatch.all(device, among: facts.devices).first
    else { return [] }
    let isMember = subject.groups.contains(node.gid) || subject.fsgid == node.gid
    if isMember { return hostModeRemedies(node, match) }
    if let lost = lostGroupRemedy(node) { return [lost] }
    let isPod = confinement.container == "kubernetes"
    let isUsual = DeviceGroup.usual(ofSubsystem: device.subsystem, at: path) != nil
    // The container's own group needs no option. udev of systemd 258 accepts only system groups.
    let isOwn = !isUsual && (1..<1000).contains(subject.fsgid)
    let group = isOwn ? String(subject.fsgid) : deviceGroup
    let rule = match.text + #", GROUP="\#(group)", MODE="0660""#
    let number = isPod ? "NUMBER" : "$(getent group \(group) | cut -d: -f3)"
    let option = Remedy.Step(
      .packager,
      options: [
        isPod ? "securityContext: {supplementalGroups: [\(number)]}" : "--group-add=\(number)"
      ])
    let how =
      isOwn
      ? ", the primary group of the container's user"
      : """
      , and start the \(isPod ? "pod" : "container") with the GID of that group\
      \(isPod ? " in place of NUMBER" : "")
      """
    return [
      Remedy(
        "On the host, have udev give the device to group \(group)\(how)",
        steps: [
          Remedy.Step(
            .administrator,
            commands: UdevRuleRemedies.commands(
              adding: rule, to: "72-devaccess-group.rules")
              + UdevTrigger(facts).commands(node: outsidePath(node.path), device: device))
        ] + (isOwn ? [] : [option]),
        scope: Remedy.joined(
          "every member of group \(group) on the host access to the device", match.scope,
          by: ", and "),
        takesEffect: confinement.recreation,
        until: match.end,
        assumes: isOwn
          ? "udev is running on the host" : "udev and group \(group) exist on the host")
    ]
  }

  /// Returns the fix for a node whose group on the host the engine did not keep.
  ///
  /// Only a rule gives a node a mode with permissions for its group, except for USB devices, and
  /// such a rule also sets a group other than root.
  ///
  /// - Returns: The fix; `nil` if the node may have no other group on the host.
  private func lostGroupRemedy(_ node: Node) -> Remedy? {
    guard confinement.takesRunOptions, node.uid == 0, node.gid == 0, device?.subsystem != "usb",
      node.owningGroupPermissions.isSuperset(of: wanted), node.otherBits.isEmpty,
      assessment.access.mount(of: node.path)?.fstype != "devtmpfs"
    else { return nil }
    return Remedy(
      """
      On the host, update the container engine, which has not kept the group of the node (if it \
      uses CDI, generate the specification again), and start the container with that group
      """,
      options: ["--group-add=$(stat -c %g \(outsidePath(node.path).shellQuoted))"],
      actor: .packager, scope: "access to everything else that this group can use in the container",
      takesEffect: confinement.recreation,
      assumes: "the node has a group other than root on the host")
  }

  /// Returns the fixes on the host that add the missing group permissions to the node.
  ///
  /// The container's user is already a member of the group. On a host without udev, the command
  /// must be run after every boot.
  private func hostModeRemedies(_ node: Node, _ match: RuleMatch) -> [Remedy] {
    let outside = outsidePath(node.path)
    let mode = UInt16(wanted.rawValue) << 3 | node.mode & 0o777
    let digits = String(mode, radix: 8)
    let group = names.group(node.gid)
    let isPod = confinement.container == "kubernetes"
    let lasting = Remedy(
      "On the host, have udev give \(group) the missing permissions on the node",
      commands: UdevRuleRemedies.commands(
        adding: match.text + #", MODE="0\#(digits)""#, to: "72-devaccess-mode.rules")
        + UdevTrigger(facts).commands(node: outside, device: device),
      actor: .administrator,
      scope: Remedy.joined(
        "every member of \(group) on the host access to the device", match.scope, by: ", and "),
      takesEffect: confinement.recreation,
      until: match.end,
      assumes: "udev is running on the host and reads /etc/udev/rules.d")
    let now = Remedy(
      """
      On the host, give \(group) permission to use the node (again after each boot), and restart the \
      \(isPod ? "pod" : "container")
      """,
      commands: ["chmod g+\(wanted.letters) \(outside.shellQuoted)"], actor: .administrator,
      scope: "every member of \(group) on the host access to the device",
      takesEffect: isPod ? "when the pod is recreated" : "when the container is restarted",
      until: .boot,
      assumes: "the device has the path \(outside) on the host")
    return [lasting, now]
  }

  /// Returns whether a system container sees a node in a directory of the host's `/dev`.
  func isInFolderOfHost(_ node: Node) -> Bool {
    confinement.isSystemContainer && assessment.mount?.fstype == "devtmpfs"
      && assessment.mount.map { node.path.isBelow($0.at) } == true
  }

  /// Returns the fixes on the host that give the user who runs the container access to a node.
  ///
  /// They are for engines that cannot keep the user's groups, and for user namespaces without an
  /// engine.
  func hostEntryRemedies(_ node: Node) -> [Remedy] {
    let isBare = confinement.container == nil && subject.userNamespace != nil
    // An engine that creates its own node copies the mode and the owner, but not the ACL.
    let isBound =
      confinement.takesRunOptions
      && assessment.access.mount(of: node.path)?.fstype == "devtmpfs"
    guard isBound || isBare || isInFolderOfHost(node), node.type.isDevice, !facts.hasForeignNumbers,
      subject.fsuid != 0
    else {
      return []
    }
    let outside = outsidePath(node.path)
    let who = "user \(subject.fsuid)" + (isBare ? "" : " (the container's user on the host)")
    let isManaged = device?.node == node.path
    let match =
      isManaged
      ? device.flatMap { RuleMatch.all($0, among: facts.devices).first } : RuleMatch(misc: node)
    let entry = "u:\(subject.fsuid):\(letters)"
    let now = Remedy(
      "On the host, add an ACL entry for \(who) to the node",
      commands: ["setfacl -m \(entry) \(outside.shellQuoted)"], actor: .administrator,
      until: isManaged
        ? .unknownEvent(of: assessment.device)
        : .nodeCreation(path: outside, isInMemory: true),
      assumes: "setfacl is installed on the host")
    if node.rdev?.major == NodeCompanions.nvidiaMajor {
      // sysfs has no device for these nodes, so udev does not process them.
      let parameters = NVIDIAParameters(
        user: subject.fsuid, mode: node.mode & 0o777 | 0o600
      ).words.map { "nvidia.\($0)" }
      return [
        Remedy(
          """
          On the host, add these parameters to the kernel command line, so that NVIDIA's driver creates \
          its nodes for \(who)
          """,
          options: [parameters.joined(separator: " ")], actor: .administrator,
          scope: "access to all nodes of the driver", takesEffect: "at the next boot",
          assumes: "nothing else on the host sets the permissions of these nodes"), now,
      ]
    }
    let pool = isBare ? groupOfService : nil
    // logind removes the entry when the session on the seat ends.
    let canSwitch = isBare && confinement.serviceUnit == nil
    guard let match, !(canSwitch && device?.isTaggedForUserAccess == true) else { return [now] }
    let action = UdevRuleRemedies.entryAction(
      pool.map { "g:\($0)" } ?? "u:\(subject.fsuid)", wanted.intersection([.read, .write]))
    let lasting = Remedy(
      "On the host, have udev add an ACL entry for \(pool.map { "group \($0)" } ?? who) to the node",
      commands: UdevRuleRemedies.commands(
        adding: "\(match.text), \(action)", to: "99-devaccess-entry.rules")
        + UdevTrigger(facts).commands(node: outside, device: device),
      actor: .administrator,
      scope: pool.map { "every program that runs with group \($0) the same access" } ?? match.scope,
      until: match.end, assumes: "udev is running on the host, and setfacl is installed there")
    return [lasting, now]
  }

  /// The group of a pool of users as which a service starts programs, such as the builders of Nix
  /// (`nixbld1` in group `nixbld`).
  private var groupOfService: String? {
    guard confinement.serviceUnit != nil, subject.fsgid != 0,
      names.hasPlainName(group: subject.fsgid), let group = names.groupName(subject.fsgid)
    else { return nil }
    let user = names.userWord(subject.fsuid)
    let number = user.dropFirst(group.count).utf8
    guard user.hasPrefix(group), !number.isEmpty, number.allSatisfy(\.isDecimal) else { return nil }
    return group
  }
}

/// The program that manages an LXC container and passes devices to it.
enum ContainerManager {
  case lxd, incus, proxmox
  /// No manager: the LXC configuration of the container itself.
  case lxc

  /// Determines the manager from the security label, the source of the root mount, or the kernel.
  ///
  /// The result is `nil` if none of them identifies it.
  init?(of facts: AccessFacts) {
    let label = facts.confinement.label ?? ""
    let root = facts.access.mounts.first { $0.at == "/" }
    let source = root?.source ?? ""
    let parts = source.split { "/-".contains($0) }.map(String.init)
    if label.hasPrefix("incus-") || parts.contains("incus") {
      self = .incus
    } else if label.hasPrefix("lxd-") || parts.contains("lxd") {
      self = .lxd
    } else if facts.confinement.kernelRelease?.hasSuffix("-pve") == true
      || parts.contains("subvol") || parts.contains("pve")
    {
      self = .proxmox
    } else if label.hasPrefix("lxc-") {
      self = .lxc
    } else if parts.contains("containers") {
      self = .lxd
    } else {
      return nil
    }
  }

  /// The name for use in sentences.
  var words: String {
    switch self {
    case .lxd: "LXD"
    case .incus: "Incus"
    case .proxmox: "Proxmox VE"
    case .lxc: "LXC"
    }
  }
}

/// The nodes of one driver that programs open together.
///
/// A container or unit needs all of them.
struct DriverNodes {
  let assessment: Assessment

  private static let limit = 16

  /// Returns the driver's other nodes, except those that are known to be accessible.
  ///
  /// - Parameter path: The path of the requested node.
  /// - Returns: At most 16 nodes, sorted by path.
  func others(than path: String) -> [Node] {
    assessment.facts.access.nodes.filter { node in
      node.type == .characterDevice && node.path != path
        && NodeCompanions.areOpenedTogether(path, node.path) && !isGranted(node)
    }.sorted { $0.path < $1.path }.prefix(Self.limit).map(\.self)
  }

  /// Returns whether the driver has more nodes than the facts contain.
  func areUnseen(at path: String) -> Bool {
    NodeCompanions.isNVIDIA(path)
      && !assessment.facts.access.nodes.contains {
        $0.path != path && NodeCompanions.isNVIDIA($0.path)
      }
  }

  private func isGranted(_ node: Node) -> Bool {
    let facts = assessment.facts
    var access = facts.access
    access.request = assessment.access.request.at(node.path)
    let device = facts.devices.first { $0.node == node.path }
    return Assessment(
      facts, access: access, device: device, checks: facts.kernelChecks, detail: .brief
    ).isGranted
  }
}
