internal import UdevRules

/// The result of udev's rules for a node, and the rules for it that have had no effect.
struct SeatRules {
  let facts: RuleFacts
  /// The result that `devaccess rules` also prints.
  let answer: RuleAnswer
  private let node: Node

  /// Creates the result for a node; `nil` if the rules were not read, or if no daemon applies them.
  ///
  /// In a container, only a udev daemon inside the container applies them.
  init?(_ facts: AccessFacts, of device: DeviceFacts?, _ node: Node) {
    guard let answer = facts.ruleAnswer(for: node), let rules = facts.namedRules,
      rules.node == (device?.node ?? node.path)
    else { return nil }
    let isInside = facts.confinement.container.map { !["lxc", "systemd-nspawn"].contains($0) }
    guard isInside != true || rules.daemon.isReachable == true else { return nil }
    self.facts = rules
    self.answer = answer
    self.node = node
  }

  /// Clauses that identify the lines that set the mode, owner, group and tag of the node.
  var origins: [String] {
    let subjects: [UdevRuleEffect.Subject] = [.mode, .owner, .group, .tag("uaccess")]
    return subjects.compactMap { subject in
      let effect = answer.report?.effects.last {
        $0.subject == subject && $0.overwritten == nil && $0.fixed == nil && $0.value != nil
      }
      return effect.map { effect in
        "\(effect.place) \(effect.isCertain ? "sets" : "may set") \(subject.words)"
      }
    }
  }

  /// The line that sets the group of the node, or otherwise its mode; `nil` if no line certainly
  /// does.
  var setting: UdevRuleEffect? {
    let effects = (answer.report?.effects ?? []).filter {
      $0.overwritten == nil && $0.fixed == nil && $0.isCertain && $0.value != nil
    }
    return effects.last { $0.subject == .group } ?? effects.last { $0.subject == .mode }
  }

  /// A Boolean value that indicates whether the node exists from boot on, even if its module is not
  /// loaded.
  var isStaticNode: Bool {
    let name = facts.node.dropFirst("/dev/".count)
    return facts.staticModule != nil
      || facts.rules.files.contains { file in
        file.lines.contains { $0.staticNodes.contains { $0.exact.utf8.elementsEqual(name.utf8) } }
      }
  }

  /// A Boolean value that indicates whether udevd may have read a file before a user or group in it
  /// existed.
  var readsLateNames: Bool {
    !RuleReview(facts: facts, node: node, report: answer.report, action: "add").lateNames.isEmpty
  }

  /// The line that sets the group of the node, if the device was not observed.
  ///
  /// The line is found by the name of the node.
  var groupByName: (place: UdevRulePlace, group: UdevRuleText)? {
    guard facts.device == nil else { return nil }
    let identity = RuleIdentity(facts)
    for file in facts.rules.files.reversed() {
      for line in file.lines.reversed() where identity.holds(for: line) {
        guard let token = line.tokens.first(where: { $0.key == .groupID || $0.key == .group })
        else { continue }
        return (UdevRulePlace(path: file.path, line: line.number), token.value)
      }
    }
    return nil
  }

  /// The line that sets the tag too late, and the line that it should precede.
  var latePlaces: (tag: UdevRulePlace, turning: UdevRulePlace)? {
    guard let report = answer.report else { return nil }
    for effect in report.effects where effect.subject == .tag("uaccess") && effect.value != nil {
      guard case .tooLate(_, let after) = RuleProof(facts, report, effect.place).obstacle else {
        continue
      }
      return (effect.place, after)
    }
    return nil
  }

  // MARK: - A rule without effect

  /// A rule for the device that has had no effect.
  struct Ineffective {
    let verdict: RuleVerdict
    let finding: RuleFinding
    /// A Boolean value that indicates whether the rule sets the tag `uaccess` and the tag could
    /// help the subject.
    let isTag: Bool
    /// A Boolean value that indicates whether the rule sets the node's owner, group or mode.
    let isOwnership: Bool
    /// The relevant assignments in the rule, as they are written.
    let parts: String

