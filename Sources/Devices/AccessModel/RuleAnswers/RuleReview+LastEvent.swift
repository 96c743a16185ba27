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
      "Reload the udev rules, and have udev handle the device as newly added",
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
