/// Fixes for a refusal by a mode or an ACL.
extension RemedyPlanner {
  func permissionCandidates(
    at node: Node, _ wanted: Permissions, _ rule: Rule, _ facts: AccessFacts
  ) -> [Remedy] {
    guard let mount = facts.access.mount(of: node.path), shownPath(of: node, facts) != nil else {
      return []
    }
    if rule == .modeOwner { return [ownerBits(node, wanted, facts)] }
    var remedies: [Remedy] = []
    if let entry = entry(node, wanted, mount, facts) { remedies.append(entry) }
    remedies += newLogin(node, wanted, mount, facts)
    remedies += joins(node, wanted, mount, facts)
    if isLocked(mount, facts) { return remedies }
    switch rule {
    case .modeGroup where node.acl == nil:
      remedies.append(
        classBits(
          node, "g", UInt16(wanted.rawValue) << 3, facts,
          title: "Give \(names.group(node.gid)) the missing permission bits of \(node.path)"))
    case .aclMask, .modeGroup, .modeOther:
      if let widened = widenedMask(node, wanted, facts) { remedies.append(widened) }
    default: break
    }
    // On a filesystem without ACLs, the only fix for a directory is search permission for all
    // users.
    if remedies.isEmpty, rule == .modeOther, node.type == .directory, wanted == .search {
      remedies.append(
        classBits(
          node, "o", 0o001, facts, title: "Give everybody search permission on \(node.path)"))
    }
    return remedies
  }

  /// Returns whether the mount of an edited node must stay writable, because the request writes to
  /// it.
  private func staysOpen(_ node: Node, _ facts: AccessFacts) -> Bool {
    guard [.regular, .directory].contains(node.type) else { return false }
    let request = facts.access.request
    let writes = request.permissions.contains(.write) || request.creates
    guard writes, let object = facts.access.object(at: request.path) else { return request.creates }
    return facts.access.mount(of: object.path) == facts.access.mount(of: node.path)
  }

  /// Returns whether the mount is read-only and root in the container lacks `CAP_SYS_ADMIN`, which
  /// is required to make it writable.
  private func isLocked(_ mount: Mount, _ facts: AccessFacts) -> Bool {
    isInContainer(facts) && (mount.readOnly || mount.superblockReadOnly)
      && !facts.access.subject.bounding.contains(.administerSystem)
  }

  private func edit(
    _ node: Node, _ facts: AccessFacts, _ command: String, _ change: FactsChange, isOwn: Bool
  ) -> Remedy.Step {
    var edit = NodeEdit(facts, node, staysOpen: staysOpen(node, facts))
    edit.change(node, command, change)
    return Remedy.Step(
      isOwn && !edit.isPrivileged ? .user : .administrator, commands: edit.commands,
      changes: edit.changes)
  }

  private func isOwn(_ node: Node, _ facts: AccessFacts) -> Bool {
    let subject = facts.access.subject
    // The user's shell does not have the capabilities that may give the program access to the node.
    return facts.access.mount(of: node.path)?.userSeen(node.uid) == subject.fsuid
      && subject.userNamespace == nil && subject.fsuid == subject.ruid
      && (subject.effective.isEmpty || subject.fsuid == 0)
  }

  // MARK: - Mode bits

  private func ownerBits(_ node: Node, _ wanted: Permissions, _ facts: AccessFacts) -> Remedy {
    let step = edit(
      node, facts, "chmod u+\(wanted.letters) \(word(for: node, facts))",
      .addMode(path: node.path, bits: UInt16(wanted.rawValue) << 6), isOwn: isOwn(node, facts))
    return Remedy(
      "Give the owner of \(node.path) the missing permission bits", steps: [step],
      until: end(of: node))
  }

