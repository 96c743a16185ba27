/// Remedies for modes, owners, groups and lists.
extension RemedyWriter {
  /// One entry for this user on this object: the least that helps.
  func entry(_ path: String, _ node: Node?, permissions: Permissions? = nil) -> Remedy? {
    // A dynamic user has another number after the next start.
    guard mountTakesLists(at: path), !Subject.dynamicIDs.contains(subject.fsuid) else { return nil }
    let isInNamespace = subject.userNamespace != nil
    let isDevice = node?.type.isDevice ?? path.hasPrefix("/dev/")
    let user = isInNamespace ? String(subject.fsuid) : names.userWord(subject.fsuid)
    let letters = (permissions ?? wanted).letters
    let lasts: String
    if !isDevice {
      lasts = ""
    } else if device?.isTaggedForUserAccess == true {
      lasts = ", until the node is recreated or the session of its seat changes"
    } else {
      lasts = ", until the node is recreated (replugged, or at the next boot)"
    }
    let isOwn = node.map { $0.uid == subject.fsuid } ?? false
    var excess: String?
    if let acl = node?.acl, acl.contains(where: { $0.tag == .mask }) {
      excess = "the mask is set anew, so entries that it cut may take effect again"
    }
    return Remedy(
      "Give \(names.user(subject.fsuid)) an entry\(isInNamespace ? " on the host" : "")\(lasts)",
      commands: ["setfacl -m u:\(user):\(letters) \(path.shellQuoted)"],
      actor: isOwn ? .user : .administrator, excess: excess)
  }

  /// Whether the file system keeps access lists.
  private func mountTakesLists(at path: String) -> Bool {
    let type = judgement.mount?.fstype ?? ""
    return !["vfat", "exfat", "ntfs", "ntfs3", "fuseblk", "iso9660"].contains(type)
  }

  /// Membership in the group of the node; `nil` where it would not be what is missing.
  func join(_ gid: UInt32) -> Remedy? {
    guard gid != 0, subject.userNamespace == nil, gid != subject.fsgid,
      !subject.groups.contains(gid), facts.account.loginGroups?.contains(gid) != true
    else { return nil }
    let group = names.group(gid)
    if let unit = confinement.serviceUnit {
      return dropIn(
        unit, ["SupplementaryGroups=\(names.groupWord(gid))"],
        title: "Start \(unit) with \(group)",
        excess: "everything else that \(group) may use, such as every device of its kind")
    }
    guard names.hasPlainName(user: subject.ruid) else { return nil }
    return Remedy(
      "Add \(names.user(subject.ruid)) to \(group)",
      commands: ["usermod -aG \(names.groupWord(gid)) \(names.userWord(subject.ruid))"],
      actor: .administrator,
      excess: "everything else that \(group) may use, such as every device of its kind",
      takesEffect: """
        after a new login; tmux, the user manager and services keep their groups until they are \
        restarted
        """)
  }

  func memberRemedies(_ node: Node?, _ path: String) -> [Remedy] {
    if confinement.container != nil { return containerRemedies(node, path) }
    return [entry(path, node), node.flatMap { join($0.gid) }].compactMap(\.self)
  }

  func groupBitRemedies(_ node: Node?, _ path: String) -> [Remedy] {
    let group = node.map { names.group($0.gid) } ?? "the group"
    let bits = Remedy(
      "Give the group the missing bits",
      commands: ["chmod g+\(wanted.letters) \(path.shellQuoted)"],
      actor: node?.uid == subject.fsuid ? .user : .administrator,
      excess: "every member of \(group) gets them")
    return [entry(path, node), bits].compactMap(\.self)
  }

  func entryRemedies(_ node: Node?, _ path: String) -> [Remedy] {
    var remedies = [entry(path, node)].compactMap(\.self)
    if device?.isTaggedForUserAccess == true, let again = triggerAgain(path) {
      remedies.insert(again, at: 0)
    }
    return remedies
  }

  /// Lets udev and logind set the list anew.
  private func triggerAgain(_ path: String) -> Remedy? {
    guard let device, let seat = facts.session?.activeUsers[device.seat], seat == subject.fsuid
    else { return nil }
    return Remedy(
      "Let udev and logind set the list of the node anew",
      commands: ["udevadm trigger --name-match=\(path.shellQuoted)"], actor: .administrator)
  }

