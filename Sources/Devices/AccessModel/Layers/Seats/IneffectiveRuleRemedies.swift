internal import UdevRules

/// The fixes for a udev rule that matches the device but has no effect.
struct IneffectiveRuleRemedies: AssessmentReader {
  let assessment: Assessment
  let names: Names
  private let rules: SeatRules?
  private let rule: SeatRules.Ineffective?

  init(_ assessment: Assessment, names: Names) {
    self.assessment = assessment
    self.names = names
    let node = assessment.decidingStep?.node
    rules = node.flatMap { SeatRules(assessment.facts, of: assessment.device, $0) }
    rule = rules?.ineffective(isSeat: assessment.canHaveSeat)
  }

  /// Returns the remedies for the rule, followed by other remedies.
  ///
  /// If the rule waits for an event that will give access, the other remedies are not needed.
  func remedies(or others: [Remedy?]) -> [Remedy] {
    guard let remedy else {
      return ([returning, widening] + others + [staticRule]).compactMap(\.self)
    }
    let isEnough = rule?.isPending == true && (remedy.changes.isEmpty || grants(remedy))
    return [tmpfiles, remedy].compactMap(\.self) + (isEnough ? [] : others.compactMap(\.self))
  }

  /// The remedy that adds a rule and loads the module, if the device does not exist until its
  /// module is loaded.
  private var staticRule: Remedy? {
    guard let rules, device == nil, let module = rules.facts.staticModule, module.isModuleName,
      let name = rules.facts.node.split(separator: "/").last.map(String.init), name.isRuleWord,
      confinement.container == nil, assessment.canHaveSeat
    else { return nil }
    let line = #"KERNEL=="\#(name)", TAG+="uaccess""#
    return Remedy(
      """
      Add a udev rule that tags the device with uaccess for the active user of seat0, and load its \
      module
      """,
      commands: UdevRuleRemedies.commands(adding: line, to: "72-devaccess-uaccess.rules")
        + module.loadingCommands, actor: .administrator,
      assumes: Remedy.both("\(user) is active on seat0", "\(module) creates the device"))
  }

  /// The remedy that disables a line that restricts access, if the remaining lines give access.
  private var widening: Remedy? { narrowing.flatMap(widening) }

  /// The line that restricts access; `nil` if the remaining lines would not give access.
  var narrowing: SeatRules.Narrowing? {
    rules?.narrowings.first { grants(widening($0)) }
  }

  private func widening(_ narrowing: SeatRules.Narrowing) -> Remedy? {
    guard let rules, confinement.container == nil,
      let path = device?.node, let mode = narrowing.outcome.node.mode.known,
      let group = narrowing.outcome.node.group.known
    else { return nil }
    let event = FactsChange.deviceEvent(
      path: path, mode: mode.map { UInt16(truncatingIfNeeded: $0) }, group: group,
      isTagged: narrowing.isTagged)
    let lines = narrowing.numbers
    let range =
      lines.count == 1 ? "\(lines.lowerBound)" : "\(lines.lowerBound),\(lines.upperBound)"
    let old = narrowing.place.path
    let own = narrowing.ownPath
    return Remedy(
      own == old
        ? "Comment out the line that sets \(narrowing.parts) in \(old)"
        : "Override \(old) with a copy in /etc/udev/rules.d without the line that sets \(narrowing.parts)",
      commands: (own == old ? [] : ["cp \(old.shellQuoted) \(own.shellQuoted)"])
        + ["sed -i '\(range)s/^/#/' \(own.shellQuoted)"]
        + RuleEvent(facts: rules.facts, action: narrowing.action).commands,
      actor: .administrator, changes: [event])
  }

  /// Returns whether the changes of a remedy give access.
  private func grants(_ remedy: Remedy?) -> Bool {
    guard let remedy, !remedy.changes.isEmpty else { return false }
    let after = facts.applying(remedy.changes)?.access.withoutDeviceProgramDoubt.verdict()
    return after?.isGranted == true
  }

