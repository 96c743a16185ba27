internal import UdevRules

/// udev rules that give one user, or the active user of a seat, lasting access to one device.
struct UdevRuleRemedies: AssessmentReader {
  let assessment: Assessment
  let names: Names

  /// Returns the remedy that adds a udev rule to set an ACL entry whenever udev processes the
  /// device.
  ///
  /// The entry grants the subject's user the same access as a manual setfacl(1) command does, but
  /// permanently.
  func entryRule(_ path: String) -> Remedy? {
    let user = subject.fsuid
    guard confinement.container == nil, access.hasHostIDs, let device,
      device.node == path, device.isInitialized, facts.hardware?.hasUdevControl != false,
      // logind removes the user's entry when the session on the seat ends.
      !device.isTaggedForUserAccess || confinement.serviceUnit != nil,
      user == subject.ruid, names.hasPlainName(user: user),
      !subject.unobserved.contains(.dynamicIDs),
      confinement.serviceUnit == nil || !Subject.dynamicIDs.contains(user),
      let node = assessment.access.nodes.first(where: { $0.path.isSame(as: path) }),
      let mount = assessment.access.mount(of: path), mount.idmap == nil,
      let plan = EntryPlan(node, mount, subject, wanted, facts.account),
      !plan.replaces, plan.entries.count == 1
    else { return nil }
    var remedy = rule(
      for: device, Self.entryAction("u:\(names.userWord(user))", plan.permissions), at: path,
      named: "99-devaccess-entry.rules",
      title: """
        Add a udev rule that gives \(names.user(user)) an ACL entry for \(path) \
        (\(plan.permissions)) whenever udev processes the device
        """,
      changes: [
        .deviceEvent(path: path, mode: nil, group: nil, isTagged: false),
        .setEntries(path: path, entries: plan.entries),
      ], promise: .command)
    remedy?.assumes = Self.setfaclAssumption
    return remedy
  }

  /// Returns the remedy that adds a udev rule to make the subject's user the owner of a sysfs
  /// attribute.
  ///
  /// An example is the brightness of a display. sysfs does not support ACLs, and creates the
  /// attribute again at every boot.
  func attributeRule(_ path: String) -> Remedy? {
    let parts = access.request.path.parts(at: "/").map { String($0) }
    guard parts.count >= 4, parts.starts(with: ["sys", "class"]), !parts.contains(".."),
      parts[2].isRuleWord, confinement.container == nil, subject.userNamespace == nil,
      let node = access.object(at: path), node.path.isBelow("/sys"), node.type == .regular,
      node.uid == 0, names.hasPlainName(user: subject.fsuid)
    else { return nil }
    let (subsystem, name, attribute) = (parts[2], parts[parts.count - 2], parts[parts.count - 1])
    let (isOfClass, isOfDevice) = (parts.count == 4, parts.count == 5)
    guard
      isOfDevice
        ? name.isRuleWord && attribute.isRuleWord
        : access.request.path.isConfigurationPath && !access.request.path.contains("$")
    else { return nil }
    // The attribute of a device below another one, or of a group, exists only after the last of the
    // events of the subsystem.
    let match = isOfDevice ? #", KERNEL=="\#(name)""# : ""
    let file = isOfDevice ? "$sys$devpath/\(attribute)" : access.request.path
    // A program that exports a pin also needs its attributes, which exist only from then on.
    let ofPins = isOfClass && subsystem == "gpio"
    let pins = ["active_low", "direction", "edge", "value"].map { "$sys$devpath/\($0)" }
    let words =
      ["/bin/chown"] + (ofPins ? ["-f"] : []) + [names.userWord(subject.fsuid), file]
      + (ofPins ? pins : [])
    let rule = """
      SUBSYSTEM=="\(subsystem)"\(match), ACTION!="remove", RUN+="\(words.joined(separator: " "))"
      """
    let what = isOfClass ? access.request.path : "\(attribute) of \(name)"
    // The kernel closes such attributes on purpose (`energy_uj` since Linux 5.10).
    let isSecret = wanted.contains(.read) && node.mode & 0o044 == 0
    return Remedy(
      "Add a udev rule that gives \(what) to \(names.user(subject.fsuid)) at every boot",
      commands: Self.commands(adding: rule, to: "99-devaccess-attribute.rules")
        + UdevTrigger(facts).commands(node: nil, device: (subsystem, isOfDevice ? name : nil)),
      actor: .administrator,
      changes: [.changeOwner(path: node.path, user: subject.fsuid, group: nil)],
      scope: ofPins ? "control of every exported pin" : nil,
      caution: isSecret
        ? "this user may read what the kernel shows only to root (energy counters can reveal secrets)"
        : nil)
  }