    /// A Boolean value that indicates whether the rule takes effect at the next event of the
    /// device.
    var isPending: Bool {
      [.noEventSince, .notHandled, .changedAfterwards].contains(finding.code)
    }
  }

  /// Returns the most relevant rule that has had no effect.
  ///
  /// - Parameter isSeat: Pass `true` if the tag `uaccess` can give the subject access.
  /// - Returns: The rule; `nil` if there is no relevant one.
  func ineffective(isSeat: Bool) -> Ineffective? {
    answer.ineffective.lazy.compactMap { verdict -> Ineffective? in
      guard let finding = verdict.finding, let line = line(of: verdict) else { return nil }
      let tokens = line.tokens.filter { !$0.key.isMatch }
      let isTag = tokens.contains { $0.key == .addTag && $0.value == "uaccess" }
      let ownership: [UdevRuleKey] = [.owner, .ownerID, .group, .groupID, .mode, .modeID]
      let kept = tokens.filter { ownership.contains($0.key) || $0.key == .addTag }
      let isOwnership = kept.contains { ownership.contains($0.key) }
      guard isSeat || isOwnership else { return nil }
      return Ineffective(
        verdict: verdict, finding: finding, isTag: isTag && isSeat, isOwnership: isOwnership,
        parts: kept.map(\.description).joined(separator: ", "))
    }.first
  }

  private func line(of verdict: RuleVerdict) -> UdevRuleLine? {
    let bytes = ByteText(verdict.text).bytes
    func parsed(_ bytes: [UInt8]) -> UdevRuleLine? {
      let file = UdevRuleFile(path: verdict.place.path, bytes: bytes, version: facts.version)
      return file.cut(ofLine: 1) == nil ? file.lines.first : nil
    }
    return parsed(bytes)
      ?? RuleFixer.corrected(bytes, facts.version).flatMap { parsed(Array($0.text.text.utf8)) }
  }

  /// Returns a clause that explains why a rule has had no effect.
  ///
  /// - Parameters:
  ///   - rule: The rule.
  ///   - object: A phrase for the device, to use in the clause.
  /// - Returns: The clause.
  func reason(_ rule: Ineffective, for object: String) -> String {
    let place = rule.verdict.place
    let summary = rule.finding.summary.dropLast()
    let file = "udevd does not read \(place.path)"
    switch rule.finding.code {
    case .mismatch, .tooEarly, .skipped: return "\(place) does not apply, because \(summary)"
    case .tooLate:
      if let late = latePlaces, late.tag == place {
        return "\(late.tag) tags it after \(late.turning), which gives tagged devices to the user"
      }
      return "\(place) has no effect: \(summary)"
    case .wrongName, .masked, .replaced:
      let why =
        summary.utf8.starts(with: file.utf8)
        ? "udevd does not read the file\(summary.dropFirst(file.count))" : "\(summary)"
      return "\(place) matches \(object), but \(why)"
    case .wrongFolder: return "\(place) matches \(object), but \(summary)"
    case .noEventSince:
      let does = rule.isTag ? "tags \(object)" : "sets \(rule.parts) on \(object)"
      return "\(place) \(does), but udev has not processed the device since the rule was written"
    case .notHandled: return "\(place) sets \(rule.parts), and \(summary)"
    case .changedAfterwards: return String(summary)
    case .staticNode:
      let module = facts.staticModule.map { ": the \($0) module is not loaded" } ?? ""
      return """
        \(place) sets \(rule.parts), but has not been applied, because the kernel has no device for \(object) yet\
        \(module)
        """
    default:
      return
        "\(place) \(rule.verdict.isPartial ? "takes effect only in part" : "has no effect"): "
        + summary
    }
  }

  /// A clause about the most similar rule, if no rule for the device's model sets the tag.
  var nearest: String? {
    guard let model = RuleIdentity(facts).model, facts.device != nil else { return nil }
    let none = "no rule for the model \(model) has the tag"
    guard let sibling = answer.sibling else { return none }
    return "\(none); \(sibling.place) is for another model (\(sibling.match))"
  }
}

