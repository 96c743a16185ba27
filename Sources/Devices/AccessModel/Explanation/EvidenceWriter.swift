/// Lists the observed facts, one clause each, in order of importance.
struct EvidenceWriter: Sendable {
  let assessment: Assessment
  let names: Names

  init(_ assessment: Assessment) {
    self.assessment = assessment
    names = assessment.names
  }

  private var facts: AccessFacts { assessment.facts }
  private var subject: Subject { assessment.subject }

  /// Returns descriptions of the subsystem's nodes, for use if none of them is of the requested
  /// kind.
  static func evidence(ofOthers devices: [DeviceFacts]) -> [String] {
    devices.prefix(12).map { device in
      let sureness = device.roleConfidence.rawValue
      let name = device.node ?? device.kernelName
      return device.role == .other
        ? "the role of \(name) is unknown" : "\(name) is \(device.role.noun) (\(sureness))"
    } + (devices.count > 12 ? ["and \(devices.count - 12) more nodes"] : [])
  }

  /// Returns the evidence for one assessment, with a count of the other candidates.
  func evidence(among assessments: [Assessment]) -> [String] {
    var lines: [String] = []
    lines += decisionLines()
    lines += kernelLines()
    lines += assessment.decidingStep?.node.map { [line(of: $0)] } ?? []
    lines += subjectLines()
    lines += changeLines()
    lines += deviceLines()
    lines += ruleLines()
    lines += useLines()
    lines += sessionLines()
    lines += layerLines()
    if assessments.count > 1 {
      let granted = assessments.count { $0.isGranted }
      lines.append("\(granted) of \(assessments.count) candidates are granted")
    }
    return lines
  }

  /// The noun for the subject.
  private var noun: String {
    switch facts.origin?.kind {
    case .user: "user"
    case .unit: "service"
    case .process, .ownProcess, nil: "process"
    }
  }

  /// Returns the lines of udev's rules that decide about the node.
  private func ruleLines() -> [String] {
    assessment.decidingStep?.node.flatMap { SeatRules(facts, of: assessment.device, $0) }?.origins
      ?? []
  }

  private func decisionLines() -> [String] {
    guard let rule = assessment.decision.rule else { return [] }
    let at = assessment.decision.at ?? assessment.access.request.path
    var lines = ["rule \(rule.rawValue) decided at \(at)"]
    let more = assessment.decision.grounds.filter { $0 != rule }
    if assessment.isGranted, !more.isEmpty {
      lines.append(
        "access is also granted by \(more.count == 1 ? "the rule" : "each of the rules") "
          + more.map(\.rawValue).joined(separator: ", "))
    }
    let part = assessment.grantedPart
    if !assessment.isGranted, !part.isEmpty {
      let isDirectory = assessment.object?.type == .directory
      lines.append("the permissions give \(part.words(isDirectory: isDirectory)) access only")
    }
    return lines
  }

  private func kernelLines() -> [String] {
    assessment.checks.filter { $0.path.isSame(as: assessment.access.request.path) }.map { check in
      let answer = check.errno == 0 ? "granted" : check.errno.name
      return "the kernel's own check of \(check.permissions.description): \(answer)"
    }
  }

  private func line(of node: Node) -> String {
    var text =
      """
      \(node.path) has mode \(node.octalMode), owner \(names.user(node.uid)), \
      \(names.group(node.gid))
      """
    if let acl = node.acl {
      let entries = acl.map { entry in
        let id =
          entry.id.map { entry.tag == .user ? names.user($0) : names.groupWithNumber($0) } ?? ""
        let tag = ["u": "user", "g": "group", "m": "mask", "o": "other"][entry.tag.rawValue] ?? "?"
        return "\(tag):\(id):\(entry.permissions.description)"
      }
      text += ", ACL " + entries.joined(separator: " ")
    }
    return text
  }

