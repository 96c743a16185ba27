/// The effects of udev's rules on a device, with the reasons why rules have no effect.
public struct RuleAnswer: Hashable, Sendable {
  /// A line that has, or may have, an effect on the device.
  public struct Line: Hashable, Sendable {
    /// The place of the line.
    public let place: UdevRulePlace
    /// The reasons why it is unknown whether the line takes effect; empty if it certainly does.
    public let doubts: [UdevRuleDoubt]
    /// The effects of the line.
    public let effects: [UdevRuleEffect]
  }

  /// The action of the event, such as `add`.
  public let action: String
  /// The prediction of how udevd handles the event; `nil` if the node has no device.
  public let report: UdevRuleReport?
  /// The lines that have, or may have, an effect on the device, in the order of the rules.
  public let lines: [Line]
  /// The verdicts for the requested lines.
  public let verdicts: [RuleVerdict]
  /// The reasons why something differs from the rules; those about the device precede those about
  /// files.
  public let findings: [RuleFinding]
  /// The lines that are meant for the device but have had no effect on it, in order of relevance.
  ///
  /// It is empty if a line was requested.
  public let ineffective: [RuleVerdict]
  /// The nearest rule for another model of the same vendor.
  let sibling: IneffectiveRules.Sibling?
  /// The index of the deciding effect for each subject.
  private let deciders: [UdevRuleEffect.Subject: Int]

  /// Applies the rules, and finds the reasons why some have no effect.
  ///
  /// - Parameters:
  ///   - facts: The rules and the device.
  ///   - node: The current state of the node; `nil` if it was not observed.
  ///   - action: The action of the event, such as `add`.
  ///   - rule: A file, or one line of it, that should take effect.
  public init(
    _ facts: RuleFacts, node: Node?, action: String = "add", rule: RuleReference? = nil
  ) {
    let tags = facts.record.map { $0.currentTags ?? $0.tags }
    self.init(facts, node: node, action: action, rule: rule, tags: tags, others: [])
  }

  /// Creates an answer, given the tags of the device and the names of other devices.
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

  /// Returns the deciding effect for a subject; `nil` if no line sets the subject.
  public func deciding(_ subject: UdevRuleEffect.Subject) -> UdevRuleEffect? {
    deciders[subject].flatMap { report?.effects[$0] }
  }

  /// A Boolean value that indicates whether a line will take effect only at the next event; `nil`
  /// if unknown.
  public var isPending: Bool? {
    let pending: Set<RuleFinding.Code> = [
      .noDaemon, .notHandled, .noEventSince, .changedAfterwards,
    ]
    let reasons = findings.filter { pending.contains($0.code) }
    if reasons.isEmpty { return false }
    return reasons.contains(where: \.isCertain) ? true : nil
  }

  /// The effect of the requested lines; `nil` if none was requested.
  ///
  /// If any of them takes effect, the result is ``RuleVerdict/Effect/effective``.
  public var effect: RuleVerdict.Effect? {
    if verdicts.isEmpty { return nil }
    let effects = Set(verdicts.map(\.effect))
    if effects.contains(.effective) { return .effective }
    return effects.contains(.undetermined) ? .undetermined : .ineffective
  }
}