extension AccessFacts {
  /// The rules, with the names and IDs of users and groups from the account facts added.
  var namedRules: RuleFacts? {
    guard var rules else { return nil }
    // In a user namespace, users and groups have different IDs from those stored in the node.
    for (id, name) in account.groupNames {
      rules.environment.groups[UdevRuleText(exact: name)] = .present(id)
    }
    for (id, name) in account.userNames {
      rules.environment.users[UdevRuleText(exact: name)] = .present(id)
    }
    return rules
  }

  /// Returns the result of udev's rules for the device.
  ///
  /// - Parameters:
  ///   - node: The observed node; `nil` if it was not observed.
  ///   - action: The action of the event, such as `add`.
  ///   - rule: A rule that is expected to take effect.
  /// - Returns: The result; `nil` if the rules were not read.
  package func ruleAnswer(
    for node: Node?, action: String = "add", rule: RuleReference? = nil
  ) -> RuleAnswer? {
    guard let rules = namedRules else { return nil }
    let device = devices.first { $0.node == rules.node }
    let seen = device.map { Set(($0.currentTags ?? $0.tags).map { UdevRuleText(exact: $0) }) }
    let recorded = rules.record.map { $0.currentTags ?? $0.tags }
    let others = devices.filter { $0.node != rules.node }.map { UdevRuleText($0.kernelName) }
    return RuleAnswer(
      rules, node: node, action: action, rule: rule, tags: seen ?? recorded, others: Set(others))
  }
}

/// Rules that remove access that earlier rules gave.
extension SeatRules {
  /// A line in a rules file that removes access.
  struct Narrowing {
    let place: UdevRulePlace
    /// The overridden line, which gave access; `nil` if it is unknown.
    let giver: UdevRulePlace?
    /// The assignments in the line, as they are written.
    let parts: String
    /// The numbers of the physical lines that the rule occupies in its file.
    let numbers: ClosedRange<Int>
    /// The result of the rules for the device without the line.
    let outcome: RuleFix.Outcome
    /// A Boolean value that indicates whether, without the line, the device is tagged `uaccess` in
    /// time.
    let isTagged: Bool
    /// The action of an event that produces the outcome.
    let action: String

    /// The path of the file in the administrator's directory, which can override a file of a
    /// package.
    var ownPath: String {
      let name = place.path.split(separator: "/").last ?? ""
      return RuleFile.isOwn(place.path) ? place.path : "/etc/udev/rules.d/\(name)"
    }
  }

  /// The lines that remove access.
  ///
  /// Lines that override the tag come first, followed by those that run commands, and those that
  /// set the mode or group. The caller must check whether access is given without a line.
  var narrowings: [Narrowing] {
    let report = answer.report
    let effects = report?.effects ?? []
    let tags = effects.filter { $0.subject == .tag("uaccess") && $0.isCertain }
    var takers: [(place: UdevRulePlace, giver: UdevRulePlace?)] = []
    if let given = tags.last(where: { $0.value != nil }), let taker = given.overwritten {
      takers.append((taker, given.place))
    }
    for command in report?.commands ?? [] where command.isCertain && command.takesAccess {
      takers.append((command.place, tags.last { $0.value != nil }?.place))
    }
    for effect in effects.reversed() where effect.subject == .mode || effect.subject == .group {
      guard effect.isCertain, effect.overwritten == nil, effect.fixed == nil else { continue }
      let giver = effects.last {
        $0.subject == effect.subject && $0.overwritten == effect.place && $0.isCertain
      }
      if giver != nil || RuleFile.isOwn(effect.place.path) {
        takers.append((effect.place, giver?.place))
      }
      break
    }
    return takers.compactMap { narrowing(at: $0.place, after: $0.giver) }
  }