  private func subjectLines() -> [String] {
    if subject.unobserved.contains(.dynamicIDs) {
      let groups = subject.groups.map { names.group($0) }
      let others = groups.isEmpty ? "no other group" : groups.joined(separator: ", ")
      return ["the \(noun) is a dynamic user in its own group and \(others)"]
    }
    if subject.unobserved.contains(.ids) {
      return ["the user of the \(noun) could not be observed"]
    }
    let groups = Set(subject.groups).union([subject.fsgid]).sorted().map(names.groupWithNumber)
    var lines = [
      "the \(noun) \(noun == "user" ? "is" : "runs as") \(names.user(subject.fsuid)), with "
        + (groups.count == 1 ? "group " : "groups ") + groups.joined(separator: ", ")
    ]
    if let login = facts.account.loginGroups {
      let held = Set(subject.groups).union([subject.fsgid])
      let missing = login.filter { !held.contains($0) }
      if !missing.isEmpty {
        lines.append(
          "according to the group database, the user is also in "
            + (missing.count == 1 ? "group " : "groups ")
            + missing.map(names.groupWithNumber).listed())
      }
    }
    let interesting: CapabilitySet = [.overrideFileAccess, .readAndSearch]
    let effective = subject.effective.intersection(interesting)
    let raisable = subject.permitted.intersection(interesting).subtracting(effective)
    if !effective.isEmpty { lines.append("effective: \(effective.list)") }
    if !raisable.isEmpty { lines.append("permitted but not effective: \(raisable.list)") }
    let ways: CapabilitySet = [.changeOwner, .actAsFileOwner, .setGroups, .setUsers]
    let indirect = subject.permitted.intersection(ways)
    if !assessment.isGranted, !indirect.isEmpty {
      lines.append("the \(noun) could also change owners, modes or groups: \(indirect.list)")
    }
    return lines
  }

  /// Returns lines about grants that will not last.
  private func changeLines() -> [String] {
    var lines: [String] = []
    if assessment.wouldBeRefusedAfterLogin {
      let added = facts.account.moduleGroups.filter(subject.groups.contains).map(names.group)
      lines.append(
        added.isEmpty
          ? """
          a new login would be refused unless PAM adds a group, as pam_group does: the group database \
          lists no group that grants access
          """
          : """
          the group database lists no group that grants access; pam_group may add \(added.joined(separator: ", ")) \
          at a login (/etc/security/group.conf)
          """)
    }
    if assessment.isGranted, assessment.decision.rule == .aclUser, let device = assessment.device,
      let session = facts.session, session.isLogindRunning,
      device.isInitialized && !device.isTaggedForUserAccess
        || session.activeUsers[device.seat] != subject.fsuid
    {
      lines.append("the user's ACL entry is stale: no active session explains it")
    }
    return lines
  }

  private func deviceLines() -> [String] {
    guard let device = assessment.device else { return [] }
    var lines: [String] = []
    if device.role != .other {
      lines.append(
        "\(device.kernelName) is \(device.role.noun) (\(device.roleConfidence.rawValue))")
    }
    if let object = assessment.object, object.rdev == device.number,
      object.path != device.udevNode
    {
      lines.insert("\(object.path) is \(device.kernelName) here", at: 0)
    }
    if device.isTaggedForUserAccess {
      lines.append("the node is tagged uaccess on \(device.seat)")
    } else if device.tags.contains("uaccess") {
      lines.append(
        "the node is no longer tagged uaccess (TAGS contains the tag, CURRENT_TAGS does not)")
    } else if assessment.facts.confinement.container != nil,
      assessment.facts.confinement.hasUdevDatabase == false
    {
      lines.append("what udev recorded about the device cannot be seen from here")
      return lines
    } else {
      lines.append("the node is not tagged uaccess")
    }
    if !device.isInitialized { lines.append("udev has not initialized the device") }
    return lines
  }

  private func useLines() -> [String] {
    guard let use = assessment.use, let unseen = facts.use?.unseen else { return [] }
    let names = HolderWords(use.holders).names
    var lines = names.prefix(4).map { "\($0) has \(use.node) open" }
    if names.count > 4 { lines.append("and \(names.count - 4) more programs") }
    if use.unnamedHolders > 0 { lines.append("a program that cannot be identified has it open") }
    if lines.isEmpty, assessment.occupation == .free { lines = ["no program has it open"] }
    if !use.isToldByDriver, !unseen.isEmpty {
      let start = lines.isEmpty ? "no program was seen to have it open, and " : ""
      let who =
        switch unseen.count {
        case ..<1: "not every process"
        case 1: "1 process"
        default: "\(unseen.count) processes"
        }
      lines.append("\(start)\(who) could not be inspected")
    }
    return lines
  }