  private func classBits(
    _ node: Node, _ letter: String, _ bits: UInt16, _ facts: AccessFacts, title: String
  ) -> Remedy {
    let wanted = Permissions(rawValue: UInt8(letter == "g" ? bits >> 3 : bits))
    return Remedy(
      title,
      steps: [
        edit(
          node, facts, "chmod \(letter)+\(wanted.letters) \(word(for: node, facts))",
          .addMode(path: node.path, bits: bits), isOwn: false)
      ], until: end(of: node))
  }

  private func widenedMask(_ node: Node, _ wanted: Permissions, _ facts: AccessFacts) -> Remedy? {
    guard let list = node.acl, node.hasWellFormedList, list.contains(where: { $0.tag == .mask })
    else { return nil }
    let mask = node.aclMask.union(wanted)
    let entry = ACLEntry(.mask, nil, mask)
    return Remedy(
      "Widen the ACL mask of \(node.path)",
      steps: [
        edit(
          node, facts, "setfacl -m m::\(mask.letters) \(word(for: node, facts))",
          .setEntries(path: node.path, entries: [entry]), isOwn: isOwn(node, facts))
      ], until: end(of: node))
  }

  // MARK: - An ACL entry

  /// Returns a remedy that adds an ACL entry for the subject's user and preserves the access of
  /// others.
  private func entry(
    _ node: Node, _ wanted: Permissions, _ mount: Mount, _ facts: AccessFacts
  ) -> Remedy? {
    let subject = facts.access.subject
    // What a sandbox has mounted over a directory of devices exists only there.
    let isCover =
      facts.confinement.isSandbox && mount.fstype == "tmpfs" && node.path.isBelow("/dev")
      && node.type == .directory
    guard mount.keepsLists, !isDynamic(subject.fsuid, facts), !isCover,
      // Root in a user namespace has another ID on the host.
      subject.userNamespace == nil || subject.fsuid != 0,
      let plan = EntryPlan(node, mount, subject, wanted, facts.account)
    else { return nil }
    // A device node outside the host's devtmpfs is accessible only in the container.
    let isOwnNode = node.type.isDevice && mount.fstype != "devtmpfs" && isInContainer(facts)
    let isLocked = isLocked(mount, facts)
    // A locked mount rules this out, except for a node in the host's devtmpfs, which is writable on
    // the host under the same path.
    if isLocked, !(node.type.isDevice && mount.fstype == "devtmpfs") { return nil }
    let inNamespace = subject.userNamespace != nil && !isOwnNode || isLocked
    if isOwnNode, let map = subject.userNamespace, map.users.inside(node.uid) == nil { return nil }
    let words = plan.entries.map { entry -> String in
      let letters = entry.permissions.isEmpty ? "---" : entry.permissions.letters
      switch (entry.tag, entry.id) {
      case (.user, let id?):
        let seen = mount.userSeen(id) ?? id
        let inside = isOwnNode ? subject.userNamespace?.users.inside(seen) ?? seen : seen
        let isNamed = !inNamespace && names.hasPlainName(user: seen)
        return "u:\(isNamed ? names.userWord(seen) : String(inside)):\(letters)"
      case (.group, let id?):
        let seen = mount.groupSeen(id) ?? id
        let inside = isOwnNode ? subject.userNamespace?.groups.inside(seen) ?? seen : seen
        let isNamed = !inNamespace && names.hasPlainName(group: seen)
        return "g:\(isNamed ? names.groupWord(seen) : String(inside)):\(letters)"
      case (let tag, nil): return "\(tag.rawValue)::\(letters)"
      default: return ""
      }
    }
    let isMounted = isMountedFromHost(node, mount, facts)
    func place(of node: Node) -> String { isMounted ? "PATH" : word(for: node, facts) }
    let option = plan.replaces ? "--set" : "-m"
    let command = "setfacl \(option) \(words.joined(separator: ",")) "
    let change: FactsChange =
      plan.replaces
      ? .replaceList(path: node.path, entries: plan.entries)
      : .setEntries(path: node.path, entries: plan.entries)
    let step =
      isLocked
      ? Remedy.Step(
        .administrator, commands: [command + (device?.systemNode ?? node.path).shellQuoted],
        // The facts contain the container's read-only mount. The host writes through its own mount.
        changes: [
          .remount(place: mount.at, option: mount.writableOption), change,
          .remount(
            place: mount.at,
            option: mount.writableOption == .readWrite ? .readOnly : .filesystemReadOnly),
        ])
      : edit(node, facts, command + place(of: node), change, isOwn: isOwn(node, facts))
    let inside =
      facts.confinement.container.map { ", as root inside the \($0) container" } ?? ""
    let place =
      isMounted
      ? ", on the host; replace PATH with the path of \(node.path) there"
      : inNamespace ? ", on the host" : isInContainer(facts) ? inside : ""
    let scope: String? =
      if isLocked {
        // The host's node gets the entry, so a user with the same ID on the host gets access as
        // well.
        "user \(subject.fsuid) of the host the same access"
      } else if node.type == .directory, step.changes != [],
        wanted == .search || !wanted.contains(.search) && plan.permissions.contains(.search)
      {
        "access to the other files and directories in \(node.path), as far as their permissions allow"
      } else {
        nil
      }
    return Remedy(
      entryTitle(node, plan, mount, subject) + place, steps: [step], scope: scope,
      until: end(of: node),
      assumes: !inNamespace && isInContainer(facts)
        ? "setfacl is installed in the container" : nil,
      caution: isMounted && subject.userNamespace?.groups.inside(node.gid) == nil
        ? "\(names.user(subject.fsuid)) has no other access there through \(names.group(node.gid)): the new entry takes precedence over it"
        : nil)
  }

