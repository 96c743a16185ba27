/// What udev's rules make of a device, and why.
public struct RuleAnswer: Hashable, Sendable {
  /// A line that did something to the device, or may have.
  public struct Line: Hashable, Sendable {
    /// The line.
    public let place: UdevRulePlace
    /// What is not known, if the line may or may not take effect.
    public let doubts: [UdevRuleDoubt]
    /// What it set.
    public let effects: [UdevRuleEffect]
  }

  /// What happens to the device.
  public let action: String
  /// What udevd would make of it; `nil` where no device has the node.
  public let report: UdevRuleReport?
  /// The lines that touched the device, in the order of the rules.
  public let lines: [Line]
  /// The lines that were asked about.
  public let verdicts: [RuleVerdict]
  /// Why something is not as the rules say; of the device first, then of files.
  public let findings: [RuleFinding]
  /// The lines that were written for the device and have had no effect on it, those that explain most
  /// first; empty where a line was asked about.
  public let ineffective: [RuleVerdict]
  /// The nearest rule that is for another model of the same maker.
  let sibling: IneffectiveRules.Sibling?
  /// The place among the effects of the one that counts for each subject.
  private let deciders: [UdevRuleEffect.Subject: Int]

  /// Applies the rules, and looks for what keeps them from their effect.
  ///
  /// - Parameters:
  ///   - facts: The rules and the device.
  ///   - node: The node as it is; `nil` when it was not seen.
  ///   - action: What happens to the device, such as `add`.
  ///   - rule: A file, and perhaps a line of it, that somebody expects to take effect.
  public init(
    _ facts: RuleFacts, node: Node?, action: String = "add", rule: RuleReference? = nil
  ) {
    let tags = facts.record.map { $0.currentTags ?? $0.tags }
    self.init(facts, node: node, action: action, rule: rule, tags: tags, others: [])
  }

  /// The same, where the tags of the device and the names of others are known.
  init(
    _ facts: RuleFacts, node: Node?, action: String, rule: RuleReference?,
    tags: Set<UdevRuleText>?, others: Set<UdevRuleText>
  ) {
    self.action = action
    let report = facts.report(action)
    self.report = report
    lines = report.map(Self.lines) ?? []
    var deciders: [UdevRuleEffect.Subject: Int] = [:]
    for (index, effect) in (report?.effects ?? []).enumerated()
    where effect.overwritten == nil && effect.fixed == nil && effect.value != nil {
      deciders[effect.subject] = index
    }
    self.deciders = deciders
    let search = RuleSearch(facts: facts, report: report, action: action)
    let (verdicts, ofFile) = rule.map(search.answer) ?? ([], [])
    let review = RuleReview(facts: facts, node: node, report: report, action: action)
    let told = rule.map { rule in verdicts.map { review.afterLastEvent($0, rule) } } ?? []
    self.verdicts = told
    let isEffective = rule == nil || told.contains { $0.effect != .ineffective }
    findings = ofFile + review.findings(concerning: rule, isEffective: isEffective)
    let result =
      rule == nil
      ? IneffectiveRules(search: search, review: review, tags: tags, others: others).result()
      : IneffectiveRules.Result()
    ineffective = result.verdicts
    sibling = result.sibling
  }

  private static func lines(_ report: UdevRuleReport) -> [Line] {
    var effects: [UdevRulePlace: [UdevRuleEffect]] = [:]
    for effect in report.effects { effects[effect.place, default: []].append(effect) }
    return report.outcomes.compactMap { outcome in
      guard let effects = effects[outcome.place] else { return nil }
      var doubts: [UdevRuleDoubt] = []
      if case .undetermined(let reasons) = outcome.verdict { doubts = reasons }
      return Line(place: outcome.place, doubts: doubts, effects: effects)
    }
  }

  /// The effect that counts for something in the end; `nil` where no line set it.
  public func deciding(_ subject: UdevRuleEffect.Subject) -> UdevRuleEffect? {
    deciders[subject].flatMap { report?.effects[$0] }
  }

  /// Whether a line takes effect at the next event and has not yet; `nil` if that is not known.
  public var isPending: Bool? {
    let pending: Set<RuleFinding.Code> = [
      .noDaemon, .notHandled, .noEventSince, .changedAfterwards,
    ]
    let reasons = findings.filter { pending.contains($0.code) }
    if reasons.isEmpty { return false }
    return reasons.contains(where: \.isCertain) ? true : nil
  }

  /// Whether a line that was asked about takes effect; `nil` when none was asked about.
  public var effect: RuleVerdict.Effect? {
    if verdicts.isEmpty { return nil }
    let effects = Set(verdicts.map(\.effect))
    if effects.contains(.effective) { return .effective }
    return effects.contains(.undetermined) ? .undetermined : .ineffective
  }
}