  /// The remedy to print first, or `nil` if there is none.
  var leading: Remedy? { tmpfiles ?? remedy ?? returning ?? staticRule }

  /// A Boolean value that indicates whether another program changed the node after udev had set it
  /// up.
  var isChangedAfterwards: Bool {
    rule?.finding.code == .changedAfterwards && rule?.finding.fix?.outcome != nil
      && rules?.readsLateNames == false && !isFormerLogin
  }

  /// A Boolean value that indicates whether a login that has since ended made the changes.
  private var isFormerLogin: Bool {
    guard let device, let path = device.node, let node = assessment.access.object(at: path),
      let keepers = facts.hardware?.keepers
    else { return false }
    return device.subsystem == "tty" && node.mode & 0o7777 == 0o620 && keepers[path] == nil
  }

  /// The remedy that restores the permissions from the rules at every boot, after another program
  /// has changed them.
  ///
  /// systemd-tmpfiles can only set the permissions of nodes that exist at boot.
  private var tmpfiles: Remedy? {
    guard isChangedAfterwards, let remedy, let rules, confinement.hasSystemd == true,
      confinement.container == nil, let device, let node = device.node, !device.isPluggable,
      node.isConfigurationWord, rules.isStaticNode, let outcome = rule?.finding.fix?.outcome,
      let mode = outcome.node.mode.known ?? nil, let owner = outcome.node.owner.known,
      let group = outcome.node.group.known
    else { return nil }
    let name = node.split(separator: "/").last ?? "node"
    let file = "/etc/tmpfiles.d/devaccess-\(name).conf"
    let line = """
      z \(node) 0\(String(mode & 0o7777, radix: 8)) \(names.userWord(owner ?? 0)) \
      \(names.groupWord(group ?? 0)) -
      """
    return Remedy(
      "Have systemd-tmpfiles set the permissions that the udev rules give, at every boot",
      commands: [
        "printf '%s\\n' \(line.shellQuoted) > \(file.shellQuoted)",
        "systemd-tmpfiles --create \(file.shellQuoted)",
      ], actor: .administrator, changes: remedy.changes,
      assumes: "the node was changed by systemd-tmpfiles, or by something earlier during boot")
  }

  /// The commands that search for the program or setting that changed a node after udev.
  var lookups: [Lookup] {
    guard isChangedAfterwards, let node = device?.node else { return [] }
    return [
      Lookup(
        "Look for what changes the node",
        commands: ["grep -rsF \(node.shellQuoted) /etc /run/tmpfiles.d /usr/lib/tmpfiles.d"],
        isPrivileged: true)
    ]
  }

  /// The remedy that gives the node back to one of the subject's groups after another rule changed
  /// it.
  private var returning: Remedy? {
    guard let rules, let given = rules.earlierGroup(in: subject), confinement.container == nil
    else {
      return nil
    }
    return UdevRuleRemedies(assessment: assessment, names: names)
      .groupAgain(given.name, given.group, after: given.later)
  }

  /// The fix for the ineffective rule; `nil` if none is known.
  private var remedy: Remedy? {
    guard let rules, let rule, let fix = rule.finding.fix else { return nil }
    if rule.finding.code == .staticNode { return loading(fix, rules, rule) }
    guard let outcome = fix.outcome, let changes = changes(outcome) else {
      return Remedy(
        fix.title, commands: fix.commands, actor: .administrator, assumes: assumption(rule))
    }
    var remedy = Remedy(
      fix.title, commands: fix.commands, actor: .administrator, changes: changes.changes,
      takesEffect: changes.takesEffect)
    if let group = outcome.node.group.known ?? nil, let name = outcome.groupName {
      remedy.newGroups = [group: name.description]
    }
    if isChangedAfterwards, let node = device?.node {
      remedy.title = "Have udev set the permissions again (something else may change them again)"
      remedy.end =
        device?.isPluggable == true ? .replug : .nodeCreation(path: node, isInMemory: true)
    }
    if let renumbered = outcome.renumbered {
      remedy.assumes = "no group has the GID \(renumbered)"
      remedy.takesEffect = "at the next login"
    }
    join(&remedy, outcome)
    return remedy
  }