  /// Returns `true` for a file in a volume of a container that has a user namespace.
  ///
  /// Root in the container cannot change such a file, and the file has another path on the host.
  private func isMountedFromHost(_ node: Node, _ mount: Mount, _ facts: AccessFacts) -> Bool {
    facts.access.subject.userNamespace != nil && !node.type.isDevice
      && facts.confinement.takesRunOptions && mount.at != "/"
  }

  /// Returns the title of a fix that adds an ACL entry, changes it, or widens the mask that limits
  /// it.
  private func entryTitle(
    _ node: Node, _ plan: EntryPlan, _ mount: Mount, _ subject: Subject
  ) -> String {
    let user = names.user(subject.fsuid)
    let old = node.acl?.first { entry in
      entry.tag == .user && entry.id.flatMap(mount.userSeen) == subject.fsuid
    }
    switch old?.permissions {
    case plan.permissions?:
      return "Widen the ACL mask of \(node.path) for \(user) (\(plan.permissions))"
    case nil: return "Add an ACL entry for \(user) to \(node.path) (\(plan.permissions))"
    default: return "Change the ACL entry for \(user) on \(node.path) (\(plan.permissions))"
    }
  }

  /// Returns the path of a node in the place where the commands are run.
  ///
  /// Outside a sandbox, the same name can belong to another device.
  ///
  /// - Returns: The path; `nil` if the node does not exist there.
  private func shownPath(of node: Node, _ facts: AccessFacts) -> String? {
    guard let device, device.node == node.path, let outside = device.systemNode else {
      return node.path
    }
    let isOfSystem = facts.access.mount(of: node.path)?.fstype == "devtmpfs"
    if isInContainer(facts), !(isOfSystem && facts.access.subject.userNamespace != nil) {
      return node.path
    }
    return isOfSystem ? outside : nil
  }

  private func word(for node: Node, _ facts: AccessFacts) -> String {
    (shownPath(of: node, facts) ?? node.path).shellQuoted
  }

  /// Returns whether commands for the node are run in a container.
  ///
  /// Sandboxes do not count as containers, because commands for them are run on the host.
  private func isInContainer(_ facts: AccessFacts) -> Bool {
    guard let container = facts.confinement.container else { return false }
    return !["flatpak", "snap", "firejail", "bubblewrap"].contains(container)
  }