  private func sessionLines() -> [String] {
    guard let session = facts.session else { return [] }
    guard session.isLogindRunning else { return [facts.unseenLogind] }
    var lines: [String] = []
    if let id = session.id {
      let seat = session.seat ?? "no seat"
      let state = session.isActive ? "active" : "not active"
      let owner =
        session.user.map { session.isOf(subject.fsuid) ? "" : " of \(names.user($0))" } ?? ""
      lines.append(
        "session \(id)\(owner): \(seat), \(state)" + (session.isRemote ? ", remote" : ""))
    } else {
      lines.append("the \(noun) has no login session")
    }
    for (seat, user) in session.activeUsers.sorted(by: { $0.key < $1.key }) {
      lines.append("active on \(seat): \(names.user(user))")
    }
    return lines
  }

  private func serviceLines() -> [String] {
    guard let service = facts.confinement.service else { return [] }
    var lines: [String] = []
    switch service.start {
    case .restricted: break
    case .asRoot:
      lines.append(
        "ExecStart= begins with !, so the service starts as root, with its other settings")
    case .privileged:
      lines.append("ExecStart= begins with +, so User= and the sandbox do not apply")
    }
    lines += service.policies.map { policy in
      "\(policy.unit) has a device policy" + (policy.setting.map { ": \($0.rawValue)" } ?? "")
    }
    if let root = service.rootDirectory { lines.append("RootDirectory=\(root)") }
    if let profile = service.appArmorProfile { lines.append("AppArmorProfile=\(profile)") }
    if let context = service.selinuxContext { lines.append("SELinuxContext=\(context)") }
    return lines
  }

  /// Returns polkit's answers about the smart card daemon.
  private func cardLines(_ cards: HardwareFacts.CardService) -> [String] {
    if let answer = cards.answer { return ["polkit's own answer about pcscd: \(answer.rawValue)"] }
    let sessions = cards.refused.map { "allow_\($0.rawValue)" }.joined(separator: ", ")
    return [
      "polkit defaults that refuse pcscd: \(sessions.isEmpty ? "none" : sessions)",
      cards.rules.map { "polkit rules for pcscd: \($0.rawValue)" }
        ?? "polkit's rules cannot be read",
    ]
  }

  private func layerLines() -> [String] {
    var lines: [String] = []
    let confinement = facts.confinement
    if let mount = assessment.mount {
      var flags: [String] = []
      if mount.nodev || mount.superblockNodev { flags.append("nodev") }
      if mount.readOnly || mount.superblockReadOnly { flags.append("ro") }
      let text = flags.isEmpty ? "" : " " + flags.joined(separator: ",")
      lines.append("the path is on the mount at \(mount.at) (\(mount.fstype)\(text))")
    }
    if let container = confinement.container {
      let place = confinement.isSandbox ? "sandbox" : "container"
      lines.append("the \(noun) runs in a \(place): \(container)")
    }
    if confinement.hasUdevDatabase == false {
      let place = confinement.container == nil ? "" : " in the sandbox"
      lines.append("/run/udev does not exist\(place)")
    }
    lines += confinement.privateMounts.prefix(4).map { "the mount at \($0) is private" }
    if let device = assessment.device, let hardware = facts.hardware, let cards = hardware.cards,
      hardware.isCardReader(device)
    {
      lines += cardLines(cards)
    }
    if let unit = confinement.unit { lines.append("the \(noun) runs in unit \(unit)") }
    lines += serviceLines()
    if subject.noNewPrivileges {
      lines.append("no_new_privs is set, so Landlock may restrict the process")
    }
    return lines
  }
}

extension CapabilitySet {
  /// The names of the capabilities, such as `CAP_CHOWN, CAP_FOWNER`.
  fileprivate var list: String {
    members.map(\.constant).joined(separator: ", ")
  }
}