  static let setfaclAssumption = "setfacl is installed as /usr/bin/setfacl"

  /// Returns the part of a rule that sets an ACL entry at every event, such as `u:alice`.
  static func entryAction(_ holder: String, _ permissions: Permissions) -> String {
    let entry = "\(holder):\(permissions.letters)"
    return #"ACTION!="remove", RUN+="/usr/bin/setfacl -m \#(entry) $devnode""#
  }

  /// Returns the remedy that adds a udev rule to make logind give the device to the active user of
  /// its seat.
  ///
  /// If an existing rule sets the tag too late, the new rule sorts early enough to take effect.
  func tagRule() -> Remedy? {
    guard let device, let node = device.node, confinement.container == nil,
      !device.isTaggedForUserAccess || isTaggedLate
    else { return nil }
    return rule(
      for: device, #"TAG+="uaccess""#, at: node, named: "73-devaccess-uaccess.rules",
      title: """
        Add a udev rule that tags the device with uaccess for the active user of \(device.seat), \
        in a file that sorts before 73-seat-late.rules
        """,
      changes: [.deviceEvent(path: node, mode: nil, group: nil, isTagged: true)],
      promise: .tag("uaccess"))
  }

  /// Returns the remedy that adds a udev rule to give the device to a group, and adds the user to
  /// the group if necessary.
  ///
  /// The remedy is for users who are never active on a seat. A service with a dynamic user is
  /// started with the group.
  func groupRule(_ path: String) -> Remedy? {
    guard !assessment.canHaveSeat, confinement.container == nil, access.hasHostIDs, let device,
      device.node == path, device.isInitialized,
      facts.hardware?.hasUdevControl != false, subject.fsuid == subject.ruid,
      // If the node's group already has access, its members need no rule.
      let node = assessment.access.object(at: path),
      node.gid == 0 || !node.owningGroupPermissions.isSuperset(of: wanted),
      let usual = Self.groupName(of: device)
    else { return nil }
    let isInUsual = subject.groups.contains { names.groupName($0) == usual }
    // A service is started with the groups that its unit names.
    let service = confinement.serviceUnit
    let dynamic = service.flatMap { unit in
      Subject.dynamicIDs.contains(subject.fsuid) && unit.isUnitName ? unit : nil
    }
    if service != nil, dynamic == nil, !isInUsual { return nil }
    let name = isInUsual ? usual : privateGroup ?? usual
    // Preserve the read permission of others, which udev gives for USB devices.
    let mode = 0o660 | node.mode & 0o004
    let digits = "0" + String(mode, radix: 8)
    let known = facts.account.groupNames.first { $0.value == name }?.key
    let taken = Set(facts.account.groupNames.keys).union(
      facts.rules?.environment.groups.values.compactMap(\.value) ?? [])
    // groupadd(8) chooses a number from this range.
    guard let group = known ?? (UInt32(100)...999).first(where: { !taken.contains($0) }) else {
      return nil
    }
    let isMember = subject.groups.contains(group) || subject.fsgid == group
    guard
      isMember || dynamic != nil
        || names.hasPlainName(user: subject.ruid) && facts.account.loginGroups != nil
    else { return nil }
    let joining =
      dynamic.map { ", and start \($0) with that group" } ?? ", and add \(user) to that group"
    // The group is meant for all devices of the class, whose numbers may change.
    var remedy = rule(
      for: device, isForClass: name.isOfClass(device),
      #"GROUP="\#(name)", MODE="\#(digits)""#, at: path, named: "73-devaccess-group.rules",
      title: "Add a udev rule that gives the device to group \(name)"
        + (isMember ? "" : joining),
      changes: [.deviceEvent(path: path, mode: mode, group: group, isTagged: false)],
      promise: .group(name, mode: mode))
    if known == nil {
      remedy?.newGroups = [group: name]
      remedy?.steps[0].commands.insert("groupadd --system \(name)", at: 0)
    }
    if !isMember, let dynamic {
      let groups = UnitDropIn(
        unit: dynamic, lines: ["SupplementaryGroups=\(name)"], name: "devaccess-groups")
      remedy?.steps.append(
        .dropIns(
          [groups], restarting: dynamic, changes: [.addGroups([group], isPrimary: false)]))
    } else if !isMember {
      remedy?.steps[0].commands += facts.joinCommands(
        names.userWord(subject.ruid), subject.ruid, to: name)
      remedy?.steps[0].changes += [.joinGroup(group), .logIn]
      remedy?.takesEffect = "at the next login"
    }
    return remedy
  }