  /// Returns whether systemd allocated the user dynamically for a service.
  ///
  /// Dynamic users have IDs from 61184 to 65519 (systemd.exec(5), `DynamicUser=`).
  private func isDynamic(_ user: UInt32, _ facts: AccessFacts) -> Bool {
    facts.confinement.serviceUnit != nil && (61184...65519).contains(user)
  }

  /// Returns the event that ends a manual change to a node.
  ///
  /// If udev manages the node, the result is provisional, and `NodeEvent` later determines the
  /// effect of device events.
  private func end(of node: Node) -> Remedy.End {
    let mount = assessment.access.mount(of: node.path)
    let isInMemory = ["devtmpfs", "tmpfs"].contains(mount?.fstype)
    guard node.type.isDevice, node.path.hasPrefix("/dev/") else {
      // A filesystem in memory is recreated at the next boot or container start.
      let isInContainer = isInContainer(assessment.facts)
      if isInMemory {
        return isInContainer
          ? .containerStart : .nodeCreation(path: node.path, isInMemory: true)
      }
      // A program creates its socket again each time it starts.
      if node.type == .socket { return .nodeCreation(path: node.path, isInMemory: isInMemory) }
      let isOfImage = isInContainer && mount?.fstype == "overlay"
      return isOfImage && !assessment.facts.confinement.isSystemContainer
        ? .containerCreation : .never
    }
    // The engine creates a node outside the host's devtmpfs each time the container starts.
    if isInContainer(assessment.facts), mount?.fstype != "devtmpfs" { return .containerStart }
    if isUnknownToUdev(node) { return .nodeCreation(path: node.path, isInMemory: isInMemory) }
    // Without udev, only the kernel or the program that created `/dev` changes the node.
    let hardware = assessment.facts.hardware
    let isUnmanaged =
      hardware?.hasUdevControl == false && assessment.facts.confinement.container == nil
    if hardware?.hasUdevDaemon == false || isUnmanaged {
      return .nodeCreation(path: node.path, isInMemory: isInMemory)
    }
    return .unknownEvent(of: assessment.device)
  }

  /// Returns whether sysfs has no device with the number of the node.
  ///
  /// udev receives no events for such a node. Examples are the nodes of the NVIDIA driver.
  private func isUnknownToUdev(_ node: Node) -> Bool {
    guard let number = node.rdev,
      !assessment.facts.devices.contains(where: { $0.node == node.path })
    else { return false }
    return assessment.facts.hardware?.numbers.contains {
      $0.number == number && $0.isBlock == (node.type == .blockDevice) && $0.subsystem == nil
    } ?? false
  }

  // MARK: - Groups

  /// Returns the groups whose members have the wanted permissions, as seen through the mount.
  private func sufficientGroups(_ node: Node, _ wanted: Permissions, _ mount: Mount) -> [UInt32] {
    var groups: [UInt32] = []
    if node.skipsList || node.acl == nil {
      if node.owningGroupPermissions.isSuperset(of: wanted) { groups = [node.gid] }
    } else {
      groups = (node.acl ?? []).compactMap { entry in
        guard entry.tag == .group,
          entry.permissions.intersection(node.aclMask).isSuperset(of: wanted)
        else { return nil }
        return entry.id ?? node.gid
      }
    }
    var seen: Set<UInt32> = []
    return groups.compactMap(mount.groupSeen).filter { seen.insert($0).inserted }
  }