  func ownerRemedies(_ node: Node?, _ path: String) -> [Remedy] {
    if let node, node.uid == subject.fsuid {
      return [
        Remedy(
          "Give the owner the missing bits",
          commands: ["chmod u+\(wanted.letters) \(path.shellQuoted)"], actor: .user)
      ]
    }
    return [entry(path, node), device?.isInitialized == true ? tagRule() : nil].compactMap(\.self)
  }

  func maskRemedies(_ node: Node?, _ path: String) -> [Remedy] {
    let mask = (node?.aclMask ?? []).union(wanted)
    let freed =
      node?.acl?.filter { entry in
        guard entry.tag == .group || (entry.tag == .user && entry.id != nil),
          entry.id != subject.fsuid || entry.tag == .group
        else { return false }
        return !entry.permissions.intersection(mask).subtracting(node?.aclMask ?? []).isEmpty
      }.map { entry -> String in
        let id = entry.id ?? node?.gid ?? 0
        let who = entry.tag == .group ? names.group(id) : names.user(id)
        return "\(who) gets \(entry.permissions.intersection(mask).description)"
      } ?? []
    let widen = Remedy(
      "Widen the mask of the list",
      commands: ["setfacl -m m::\(mask.letters) \(path.shellQuoted)"],
      actor: node?.uid == subject.fsuid ? .user : .administrator,
      excess: freed.isEmpty ? nil : freed.joined(separator: ", "))
    return [widen]
  }

  func staleRemedies(_ node: Node?) -> [Remedy] {
    guard let node, let device else { return [] }
    let active = facts.session?.activeUsers[device.seat]
    let stale = node.acl?.compactMap { entry -> UInt32? in
      guard entry.tag == .user, let id = entry.id,
        !device.isTaggedForUserAccess || id != active
      else { return nil }
      return id
    }
    return (stale ?? []).prefix(1).map { id in
      Remedy(
        "Take the left-over entry of \(names.user(id)) away",
        commands: ["setfacl -x u:\(names.userWord(id)) \(node.path.shellQuoted)"],
        actor: .administrator)
    }
  }

  func directoryRemedies(_ node: Node?, _ path: String) -> [Remedy] {
    let isOnTheWay = judgement.decidingStep?.action == .search
    let permissions: Permissions = isOnTheWay ? .search : wanted
    if let node, node.uid == subject.fsuid {
      return [
        Remedy(
          "Give the owner the missing bits",
          commands: ["chmod u+\(permissions.letters) \(path.shellQuoted)"], actor: .user)
      ]
    }
    var remedies = [entry(path, node, permissions: permissions)].compactMap(\.self)
    if isOnTheWay {
      remedies.append(
        Remedy(
          "Let everybody pass through the directory",
          commands: ["chmod o+x \(path.shellQuoted)"], actor: .administrator,
          excess: "every user may reach names in it that they know"))
    }
    return remedies
  }

  // MARK: - Groups that the process lacks

  func loginRemedies(_ cause: Cause, _ node: Node?) -> [Remedy] {
    let gid = node?.gid ?? 0
    if let unit = confinement.serviceUnit {
      return [
        Remedy(
          "Restart the service, so that it starts with the groups of the database",
          commands: ["systemctl restart \(unit.shellQuoted)"], actor: .administrator,
          takesEffect: "with the restart of \(unit)")
      ]
    }
    if subject.userNamespace != nil || confinement.container != nil { return [keepGroups()] }
    var remedies: [Remedy] = []
    let listed = facts.account.loginGroups ?? []
    // newgrp(1) is set-user-ID root: it can do nothing where that does not count.
    if listed.contains(gid), gid != 0, names.hasPlainName(group: gid), judgement.canBecomeRoot {
      remedies.append(
        Remedy(
          "Start a shell that has the group, and the program from it",
          commands: ["newgrp \(names.groupWord(gid))"], actor: .user,
          takesEffect: "in that shell alone"))
    }
    remedies.append(
      Remedy(
        "Log out of every session and in again", commands: [], actor: .user,
        takesEffect: """
          after the new login; a tmux or screen server keeps the old groups until it is ended \
          (tmux kill-server)
          """))
    remedies.append(
      Remedy(
        "Restart the user manager, whose services keep the old groups",
        commands: ["systemctl restart user@\(subject.ruid).service"], actor: .administrator,
        takesEffect: "at once; it ends every user service and graphical program of the user"))
    return remedies
  }
}