  private func narrowing(
    at place: UdevRulePlace, after giver: UdevRulePlace?
  ) -> Narrowing? {
    guard let file = facts.file(at: place.path), file.state == .rules,
      let line = facts.rules.files.first(where: { $0.path == file.path })?.lines.first(where: {
        $0.number == place.line
      })
    else { return nil }
    var lines = file.bytes.split(omittingEmptySubsequences: false) { $0 == 10 }.map(Array.init)
    guard line.numbers.upperBound <= lines.count else { return nil }
    for number in line.numbers { lines[number - 1].insert(UInt8(ascii: "#"), at: 0) }
    let without = facts.replacing(
      with: RuleFile(
        folder: file.folder, name: file.name, bytes: Array(lines.joined(separator: [10])),
        owner: file.owner, modified: file.modified))
    guard let report = without.report("add") else { return nil }
    func isTagged(_ report: UdevRuleReport) -> Bool {
      report.effects.contains { effect in
        effect.subject == .tag("uaccess") && effect.value != nil
          && RuleProof(without, report, effect.place).lasting.contains(effect)
      }
    }
    let isSame = without.report("change").map {
      $0.node == report.node && isTagged($0) == isTagged(report)
    }
    let keys: [UdevRuleKey] = [
      .owner, .ownerID, .group, .groupID, .mode, .modeID, .addTag, .runProgram,
    ]
    let parts = line.tokens.filter { token in
      keys.contains(token.key) && (token.key != .runProgram || token.value.changesNodes)
    }.map(\.description)
    return Narrowing(
      place: place, giver: giver,
      parts: parts.dropLast().joined(separator: ", ")
        + (parts.count > 1 ? " and " : "") + (parts.last ?? ""),
      numbers: line.numbers, outcome: RuleFix.Outcome(report), isTagged: isTagged(report),
      action: isSame == true ? "change" : "add")
  }

  /// Returns the line that gives the node to one of the subject's groups, and the line that
  /// overrides it.
  func earlierGroup(
    in subject: Subject
  ) -> (name: String, group: UInt32, place: UdevRulePlace, later: UdevRulePlace)? {
    let held = Set(subject.groups).union([subject.fsgid])
    for effect in (answer.report?.effects ?? []).reversed() where effect.subject == .group {
      guard let later = effect.overwritten, effect.isCertain, effect.fixed == nil,
        case .value(let value)? = effect.value,
        let group = UInt32(value.exact) ?? facts.environment.groups[value]?.value, group != 0,
        held.contains(group), effect.token.value.exact.isRuleWord
      else { continue }
      return (effect.token.value.exact, group, effect.place, later)
    }
    return nil
  }
}

extension SeatsLayer {
  /// Returns the cause, with a note in its summary if a rule took the node away from a group of the
  /// subject.
  func withEarlierGroup(_ cause: Cause, _ node: Node) -> Cause {
    guard node.type.isDevice, cause.code == .groupNotMember,
      let given = SeatRules(facts, of: assessment.device, node)?.earlierGroup(in: subject)
    else { return cause }
    var cause = cause
    cause.summary += """
       \(given.place) gives it to group \(given.name), which \(user) is in, but \(given.later), \
      which comes later, gives it to another group.
      """
    return cause
  }

  /// Returns the cause, with the rule that removes access in its summary.
  func withNarrowingRule(_ cause: Cause, _ node: Node) -> Cause {
    guard node.type.isDevice,
      let rule = IneffectiveRuleRemedies(assessment, names: names).narrowing,
      !cause.summary.contains(rule.place.description)
    else { return cause }
    var cause = cause
    cause.summary +=
      rule.giver.map { " \($0) gives access, and \(rule.place), which comes later," }
      ?? " \(rule.place)"
    cause.summary += " sets \(rule.parts)."
    return cause
  }
}

extension UdevRuleReport.Command {
  /// A Boolean value that indicates whether the command is a program that reduces a node's
  /// permissions.
  fileprivate var takesAccess: Bool {
    guard !isBuiltin, let words = text.known?.exact.split(whereSeparator: { " /'\"".contains($0) })
    else { return false }
    func has(_ names: String...) -> Bool { words.contains { names.contains(String($0)) } }
    if has("setfacl") {
      return has("-b", "-x", "-k", "-bn", "--remove-all", "--remove", "--set")
    }
    if has("chmod") {
      return !words.contains { $0.contains("+") || $0.hasSuffix("6") || $0.hasSuffix("7") }
    }
    return has("chown", "chgrp")
  }
}