  /// Returns remedies that restart the process with the groups that the database already lists.
  private func newLogin(
    _ node: Node, _ wanted: Permissions, _ mount: Mount, _ facts: AccessFacts
  ) -> [Remedy] {
    let subject = facts.access.subject
    guard let groups = facts.account.loginGroups, subject.userNamespace == nil,
      facts.confinement.container == nil || facts.confinement.isSystemContainer,
      subject.fsuid == subject.ruid,
      groups.contains(where: { $0 != subject.fsgid && !subject.groups.contains($0) })
    else { return [] }
    if assessment.lacksEveryGroup {
      let kept = sufficientGroups(node, wanted, mount).filter(groups.contains)
      return keptGroups(kept, facts) + [launcherRemedy(facts)]
    }
    guard let unit = facts.confinement.groupService else {
      guard facts.confinement.cgroup?.contains("/user@\(subject.ruid).service/") == true else {
        return [Self.newLoginRemedy]
      }
      return [Self.newManagerRemedy(names.userWord(subject.ruid))]
    }
    var step = Remedy.Step(
      .administrator, commands: ["systemctl restart \(unit.shellOperand)"], changes: [.logIn])
    step.service = unit
    return [
      Remedy(
        """
        Restart \(unit), so that it gets the current groups of \(names.user(subject.ruid))
        """, steps: [step], takesEffect: "when \(unit) is restarted")
    ]
  }

  /// Returns remedies that start a service with groups that are kept when its program changes its
  /// user.
  private func keptGroups(_ groups: [UInt32], _ facts: AccessFacts) -> [Remedy] {
    guard let unit = facts.confinement.groupService else { return [] }
    return groups.filter { $0 != 0 && names.hasPlainName(group: $0) }.map { gid in
      Remedy(
        "Start \(unit) with \(names.group(gid))",
        steps: [
          .dropIns(
            [
              UnitDropIn(
                unit: unit, lines: ["SupplementaryGroups=\(names.groupWord(gid))"],
                name: "devaccess-groups")
            ], restarting: unit, changes: [.addGroups([gid], isPrimary: false)])
        ], scope: scope(ofGroup: gid), takesEffect: "when \(unit) is restarted",
        assumes: """
          the program keeps its groups when it changes its user (setuid(2) keeps them, \
          initgroups(3) does not)
          """)
    }
  }

  /// Returns the remedy for a program that drops the groups.
  ///
  /// A restart or login does not help in this case.
  private func launcherRemedy(_ facts: AccessFacts) -> Remedy {
    let who =
      facts.confinement.groupService.map { "the program in \($0), or its wrapper," }
      ?? "the program that starts it"
    return Remedy(
      """
      Make \(who) set the groups of \
      \(names.user(facts.access.subject.ruid)), with initgroups(3) or setpriv --init-groups
      """, actor: .packager, changes: [.logIn], takesEffect: "when the program is restarted",
      assumes: facts.confinement.groupService == nil
        ? nil : "the program or its configuration allows that")
  }

  /// Returns the remedy for a process of the user manager, which outlives a short logout.
  private static func newManagerRemedy(_ user: String) -> Remedy {
    var remedy = newLoginRemedy
    remedy.title = """
      End the user manager ('loginctl terminate-user \(user)' or a reboot), then log in again
      """
    remedy.takesEffect = "at the next login"
    return remedy
  }

  static let newLoginRemedy = Remedy(
    "Log out of all sessions, then log in again", actor: .user, changes: [.logIn],
    takesEffect: """
      at the next login; a user manager, tmux server or screen server that is still running keeps \
      the old groups (a reboot ends all of them)
      """)