  /// The group of a system account, if only that account is likely to be a member.
  ///
  /// Such a group has the name of the account.
  private var privateGroup: String? {
    guard (1..<1000).contains(subject.fsuid), let name = names.groupName(subject.fsgid),
      name == names.userWord(subject.fsuid), names.hasPlainName(group: subject.fsgid)
    else { return nil }
    return name
  }

  /// Returns the remedy that adds a udev rule to restore a group that a previous rule had set.
  func groupAgain(_ name: String, _ group: UInt32, after later: UdevRulePlace) -> Remedy? {
    guard let device, let path = device.node, let node = assessment.access.object(at: path) else {
      return nil
    }
    // The rule does not change the mode that other rules set.
    let mode = node.mode & 0o777
    return rule(
      for: device, #"GROUP="\#(name)""#, at: path, named: "99-devaccess-group.rules",
      title: "Add a udev rule that gives the device to group \(name) again, after \(later)",
      changes: [.deviceEvent(path: path, mode: nil, group: group, isTagged: false)],
      promise: .node(mode: mode, group: group))
  }

  /// Returns the usual group for such devices, or otherwise a group named after the subsystem or
  /// the device.
  private static func groupName(of device: DeviceFacts) -> String? {
    if let usual = DeviceGroup.usual(ofSubsystem: device.subsystem, at: device.node ?? "") {
      return usual
    }
    let others = [
      "dma_heap": "video", "gpio": "gpio", "hidraw": "plugdev", "i2c-dev": "i2c", "nvme": "disk",
      "pwm": "pwm", "spidev": "spi", "usb": "plugdev",
    ]
    let stem = { (name: String) in
      String(decoding: name.utf8.prefix { $0.isLatinLetter }, as: UTF8.self)
    }
    let name = others[device.subsystem] ?? stem(device.kernelName)
    return name.utf8.count > 1 && name.utf8.allSatisfy(\.isSubsystemByte) ? name : nil
  }

  /// A Boolean value that indicates whether the tag probably has no effect because its rule sorts
  /// too late.
  var isTaggedLate: Bool {
    guard let device, device.isTaggedForUserAccess, !device.isUsuallyTagged else { return false }
    return facts.session?.activeUsers[device.seat] == subject.fsuid
  }

  /// Returns the remedy that adds a udev rule to give a companion node to the group of the devices
  /// that need it.
  ///
  /// The rule also sets a mode that gives the group access.
  func companionRule(_ node: Node?, _ path: String) -> Remedy? {
    let group = DeviceGroup.usual(ofSubsystem: device?.subsystem, at: path) ?? "video"
    guard let device, device.node == path,
      let number = names.groupID(group), node?.gid != number
    else { return nil }
    return rule(
      for: device, #"GROUP="\#(group)", MODE="0660""#, at: path,
      named: group == "video" ? "73-devaccess-camera.rules" : "73-devaccess-companion.rules",
      title: """
        Add a udev rule that gives this companion node of the \(Self.noun(of: group)) to group \
        \(group)
        """,
      changes: [.deviceEvent(path: path, mode: 0o660, group: number, isTagged: false)],
      promise: .node(mode: 0o660, group: number))
  }

