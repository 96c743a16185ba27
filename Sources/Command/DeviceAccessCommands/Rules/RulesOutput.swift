internal import AccessModel
internal import UdevRules

/// The JSON object of `devaccess rules`.
struct RulesOutput: Encodable {
  /// A line of a rules file.
  struct Place: Encodable {
    let file: String
    let line: Int

    init(_ place: UdevRulePlace) {
      file = place.path
      line = place.line
    }
  }

  /// An assignment in a line.
  struct Effect: Encodable {
    let part: String
    let subject: String
    let value: String?
    let isCertain: Bool
    let overwrittenBy: Place?
    let fixedBy: Place?
    let dependsOn: String?

    private enum CodingKeys: String, CodingKey {
      case part, subject, value
      case isCertain = "certain"
      case overwrittenBy = "overwritten_by"
      case fixedBy = "fixed_by"
      case dependsOn = "depends_on"
    }

    init(_ effect: UdevRuleEffect) {
      part = effect.token.description
      subject = effect.subject.words
      value = effect.value?.known?.description
      isCertain = effect.isCertain
      overwrittenBy = effect.overwritten.map(Place.init)
      fixedBy = effect.fixed.map(Place.init)
      dependsOn = effect.value?.doubt?.clause
    }
  }

  /// A line that applies to the device.
  struct Line: Encodable {
    let at: Place
    let sets: [Effect]
    let dependsOn: [String]

    private enum CodingKeys: String, CodingKey {
      case at, sets
      case dependsOn = "depends_on"
    }
  }

  /// A value that the node gets, and the line that determines it.
  struct Setting: Encodable {
    let value: UInt32?
    let at: Place?
    let dependsOn: String?

    private enum CodingKeys: String, CodingKey {
      case value, at
      case dependsOn = "depends_on"
    }
  }

  /// A tag, and the line that adds it.
  struct Tag: Encodable {
    let name: String
    let at: Place?
  }

  /// A change that makes a rule take effect.
  struct Fix: Encodable {
    let title: String
    let commands: [String]
    let line: String?
    let isProven: Bool

    private enum CodingKeys: String, CodingKey {
      case title, commands, line
      case isProven = "proven"
    }

    init(_ fix: RuleFix) {
      title = fix.title
      commands = fix.commands
      line = fix.line
      isProven = fix.isProven
    }
  }

  /// A reason why the device is not in the state that the rules describe.
  struct Finding: Encodable {
    let code: RuleFinding.Code
    let at: Place?
    let summary: String
    let fix: Fix?

    init(_ finding: RuleFinding) {
      code = finding.code
      at = finding.place.map(Place.init)
      summary = finding.summary
      fix = finding.fix.map(Fix.init)
    }
  }

  /// The first match that does not hold in a rule.
  struct Mismatch: Encodable {
    let match: String
    let found: String?
    let device: String
    let isParent: Bool
    let matching: String?

    private enum CodingKeys: String, CodingKey {
      case match, found, device, matching
      case isParent = "parent"
    }
  }

  /// The effect of a requested line.
  struct Verdict: Encodable {
    let at: Place
    let text: String
    let effect: RuleVerdict.Effect
    /// A Boolean value that indicates whether other parts of the line take effect.
    let isPartial: Bool
    let mismatch: Mismatch?
    let finding: Finding?

    private enum CodingKeys: String, CodingKey {
      case at, text, effect
      case isPartial = "partial"
      case mismatch, finding
    }

    init(_ verdict: RuleVerdict) {
      at = Place(verdict.place)
      text = verdict.text
      effect = verdict.effect
      isPartial = verdict.isPartial
      mismatch = verdict.mismatch.map {
        Mismatch(
          match: $0.match, found: $0.found, device: $0.device, isParent: $0.isParent,
          matching: $0.matching)
      }
      finding = verdict.finding.map(Finding.init)
    }
  }

  let schema = Schema.name
  let command = CommandName.rules
  let exitStatus: Int32
  let node: String
  let sysfsPath: String?
  let action: String
  let systemd: Int?
  let lines: [Line]
  let mode: Setting?
  let owner: Setting?
  let group: Setting?
  let tags: [Tag]
  let links: [String]
  let rule: [Verdict]
  let ineffective: [Verdict]
  let findings: [Finding]

  private enum CodingKeys: String, CodingKey {
    case schema, command, node, action, systemd, lines, mode, owner, group, tags, links, rule
    case ineffective, findings
    case exitStatus = "exit_status"
    case sysfsPath = "sysfs_path"
  }

  init(_ answer: RuleAnswer, _ facts: RuleFacts, _ status: Int32) {
    exitStatus = status
    node = facts.node
    sysfsPath = facts.device.map { "/sys\($0.path)" }
    action = answer.action
    systemd = facts.isVersionKnown ? facts.version.number : nil
    lines = answer.lines.map { line in
      Line(
        at: Place(line.place), sets: line.effects.map(Effect.init),
        dependsOn: line.doubts.map(\.clause))
    }
    func setting(
      _ value: UdevRuleKnown<UInt32?>?, _ subject: UdevRuleEffect.Subject
    ) -> Setting? {
      guard let value else { return nil }
      return Setting(
        value: value.known ?? nil, at: answer.deciding(subject).map { Place($0.place) },
        dependsOn: value.doubt?.clause)
    }
    let made = answer.report?.node
    mode = setting(made?.mode, .mode)
    owner = setting(made?.owner, .owner)
    group = setting(made?.group, .group)
    tags = (answer.report?.currentTags ?? []).sorted().map { tag in
      Tag(name: tag.description, at: answer.deciding(.tag(tag)).map { Place($0.place) })
    }
    links = (answer.report?.links ?? []).sorted().map(\.description)
    rule = answer.verdicts.map(Verdict.init)
    ineffective = answer.ineffective.map(Verdict.init)
    findings = answer.findings.map(Finding.init)
  }
}