  func joins(
    _ node: Node, _ wanted: Permissions, _ mount: Mount, _ facts: AccessFacts
  ) -> [Remedy] {
    let subject = facts.access.subject
    let isInSystem = facts.confinement.isSystemContainer
    // CUPS starts its backends with one group only (setgroups in cups-exec).
    let unit = facts.confinement.groupService
    if ["cups.service", "org.cups.cupsd.service"].contains(unit), subject.fsuid != 0 { return [] }
    guard subject.userNamespace == nil || isInSystem, subject.fsuid == subject.ruid,
      facts.confinement.container == nil || isInSystem
    else { return [] }
    return sufficientGroups(node, wanted, mount).flatMap { gid -> [Remedy] in
      // Settings and the IDs in them are interpreted where the subject runs.
      guard let inside = subject.userNamespace.map({ $0.groups.inside(gid) }) ?? gid,
        gid != 0, inside != 0, gid != Subject.overflowID, gid != subject.fsgid,
        !subject.groups.contains(gid),
        facts.account.loginGroups?.contains(gid) != true,
        !ContainerOptions(assessment: assessment, names: names).isAccidental(gid, node)
      else { return [] }
      let group = names.group(gid)
      let unit = facts.confinement.groupService
      var start: Remedy?
      if let unit {
        let word = names.groupName(gid) == nil ? String(inside) : names.groupWord(gid)
        let lines = ["SupplementaryGroups=\(word)"]
        start = Remedy(
          "Start \(unit) with \(group)",
          steps: [
            .dropIns(
              [UnitDropIn(unit: unit, lines: lines, name: "devaccess-groups")], restarting: unit,
              changes: [.addGroups([gid], isPrimary: false)])
          ], scope: scope(ofGroup: gid), takesEffect: "when \(unit) is restarted")
        // The unit sets the user if its settings are known, and usually also for root and regular
        // users.
        let isPerson = subject.ruid >= 1000 && subject.ruid != Subject.overflowID
        if facts.origin?.kind == .unit || subject.ruid == 0 || isPerson {
          return [start].compactMap(\.self)
        }
        start?.assumes = """
          User= in \(unit) sets the user (a program that switches users on its own also sets its \
          own groups)
          """
      }
      let isKnown = facts.account.loginGroups != nil && subject.userNamespace == nil
      guard isKnown || isInSystem, names.hasPlainName(user: subject.ruid),
        names.groupName(gid) != nil
      else { return [start].compactMap(\.self) }
      let join = Remedy(
        "Add \(names.user(subject.ruid)) to \(group)"
          + (isInSystem ? ", inside the container" : "")
          + (unit.map { ", and restart \($0)" } ?? ""),
        commands: facts.joinCommands(
          names.userWord(subject.ruid), subject.ruid, to: names.groupWord(gid))
          + (unit.map { ["systemctl restart \($0.shellOperand)"] } ?? []), actor: .administrator,
        changes: isKnown
          ? [.joinGroup(gid), .logIn] : [.addGroups([gid], isPrimary: false)],
        scope: scope(ofGroup: gid),
        takesEffect: unit.map { "when \($0) is restarted" } ?? loginEffect(facts))
      return [start, join].compactMap(\.self)
    }
  }

  /// Returns a clause that describes when a process gets the groups of its user.
  ///
  /// A login does not restart a user manager that runs without a session.
  private func loginEffect(_ facts: AccessFacts) -> String {
    let user = facts.access.subject.ruid
    let isOfSystem = (1..<1000).contains(user) || user == Subject.overflowID
    if facts.confinement.groupService == nil, isOfSystem {
      // A system account does not log in.
      return "when the programs that run as \(names.user(user)) are restarted"
    }
    guard facts.session.map({ $0.id == nil }) ?? false, let manager = facts.confinement.userManager
    else { return "at the next login, once all old sessions (and tmux) end" }
    return
      "after \"systemctl restart \(manager)\", which ends everything that the user manager runs"
  }

  private func scope(ofGroup gid: UInt32) -> String {
    let reach = DeviceGroup.reach(of: names.groupName(gid)).map { ", such as \($0)" } ?? ""
    return "access to everything else that \(names.group(gid)) can use\(reach)"
  }
}

extension Mount {
  /// A Boolean value that indicates whether the filesystem supports ACLs.
  fileprivate var keepsLists: Bool {
    ![
      "vfat", "exfat", "msdos", "ntfs", "ntfs3", "fuseblk", "iso9660", "udf", "squashfs", "nfs4",
      "proc", "sysfs", "9p",
    ].contains(fstype)
  }
}