  private static func noun(of group: String) -> String {
    switch group {
    case "audio": "sound card"
    case "render": "graphics card"
    default: "camera"
    }
  }

  /// Returns the remedy that adds a udev rule to make ModemManager ignore the device.
  ///
  /// ModemManager evaluates the property in `mm_filter_device_and_port`.
  func ignoreRule(_ path: String) -> Remedy? {
    guard confinement.container == nil, let device, device.node == path,
      var remedy = rule(
        for: device, isWhole: true, #"ENV{ID_MM_DEVICE_IGNORE}="1""#, at: path,
        named: "72-devaccess-modem.rules", title: "Tell ModemManager to ignore the device",
        changes: [], promise: .property("ID_MM_DEVICE_IGNORE", "1"))
    else { return nil }
    let isOfModel = remedy.scope != nil
    // The rule gives no access to other users.
    remedy.scope = nil
    remedy.excess = nil
    let isOfPort = remedy.end == .portChange
    if isOfPort {
      remedy.title = "Tell ModemManager to ignore the device on this USB port"
    } else if isOfModel {
      remedy.title = "Tell ModemManager to ignore devices of this model"
    }
    remedy.takesEffect = "when the device is replugged or ModemManager is restarted"
    remedy.caution =
      isOfModel && !isOfPort ? "no device of this model is a modem" : "the device is not a modem"
    return remedy
  }

  /// Returns the remedy that adds a rule to a file in which it has its intended effect.
  ///
  /// - Returns: The remedy; `nil` if no rule can match the device, or if the existing rules are
  ///   known and the new rule does not have its effect in any file.
  func rule(
    for device: DeviceFacts, isWhole: Bool = false, isForClass: Bool = false, _ action: String,
    at node: String,
    named name: String, title: String, changes: [FactsChange],
    promise: RequiredRuleEffect
  ) -> Remedy? {
    // udev does not manage a node that was created outside the host's devtmpfs. A node that was
    // bind-mounted from the host can have another name there.
    let outside = device.systemNode
    guard outside == nil || assessment.access.mount(of: node)?.fstype == "devtmpfs" else {
      return nil
    }
    var matches = RuleMatch.all(device, among: facts.devices, isWhole: isWhole)
    if isForClass, let match = RuleMatch.ofClass(device) {
      matches = matches.map { $0.end == .renumbering ? match : $0 }
    }
    let isRun = action.contains("RUN+=")
    for match in matches {
      let rule = match.text + ", " + action + (isRun ? "" : Self.staticNode(of: device))
      guard let file = fileName(for: rule, at: node, named: name, promise) else { continue }
      return Remedy(
        title,
        commands: Self.commands(adding: rule, to: file)
          + UdevTrigger(facts).commands(node: outside ?? node, device: device),
        actor: .administrator, changes: changes,
        scope: match.scope, until: match.end)
    }
    return nil
  }

  /// Returns the part of a rule that also applies it to a node that exists before its module is
  /// loaded; empty for other nodes.
  ///
  /// Without it, the rule has no effect after a boot at which nothing loads the module.
  static func staticNode(of device: DeviceFacts) -> String {
    let name = device.kernelName
    guard device.subsystem == "misc", device.systemNode ?? device.node == "/dev/\(name)",
      name.isRuleWord
    else { return "" }
    return #", OPTIONS+="static_node=\#(name)""#
  }

  /// Returns the commands that append a rule to a file of the administrator and make udev reload
  /// its rules.
  static func commands(adding rule: String, to file: String) -> [String] {
    commands(adding: [rule], to: file)
  }

  /// Returns the commands that add several rules to a file.
  static func commands(adding rules: [String], to file: String) -> [String] {
    rules.map { "printf '%s\\n' \($0.shellQuoted) >> /etc/udev/rules.d/\(file)" }
      + ["udevadm control --reload"]
  }

