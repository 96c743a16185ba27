/// Options that give a container the group of a node, or keep the groups of its user.
extension ContainerOptions {
  /// Returns the fixes that give the program the group of a node, if that group may open the node.
  func joinRemedies(_ node: Node) -> [Remedy] {
    guard let container = confinement.container, node.gid != 0, node.gid != Subject.overflowID,
      node.owningGroupPermissions.isSuperset(of: wanted),
      let inside = subject.userNamespace.map({ $0.groups.inside(node.gid) }) ?? node.gid,
      inside != 0
    else {
      if subject.userNamespace == nil { return hostRuleRemedies(node) }
      return node.owningGroupPermissions.isSuperset(of: wanted) ? keepGroups() : []
    }
    // If the subject is a member of the group, access is refused for another reason.
    if subject.groups.contains(node.gid) || subject.fsgid == node.gid { return [] }
    var remedy = Remedy(
      "", actor: .packager, changes: [.addGroups([node.gid], isPrimary: false)],
      scope: "access to everything else that \(names.group(node.gid)) can use in the container",
      takesEffect: confinement.recreation)
    switch container {
    case _ where confinement.takesRunOptions:
      remedy.title = """
        Start the container with the node's group, given by its number (in a compose file: \
        group_add: ["\(inside)"])
        """
      remedy.steps[0].options = ["--group-add=\(inside)"]
      if names.userWord(subject.fsuid) == "abc" {
        // The images of LinuxServer.io start as root, and set the groups of the user `abc`
        // themselves.
        remedy.title = "Start the container with the node's group as the group of its user"
        remedy.steps[0].options = ["--env=PGID=\(inside)"]
        remedy.assumes = "the image is one of LinuxServer.io, or sets its user by PUID and PGID"
      }
    case "kubernetes":
      remedy.title = "Add group \(inside), which owns the device node, to the pod's spec"
      remedy.steps[0].options = ["securityContext: {supplementalGroups: [\(inside)]}"]
    default: return []
    }
    return [remedy]
  }

  /// The settings of firejail(1) that removed the node's group from the process.
  ///
  /// Unless `nogroups` is also set, `noroot` keeps some device groups in its user namespace.
  var firejailSettings: [String] {
    guard let map = subject.userNamespace else { return ["nogroups"] }
    if let node = access.object(at: path), map.groups.inside(node.gid) != nil {
      return ["nogroups"]
    }
    let kept = ["audio", "video", "render", "input", "tty", "lp", "cdrom"]
    let usual = DeviceGroup.usual(ofSubsystem: device?.subsystem, at: path)
    let isKept = usual.map(kept.contains) ?? false
    let hasOthers = map.groups.ranges.contains { $0.outside != subject.fsgid || $0.length > 1 }
    if hasOthers { return ["noroot"] }
    return isKept ? ["nogroups"] : ["noroot", "nogroups"]
  }

  /// A Boolean value that indicates whether the process still has groups of the user who started
  /// it.
  ///
  /// The user namespace does not map these groups, so inside they show as the overflow ID.
  var keepsHostGroups: Bool {
    guard let map = subject.userNamespace else {
      return subject.groups.contains(Subject.overflowID)
    }
    return subject.groups.contains { $0 == Subject.overflowID || map.groups.inside($0) == nil }
  }

  /// The fix for a container whose user joined a group after the user manager had started.
  ///
  /// The container keeps its user's groups, but the process that starts it does not have the new
  /// group yet.
  var newManager: Remedy {
    let missing = (facts.account.loginGroups ?? []).filter { !subject.groups.contains($0) }
    let changes: [FactsChange] = [.addGroups(missing, isPrimary: false)]
    guard let manager = confinement.userManager else {
      return Remedy(
        "Log out of every session and in again, and start the container from the new login",
        steps: [Remedy.Step(.user, changes: changes)],
        takesEffect: confinement.recreation)
    }
    return Remedy(
      "Restart the user manager, which passes its old groups on to the container",
      commands: ["systemctl restart \(manager.shellOperand)"], actor: .administrator,
      changes: changes,
      takesEffect: """
        at once; the restart ends everything that this manager runs, and containers that it does \
        not start itself must be restarted
        """)
  }

  /// Returns the fix that makes a sandbox or podman container keep the groups of the user who
  /// starts it.
  func keepGroups() -> [Remedy] {
    if confinement.container == "firejail" {
      let settings = firejailSettings
      return [
        Remedy(
          """
          Have firejail ignore \(settings.joined(separator: " and ")), so that the program keeps \
          its groups\(Self.inProfile(settings))
          """, options: settings.map { "--ignore=\($0)" }, actor: .packager,
          takesEffect: "when the program is restarted",
          assumes: """
            the user, or one of the user's groups, has permission to use the node outside the \
            sandbox
            """)
      ]
    }
    // A service that changes its user, or builds in a namespace, is no container.
    guard
      confinement.container == "podman"
        || (confinement.container == nil && confinement.groupService == nil), !keepsHostGroups
    else {
      return []
    }
    if let own = keepUser { return [own] }
    return [
      Remedy(
        """
        Start the container with the groups of the user who starts it (podman needs crun for this; \
        --userns=keep-id is not enough)
        """,
        options: ["--group-add=keep-groups"], actor: .packager,
        takesEffect: confinement.recreation,
        assumes: "the user who starts it is in the group of the node on the host")
    ]
  }

  /// The fix that keeps the user who starts the container, if that user has access to the node;
  /// `nil` if only a group of that user may have it.
  var keepUser: Remedy? {
    guard confinement.container == "podman", let map = subject.userNamespace,
      let inside = map.users.inside(subject.fsuid), let starter = map.users.outside(0),
      starter != 0, starter != subject.fsuid, let node = assessment.decidingStep?.node,
      let mount = access.mount(of: node.path)
    else { return nil }
    let isNamed =
      node.acl?.contains { entry in
        entry.tag == .user && entry.id == starter
          && entry.permissions.intersection(node.aclMask).isSuperset(of: wanted)
      } ?? false
    let isOwner = mount.userSeen(node.uid) == starter && node.ownerBits.isSuperset(of: wanted)
    guard isNamed || isOwner else { return nil }
    let option = inside == starter ? "keep-id" : "keep-id:uid=\(inside)"
    return Remedy(
      """
      Start the container so that its user is the one who starts it, who may use \
      the node\(inside == starter ? "" : " (podman 4.3 or newer)")
      """, options: ["--userns=\(option)"], actor: .packager, takesEffect: confinement.recreation,
      assumes: "the program in the container runs as user \(inside)")
  }
}