  private func assumption(_ rule: SeatRules.Ineffective) -> String {
    rule.isTag
      ? "\(user) is active on \(device?.seat ?? "seat0")" : "\(rule.parts) gives \(user) access"
  }

  /// Returns the changes that an event makes; `nil` if their effect on access is unknown.
  private func changes(
    _ outcome: RuleFix.Outcome
  ) -> (changes: [FactsChange], takesEffect: String?)? {
    guard let path = device?.node else { return nil }
    let isActive = facts.session?.activeUsers[device?.seat ?? "seat0"] == subject.fsuid
    let mode = outcome.node.mode.known.map { $0.map { UInt16(truncatingIfNeeded: $0) } }
    guard let mode, let group = outcome.node.group.known, let owner = outcome.node.owner.known,
      !outcome.isTagged || isActive || facts.session != nil
    else {
      // An active user has access through the tag, regardless of the unknown values.
      guard outcome.isTagged, isActive else { return nil }
      return ([.deviceEvent(path: path, mode: nil, group: nil, isTagged: true)], nil)
    }
    var changes: [FactsChange] = []
    if let owner { changes.append(.changeOwner(path: path, user: owner, group: nil)) }
    changes.append(
      .deviceEvent(path: path, mode: mode, group: group, isTagged: outcome.isTagged))
    if let new = outcome.renumbered, let old = outcome.formerGroup, subject.groups.contains(old) {
      changes.append(.addGroups([new], isPrimary: false))
    }
    return (changes, nil)
  }

  /// Extends the remedy to add the user to the node's new group, unless the user is already a
  /// member.
  private func join(_ remedy: inout Remedy, _ outcome: RuleFix.Outcome) {
    let isPerson = confinement.serviceUnit == nil && confinement.container == nil
    guard let rules, isPerson, case .value(let group?) = outcome.node.group, group != 0,
      !outcome.isTagged || facts.session?.activeUsers[device?.seat ?? "seat0"] != subject.fsuid,
      outcome.renumbered == nil || !remedy.changes.contains(where: \.addsGroups),
      subject.fsuid == subject.ruid, subject.fsuid != 0, subject.userNamespace == nil,
      !subject.groups.contains(group), subject.fsgid != group,
      facts.account.loginGroups.map({ !$0.contains(group) }) ?? false,
      names.hasPlainName(user: subject.ruid),
      let name =
        (outcome.groupName
        ?? rules.facts.environment.groups.first { $0.value == .present(group) }?.key)?.description,
      name.isRuleWord
    else { return }
    remedy.title += "; then add \(names.user(subject.ruid)) to \(name)"
    var step = remedy.steps[remedy.steps.count - 1]
    step.commands += facts.joinCommands(
      names.userWord(subject.ruid), subject.ruid, to: name.shellQuoted)
    step.changes += [.joinGroup(group), .logIn]
    remedy.steps[remedy.steps.count - 1] = step
    remedy.takesEffect = "at the next login"
  }

  /// Returns the remedy that loads the module now and at every boot, which triggers an event for
  /// its device.
  private func loading(
    _ fix: RuleFix, _ rules: SeatRules, _ rule: SeatRules.Ineffective
  ) -> Remedy? {
    guard let module = rules.facts.staticModule, module.isModuleName else { return nil }
    return Remedy(
      fix.title, commands: module.loadingCommands, actor: .administrator,
      assumes: "\(rule.verdict.place) then gives \(user) access")
  }
}

extension FactsChange {
  fileprivate var addsGroups: Bool {
    if case .addGroups = self { true } else { false }
  }
}
