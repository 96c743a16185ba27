/// Rules for udev that let one user, or the user of a seat, at one device for good.
struct UdevRules: AssessmentReader {
  let assessment: Assessment
  let names: Names

  /// A udev rule that gives the subject's user an entry at every event of the device: as little as
  /// setfacl(1) by hand, and it stays.
  func entryRule(_ path: String) -> Remedy? {
    let user = subject.fsuid
    guard confinement.container == nil, subject.userNamespace == nil, let device,
      device.node == path, device.isInitialized, facts.hardware?.hasUdevControl != false,
      // logind takes the entry of a person away when the session on the seat ends.
      !device.isTaggedForUserAccess || confinement.serviceUnit != nil,
      user == subject.ruid, names.hasPlainName(user: user),
      !subject.unobserved.contains(.dynamicIDs),
      confinement.serviceUnit == nil || !Subject.dynamicIDs.contains(user),
      let node = assessment.access.nodes.first(where: { $0.path.isSame(as: path) }),
      let mount = assessment.access.mount(of: path), mount.idmap == nil,
      let plan = EntryPlan(node, mount, subject, wanted, facts.account),
      !plan.replaces, plan.entries.count == 1,
      let match = RuleMatch(device, among: facts.devices)
    else { return nil }
    return rule(
      match, Self.entryAction(names.userWord(user), plan.permissions), for: path,
      named: "99-devaccess-entry.rules",
      title: """
        Let udev give \(names.user(user)) an entry in the access list of \(path) \
        (\(plan.permissions)) at every event of the device
        """,
      changes: [
        .deviceEvent(path: path, mode: nil, group: nil, isTagged: false),
        .setEntries(path: path, entries: plan.entries),
      ], scope: match.scope, promise: .command)
  }

  /// What a rule does to give a user an entry at every event.
  static func entryAction(_ user: String, _ permissions: Permissions) -> String {
    let entry = "u:\(user):\(permissions.letters)"
    return #"ACTION!="remove", RUN+="/usr/bin/setfacl -m \#(entry) $devnode""#
  }

  /// A udev rule that lets logind give the device to the active user of its seat.
  ///
  /// A tag that came too late or before the device gets a rule as well: in time, it has effect.
  func tagRule() -> Remedy? {
    guard let device, let node = device.node, confinement.container == nil,
      !device.isTaggedForUserAccess || isTaggedLate,
      let match = RuleMatch(device, among: facts.devices)
    else { return nil }
    return rule(
      match, #"TAG+="uaccess""#, for: node, named: "73-devaccess-uaccess.rules",
      title: """
        Tag the device uaccess for whoever is active on \(device.seat), in a file that sorts before \
        73-seat-late.rules
        """,
      changes: [.deviceEvent(path: node, mode: nil, group: nil, isTagged: true)],
      scope: match.scope, promise: .tag("uaccess"))
  }

  /// A udev rule that gives the device to a group in which the user is, for somebody who is never
  /// active on a seat.
  func groupRule(_ path: String) -> Remedy? {
    guard !assessment.canHaveSeat, confinement.container == nil, confinement.serviceUnit == nil,
      subject.userNamespace == nil, let device, device.node == path, device.isInitialized,
      facts.hardware?.hasUdevControl != false, subject.fsuid == subject.ruid,
      names.hasPlainName(user: subject.ruid), facts.account.loginGroups != nil,
      // The group that the node has may suffice; then its members need no rule.
      let node = assessment.access.object(at: path),
      node.gid == 0 || !node.owningGroupPermissions.isSuperset(of: wanted),
      let match = RuleMatch(device, among: facts.devices),
      let name = Self.groupName(of: device)
    else { return nil }
    let known = facts.account.groupNames.first { $0.value == name }?.key
    let taken = Set(facts.account.groupNames.keys).union(
      facts.rules?.environment.groups.values.compactMap(\.value) ?? [])
    // Of these groupadd(8) chooses one.
    guard let group = known ?? (UInt32(100)...999).first(where: { !taken.contains($0) }) else {
      return nil
    }
    var remedy = rule(
      match, #"GROUP="\#(name)", MODE="0660""#, for: path, named: "73-devaccess-group.rules",
      title: "Give the device to group \(name) at every event, and add \(user) to it",
      changes: [.deviceEvent(path: path, mode: 0o660, group: group, isTagged: false)],
      scope: ["every member of \(name)", match.scope].compactMap(\.self).joined(separator: "; "),
      promise: .group(name, mode: 0o660))
    let isMember = subject.groups.contains(group) || subject.fsgid == group
    if known == nil { remedy?.steps[0].commands.insert("groupadd --system \(name)", at: 0) }
    if !isMember {
      remedy?.steps[0].commands.append("usermod -aG \(name) \(names.userWord(subject.ruid))")
      remedy?.steps[0].changes += [.joinGroup(group), .logIn]
      remedy?.takesEffect = "after a new login"
    }
    return remedy
  }

