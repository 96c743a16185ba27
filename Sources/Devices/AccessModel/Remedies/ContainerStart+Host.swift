/// Fixes on the host of a container, for nodes that the container gets from the host.
extension ContainerStart {
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
    let isPod = confinement.container == "kubernetes"
    let usual = DeviceGroup.usual(ofSubsystem: device.subsystem, at: path)
    // udev of systemd 258 accepts only numbers of system groups.
    if usual == nil, (1..<1000).contains(subject.fsgid) {
      let number = subject.fsgid
      return [
        Remedy(
          "On the host, let udev give the device to the group with the container's number, \(number)",
          commands: UdevRules.commands(
            adding: match.text + #", GROUP="\#(number)", MODE="0660""#,
            to: "72-devaccess-group.rules")
            + UdevTrigger(facts).commands(node: outsidePath(node.path), device: device),
          actor: .administrator,
          scope: Remedy.joined(
            "every member of group \(number) on the host access to the device", match.scope,
            by: ", and "),
          takesEffect: isPod ? "in a new pod" : "in a new container", until: match.end,
          assumes: "udev runs on the host")
      ]
    }
    let group = usual ?? deviceGroup
    let rule = match.text + #", GROUP="\#(group)", MODE="0660""#
    let number = "$(getent group \(group) | cut -d: -f3)"
    return [
      Remedy(
        """
        On the host, let udev give the device to group \(group), and start the container with the number \
        of that group\(isPod ? " in place of NUMBER" : "")
        """,
        steps: [
          Remedy.Step(
            .administrator,
            commands: UdevRules.commands(
              adding: rule, to: "72-devaccess-group.rules")
              + UdevTrigger(facts).commands(node: outsidePath(node.path), device: device)),
          Remedy.Step(
            .packager,
            options: [
              isPod
                ? "securityContext: {supplementalGroups: [NUMBER]}" : "--group-add=\(number)"
            ]),
        ],
        scope: Remedy.joined(
          "every member of group \(group) on the host access to the device", match.scope,
          by: ", and "),
        takesEffect: isPod ? "in a new pod" : "in a new container", until: match.end,
        assumes: "udev and group \(group) exist on the host")
    ]
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
      "On the host, let udev give \(group) the missing permissions on the node",
      commands: UdevRules.commands(
        adding: match.text + #", MODE="0\#(digits)""#, to: "72-devaccess-mode.rules")
        + UdevTrigger(facts).commands(node: outside, device: device),
      actor: .administrator,
      scope: Remedy.joined(
        "every member of \(group) on the host access to the device", match.scope, by: ", and "),
      takesEffect: isPod ? "in a new pod" : "in a new container", until: match.end,
      assumes: "udev runs on the host and reads /etc/udev/rules.d")
    let now = Remedy(
      """
      On the host, give \(group) permission to use the node (again after each boot), and restart the \
      \(isPod ? "pod" : "container")
      """,
      commands: ["chmod g+\(wanted.letters) \(outside.shellQuoted)"], actor: .administrator,
      scope: "every member of \(group) on the host access to the device",
      takesEffect: isPod ? "in a new pod" : "when the container is restarted", until: .boot,
      assumes: "the device has the path \(outside) on the host")
    return [lasting, now]
  }

  /// Returns the fixes on the host that give the user who runs the container access to a node.
  ///
  /// They are for engines that cannot keep the user's groups, and for user namespaces without an
  /// engine.
  func hostEntryRemedies(_ node: Node) -> [Remedy] {
    let isBare = confinement.container == nil && subject.userNamespace != nil
    guard confinement.takesRunOptions || isBare, node.type.isDevice, !facts.hasForeignNumbers,
      subject.fsuid != 0
    else {
      return []
    }
    let outside = outsidePath(node.path)
    let who =
      "user \(subject.fsuid)" + (isBare ? "" : " (the container's user on the host)")
    let match =
      device?.node == node.path
      ? device.flatMap { RuleMatch.all($0, among: facts.devices).first } : RuleMatch(misc: node)
    let isManaged = device?.node == node.path
    let entry = "u:\(subject.fsuid):\(letters)"
    let now = Remedy(
      "On the host, add an ACL entry for \(who) to the node",
      commands: ["setfacl -m \(entry) \(outside.shellQuoted)"], actor: .administrator,
      until: isManaged
        ? .deviceEvent(.unknown) : .nodeCreation(path: outside, isInMemory: true),
      assumes: "setfacl is installed on the host")
    if node.rdev?.major == 195 {
      // sysfs has no device for these nodes, so udev does not process them.
      let mode = "0\(String(node.mode & 0o777 | 0o600, radix: 8))"
      let parameters = [
        "nvidia.NVreg_DeviceFileUID=\(subject.fsuid)", "nvidia.NVreg_DeviceFileMode=\(mode)",
      ]
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
    guard let match else { return [now] }
    let action = UdevRules.entryAction(String(subject.fsuid), wanted.intersection([.read, .write]))
    let lasting = Remedy(
      "On the host, have udev add an ACL entry for \(who) to the node",
      commands: UdevRules.commands(
        adding: "\(match.text), \(action)", to: "99-devaccess-entry.rules")
        + UdevTrigger(facts).commands(node: outside, device: device),
      actor: .administrator, scope: match.scope, until: match.end,
      assumes: "udev runs on the host, and setfacl is installed there")
    return [lasting, now]
  }
}
