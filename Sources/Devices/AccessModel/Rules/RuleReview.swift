internal import UdevRules

/// Finds reasons why a rule has no effect on a device, other than the text of the rule.
struct RuleReview {
  let facts: RuleFacts
  let node: Node?
  let report: UdevRuleReport?
  let action: String

  /// Returns the reasons why rules have no effect.
  ///
  /// - Parameters:
  ///   - rule: The rule; `nil` for all rules.
  ///   - isEffective: `true` if the rule would take effect at an event, `false` if it must first be
  ///     corrected.
  /// - Returns: The reasons. If a rule is given, they do not include invalid names and lines of the
  ///   administrator's files.
  func findings(concerning rule: RuleReference?, isEffective: Bool) -> [RuleFinding] {
    guard report != nil else { return [RuleStaticNode(facts: facts).finding] }
    var findings: [RuleFinding] = []
    if let finding = daemon {
      findings.append(finding)
    } else if isEffective,
      let finding = event(rule) ?? difference(concerning: rule) ?? unseenDatabase
    {
      findings.append(finding)
    }
    findings += unread
    if rule == nil { findings += ofFiles }
    return findings
  }

  // MARK: - The device

  /// The finding that no daemon applies rules, or that this is unknown.
  var daemon: RuleFinding? {
    guard let isReachable = facts.daemon.isReachable else {
      guard facts.handled == nil else { return nil }
      return RuleFinding(
        .noDaemon, at: nil,
        "Neither a udev daemon nor its database can be seen here, so perhaps no rule is applied.",
        isCertain: false)
    }
    guard !isReachable else { return nil }
    return RuleFinding(
      .noDaemon, at: nil, "No udev daemon is running here, so no rules are applied.",
      fix: RuleFix(
        "Start udev, and have it process the device",
        UdevDaemonStart(hasSystemd: facts.daemon.hasSystemd).start
          + RuleEvent(facts: facts, action: "add").commands,
        isProven: false))
  }

  /// The finding that udev's database cannot be read, so the last event is unknown.
  private var unseenDatabase: RuleFinding? {
    guard facts.record == nil, facts.handled == nil else { return nil }
    return RuleFinding(
      .notHandled, at: nil,
      "udev's database cannot be seen here, so perhaps udev has not processed the device.",
      isCertain: false)
  }

  /// Returns the finding that udev has not handled the device since the rules were written.
  func event(_ rule: RuleReference?) -> RuleFinding? {
    guard facts.record != nil else { return nil }
    guard let handled = facts.handled else {
      return RuleFinding(
        .notHandled, at: nil, "udev has not processed the device.", fix: again(isProven: false))
    }
    var paths = Set((report?.effects ?? []).filter { $0.fixed == nil }.map(\.place.path))
    if let file = rule?.file(in: facts) { paths = paths.intersection([file.path]) }
    let newer = facts.files.filter { paths.contains($0.path) && ($0.modified ?? 0) > handled }
    guard let file = newer.max(by: { ($0.modified ?? 0) < ($1.modified ?? 0) }) else { return nil }
    return RuleFinding(
      .noEventSince, at: UdevRulePlace(path: file.path, line: 1),
      "\(file.path) was written after udev last processed the device.", fix: again(isProven: true))
  }

  /// Returns the reason why a line has not taken effect yet, although it would at an event.
  func pending(_ rule: RuleReference, at place: UdevRulePlace) -> RuleFinding {
    if let finding = event(rule) ?? difference(concerning: rule) {
      return RuleFinding(finding.code, at: place, finding.summary, fix: finding.fix)
    }
    return RuleFinding(
      .noEventSince, at: place,
      """
      The device does not have what \(place) sets: udev has not processed it since the rule was \
      written.
      """,
      fix: again(isProven: true))
  }

  func again(isProven: Bool) -> RuleFix {
    let isSame = facts.report("change").map { $0.node == report?.node } ?? false
    let late = lateNames
    return RuleFix(
      late.isEmpty
        ? "Reload the udev rules, and have udev process the device again"
        : "Have udevd read the rules again (touch marks them as changed) and process the device again",
      late.map { RuleEvent.renewing($0.file) }
        + RuleEvent(facts: facts, action: isSame ? "change" : action).commands, isProven: isProven,
      outcome: report.map { RuleFix.Outcome($0) })
  }

  /// The user and group names that the administrator's own files assign to the node, at most one
  /// per file.
  ///
  /// udevd looked each of them up when it read the file, perhaps before the user or group existed.
  var lateNames: [(file: RuleFile, effect: UdevRuleEffect)] {
    var found: [(file: RuleFile, effect: UdevRuleEffect)] = []
    for subject in [UdevRuleEffect.Subject.owner, .group] {
      guard
        let effect = report?.effects.last(where: { $0.subject == subject && $0.fixed == nil }),
        effect.value?.known != nil, [.ownerID, .groupID].contains(effect.token.key),
        effect.token.number == nil, effect.token.value != "root",
        let file = facts.file(at: effect.place.path), file.isOwn,
        !found.contains(where: { $0.file.path == file.path })
      else { continue }
      found.append((file, effect))
    }
    return found
  }

  // MARK: - Files

  /// The findings about files that could not be read, or not in full.
  private var unread: [RuleFinding] {
    facts.files.compactMap { file in
      guard let problem = file.problem, file.state == .hidden || file.name.hasSuffix(".rules")
      else { return nil }
      let place = UdevRulePlace(path: file.path, line: 1)
      return RuleFinding(.unreadable, at: place, "\(file.path): \(problem).")
    }
  }