  /// The group that distributions have for such devices, or else one with the name of the subsystem.
  private static func groupName(of device: DeviceFacts) -> String? {
    if let usual = DeviceGroup.usual(ofSubsystem: device.subsystem, at: device.node ?? "") {
      return usual
    }
    let others = ["i2c-dev": "i2c", "spidev": "spi", "usb": "plugdev", "hidraw": "plugdev"]
    let stem = { (name: String) in
      String(decoding: name.utf8.prefix { $0.isLatinLetter }, as: UTF8.self)
    }
    let name = others[device.subsystem] ?? stem(device.kernelName)
    return name.utf8.count > 1 && name.utf8.allSatisfy(\.isSubsystemByte) ? name : nil
  }

  /// Whether the tag has probably no effect, because its rule sorts late.
  var isTaggedLate: Bool {
    guard let device, device.isTaggedForUserAccess, !device.isUsuallyTagged else { return false }
    return facts.session?.activeUsers[device.seat] == subject.fsuid
  }

  /// A rule for the one companion node: its group is the one of the devices that it is needed with,
  /// its mode lets the group in.
  func companionRule(_ node: Node?, _ path: String) -> Remedy? {
    let group =
      switch device?.subsystem {
      case DeviceKind.microphone.subsystem: "audio"
      case DeviceKind.gpu.subsystem, "kfd": "render"
      default: "video"
      }
    guard let device, device.node == path,
      let match = RuleMatch(device, among: facts.devices),
      let number = names.groupID(group), node?.gid != number
    else { return nil }
    return rule(
      match, #"GROUP="\#(group)", MODE="0660""#, for: path,
      named: group == "video" ? "73-devaccess-camera.rules" : "73-devaccess-companion.rules",
      title: "Give this companion node of the \(Self.noun(of: group)) to group \(group)",
      changes: [.deviceEvent(path: path, mode: 0o660, group: number, isTagged: false)],
      scope: ["every member of \(names.group(number))", match.scope].compactMap(\.self)
        .joined(separator: "; "),
      promise: .node(mode: 0o660, group: number))
  }

  private static func noun(of group: String) -> String {
    switch group {
    case "audio": "sound card"
    case "render": "graphics card"
    default: "camera"
    }
  }

  /// A rule that keeps ModemManager from one device (`mm_filter_device_and_port`).
  func ignoreRule(_ path: String) -> Remedy? {
    guard confinement.container == nil, let device, device.node == path,
      let match = RuleMatch(device, among: facts.devices, isWhole: true)
    else { return nil }
    guard
      var remedy = rule(
        match, #"ENV{ID_MM_DEVICE_IGNORE}="1""#, for: path, named: "72-devaccess-modem.rules",
        title: "Tell ModemManager to leave the device alone", changes: [], scope: match.scope,
        promise: .property("ID_MM_DEVICE_IGNORE", "1"))
    else { return nil }
    remedy.takesEffect = "when the device is plugged in again, or ModemManager is restarted"
    remedy.assumes = "the device is no modem that ModemManager is to use"
    return remedy
  }

  /// The rule in a file in which it does what it promises, with all other rules in place.
  ///
  /// - Returns: `nil` where the rules are known, and the rule keeps its promise in no file.
  func rule(
    _ match: RuleMatch, _ action: String, for node: String, named name: String, title: String,
    changes: [FactsChange], scope: String?, promise: RulePromise
  ) -> Remedy? {
    // What somebody made elsewhere is not udev's; what they mounted elsewhere has its name outside.
    let outside = device?.systemNode
    guard outside == nil || assessment.access.mount(of: node)?.fstype == "devtmpfs" else {
      return nil
    }
    let rule = match.text + ", " + action
    var file = name
    if let rules = facts.rules, rules.node == node, rules.device != nil {
      guard let proven = promise.fileName(for: rule, named: name, in: rules) else { return nil }
      file = proven
    }
    // Added to the file: it may hold the rule for another device.
    return Remedy(
      title,
      commands: [
        "printf '%s\\n' \(rule.shellQuoted) >> /etc/udev/rules.d/\(file)",
        "udevadm control --reload",
        "udevadm trigger --name-match=\((outside ?? node).shellQuoted)",
      ], actor: .administrator, changes: changes, scope: scope,
      until: match.end)
  }
}