  /// Returns the name of a file in which a rule has its intended effect.
  ///
  /// - Returns: The name; `nil` if the existing rules are known and no file is suitable.
  private func fileName(
    for rule: String, at node: String, named name: String, _ promise: RequiredRuleEffect
  ) -> String? {
    guard let rules = facts.rules, rules.node == node, rules.device != nil else { return name }
    return promise.fileName(for: rule, named: name, in: rules)
  }
}

extension String {
  /// Returns whether a group is named after the class of a device, such as `gpio` or `i2c`.
  fileprivate func isOfClass(_ device: DeviceFacts) -> Bool { device.subsystem.hasPrefix(self) }
}

/// The effect that a new rule must have at the next events of a device.
enum RequiredRuleEffect {
  /// Sets a tag on the device, early enough for the rule that acts on the tag.
  case tag(UdevRuleText)
  /// Runs a command.
  case command
  /// Sets a property of the device to a value.
  case property(UdevRuleText, UdevRuleText)
  /// Sets the mode and the group of the node.
  case node(mode: UInt16, group: UInt32)
  /// Sets the mode of the node, and its group by name.
  case group(String, mode: UInt16)

  /// Returns the name of a file in which a rule has this effect together with all existing rules.
  ///
  /// The effect is checked for the event from `udevadm trigger` and for the arrival of the device.
  ///
  /// - Parameters:
  ///   - rule: The text of the rule.
  ///   - name: The preferred name of the file.
  ///   - facts: The rules and the device.
  /// - Returns: The name; `nil` if the rule does not have the effect in any file.
  func fileName(for rule: String, named name: String, in facts: RuleFacts) -> String? {
    let stem = name.split(separator: "-", maxSplits: 1).last.map(String.init) ?? name
    let numbers =
      switch self {
      case .tag: ["72", "71", "70", "65", "60"]
      case .command, .property, .node, .group: ["99", "zz"]
      }
    return ([name] + numbers.map { "\($0)-\(stem)" }).first { isKept(by: rule, in: $0, facts) }
  }

  private func isKept(by rule: String, in name: String, _ facts: RuleFacts) -> Bool {
    let folder = "/etc/udev/rules.d"
    // The rule is appended to the existing content of the file.
    let old = facts.file(at: "\(folder)/\(name)")
    guard old == nil || old?.state == .rules || old?.state == .empty else { return false }
    var bytes = old?.bytes ?? []
    guard bytes.last == nil || bytes.last == 10 else { return false }
    let line = bytes.count { $0 == 10 } + 1
    bytes += Array(rule.utf8) + [10]
    var after = facts.replacing(with: RuleFile(folder: folder, name: name, bytes: bytes))
    if case .group(let group, _) = self {
      let group = UdevRuleText(group)
      after.environment.groups[group] = after.environment.groups[group] ?? .present(999)
    }
    let place = UdevRulePlace(path: "\(folder)/\(name)", line: line)
    return ["change", "add"].allSatisfy { action in
      guard let proof = RuleProof(after, action: action, place), proof.obstacle == nil else {
        return false
      }
      return isKept(proof.report)
    }
  }

  private func isKept(_ report: UdevRuleReport) -> Bool {
    switch self {
    case .tag(let tag): report.currentTags.contains(tag)
    case .command: true
    case .group(_, let mode): report.node.mode.known == UInt32(mode)
    case .property(let name, let value): report.recorded[name] == value
    case .node(let mode, let group):
      report.node.mode.known == UInt32(mode) && report.node.group.known == group
    }
  }
}

extension AccessCase {
  /// A Boolean value that indicates whether the subject's own IDs are those of the host: there is no
  /// user namespace, or one that maps them to themselves.
  var hasHostIDs: Bool {
    guard let map = subject.userNamespace else { return true }
    return map.users.inside(subject.fsuid) == subject.fsuid
      && map.groups.inside(subject.fsgid) == subject.fsgid
  }
}