  /// The findings about the administrator's files that udevd does not read, or not in full.
  private var ofFiles: [RuleFinding] {
    var findings: [RuleFinding] = []
    for excluded in facts.choice.excluded where RuleFile.isOwn(excluded.file.folder) {
      let path = excluded.file.path
      let place = UdevRulePlace(path: path, line: 1)
      guard excluded.reason == .suffix,
        path.utf8.reversed().starts(with: "elur.".utf8)
          || path.contains(".rules")
      else { continue }
      guard let file = facts.file(at: path) else { continue }
      let free = RuleFixer.freeName(RuleFixer.readableName(file.name), besides: file, facts)
      let name = "\(file.folder)/\(free)"
      findings.append(
        RuleFinding(
          .wrongName, at: place, "udevd does not read \(path): its name does not end in .rules.",
          fix: RuleFix(
            "Give the file a name that ends in .rules",
            ["mv \(path.shellQuoted) \(name.shellQuoted)"]
              + RuleEvent(facts: facts, action: action).commands, isProven: false)))
    }
    for file in facts.rules.files where file.path.hasPrefix("/etc/") {
      for problem in file.problems.prefix(8) where problem.consequence != .none {
        let place = UdevRulePlace(path: file.path, line: problem.line)
        findings.append(RuleFinding(.invalid, at: place, "\(place): \(problem.title)."))
      }
    }
    return findings
  }
}

/// Rules that match a different event than the last one.
extension RuleReview {
  /// Returns the verdict, or a new one if the node shows that the line does not match the last
  /// event.
  ///
  /// The new verdict applies if the last event was a `change`. udev's database does not contain the
  /// action of the last event.
  func afterLastEvent(_ verdict: RuleVerdict, _ rule: RuleReference) -> RuleVerdict {
    guard verdict.effect == .effective, action == "add", let report, let node,
      node.unobserved.isDisjoint(with: [.status, .acl]), event(rule) == nil,
      !isAsMade(node, report), let changed = facts.report("change"), isAsMade(node, changed),
      let token = actionToken(at: verdict.place, changed)
    else { return verdict }
    let text = """
      \(token) does not match: the last event of the device was "change", as its mode \
      \(node.octalMode), group \(node.gid) and owner \(node.uid) show.
      """
    let fix = RuleFix(
      "Reload the udev rules, and have udev process the device as newly added",
      RuleEvent(facts: facts, action: action).commands, isProven: true)
    return RuleVerdict(
      place: verdict.place, text: verdict.text, effect: .ineffective,
      mismatch: RuleVerdict.Mismatch(
        match: token.description, found: "change",
        device: "/sys" + (facts.device?.path.exact ?? ""),
        isParent: false, matching: nil),
      finding: RuleFinding(.mismatch, at: verdict.place, text, fix: fix))
  }

  /// Returns the action match that fails, in the line itself or in the `GOTO` that skips it.
  private func actionToken(
    at place: UdevRulePlace, _ report: UdevRuleReport
  ) -> UdevRuleToken? {
    switch report.outcomes.first(where: { $0.place == place })?.verdict {
    case .failed(let mismatch): mismatch.token.key == .action ? mismatch.token : nil
    case .skipped(let by):
      RuleProof(facts, report, by).line(at: by)?.tokens.first { $0.key == .action }
    default: nil
    }
  }

  /// Returns `true` if the known results of an event do not contradict the node.
  private func isAsMade(_ node: Node, _ report: UdevRuleReport) -> Bool {
    let made = report.node
    if let mode = made.mode.known ?? nil, !isSame(UInt16(truncatingIfNeeded: mode), node) {
      return false
    }
    if let group = made.group.known ?? nil, group != node.gid { return false }
    if let owner = made.owner.known ?? nil, owner != node.uid { return false }
    return true
  }
}

/// A node without a device, because its module is not loaded or because it was created by hand.
struct RuleStaticNode {
  let facts: RuleFacts

  /// The finding about the rules for the node.
  var finding: RuleFinding {
    let name = facts.node.hasPrefix("/dev/") ? String(facts.node.dropFirst(5)) : facts.node
    for file in facts.rules.files.reversed() {
      for line in file.lines.reversed() where line.staticNodes.contains(where: { $0.exact == name })
      {
        let place = UdevRulePlace(path: file.path, line: line.number)
        return RuleFinding(
          .staticNode, at: place,
          "No device has \(facts.node), and \(place) gives it its permissions when udevd starts.",
          fix: RuleFix(
            "Restart udev, which then sets them",
            UdevDaemonStart(hasSystemd: facts.daemon.hasSystemd).restart, isProven: false))
      }
    }
    return pending(at: nil)
  }

  /// Returns the finding that there are no events for the node, and no rule is applied to it.
  ///
  /// - Parameters:
  ///   - place: The rule.
  ///   - renaming: The command that gives its file a name that udevd reads; `nil` if none is needed.
  /// - Returns: The finding, with the fix.
  func pending(at place: UdevRulePlace?, renaming: String? = nil) -> RuleFinding {
    let module = facts.staticModule
    var fix: RuleFix?
    if let renaming {
      var commands = [renaming, "udevadm control --reload"]
      commands += module?.loadingCommands ?? []
      fix = RuleFix(
        "Give the file a name that udevd reads" + (module == nil ? "" : "; then load the module"),
        commands, isProven: false)
    } else if let module {
      fix = RuleFix(
        "Load the module; udev then processes its device", ["modprobe \(module.shellQuoted)"],
        isProven: false)
    }
    return RuleFinding(
      .staticNode, at: place,
      "No device has \(facts.node), so no event comes for it"
        + (module.map { ": its module, \($0), is not loaded." } ?? "."), fix: fix)
  }
}
