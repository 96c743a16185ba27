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
      ?? RuleFixer.mended(bytes, facts.version).flatMap { parsed(Array($0.text.text.utf8)) }
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
      return "\(place) \(does), but udev has not handled the device since the rule was written"
    case .notHandled: return "\(place) sets \(rule.parts), and \(summary)"
    case .changedAfterwards: return String(summary)
    case .staticNode:
      let module = facts.staticModule.map { ": the module \($0) is not loaded" } ?? ""
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
