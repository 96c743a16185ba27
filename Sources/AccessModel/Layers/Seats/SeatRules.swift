/// Which of udev's rules tags a device for the user of its seat, and which was meant to.
struct SeatRules {
  let facts: RuleFacts
  private let report: UdevRuleReport

  /// The rules of a device; `nil` where they were not read.
  init?(_ facts: RuleFacts?, of device: DeviceFacts) {
    guard let facts, facts.node == device.node, let report = facts.report("change") else {
      return nil
    }
    self.facts = facts
    self.report = report
  }

  /// The line that tags the device in time; `nil` when none does for sure.
  var taggingPlace: UdevRulePlace? {
    places.first { RuleProof(facts, report, $0).obstacle == nil }
  }

  /// The line that tags the device too late, and the one that it would have to precede.
  var latePlaces: (tag: UdevRulePlace, turning: UdevRulePlace)? {
    for place in places {
      guard case .tooLate(_, let after) = RuleProof(facts, report, place).obstacle else { continue }
      return (place, after)
    }
    return nil
  }

  /// Which lines decide about the node, one clause each.
  var origins: [String] {
    let subjects: [UdevRuleEffect.Subject] = [.mode, .owner, .group, .tag("uaccess")]
    return subjects.compactMap { subject in
      let effect = report.effects.last {
        $0.subject == subject && $0.overwritten == nil && $0.fixed == nil && $0.value != nil
      }
      return effect.map { effect in
        "\(effect.place) \(effect.isCertain ? "sets" : "may set") \(subject.words)"
      }
    }
  }

  /// What sets the group of the node, or else its mode; `nil` when no line surely does.
  var setting: UdevRuleEffect? {
    let effects = report.effects.filter {
      $0.overwritten == nil && $0.fixed == nil && $0.isCertain && $0.value != nil
    }
    return effects.last { $0.subject == .group } ?? effects.last { $0.subject == .mode }
  }

  private var places: [UdevRulePlace] {
    report.effects.filter { $0.subject == .tag("uaccess") && $0.value != nil }.map(\.place)
  }

  /// A rule of the administrator's that was meant to tag a device, the first match of it that
  /// fails, and its lines.
  var failingRule: (file: RuleFile, line: UdevRuleLine, mismatch: UdevRuleMismatch)? {
    var mismatches: [UdevRulePlace: UdevRuleMismatch] = [:]
    for outcome in report.outcomes {
      if case .failed(let mismatch) = outcome.verdict { mismatches[outcome.place] = mismatch }
    }
    for file in facts.rules.files where file.path.hasPrefix("/etc/") {
      for line in file.lines
      where line.tokens.contains(where: { $0.key == .addTag && $0.value == "uaccess" }) {
        let place = UdevRulePlace(path: file.path, line: line.number)
        guard let mismatch = mismatches[place], mismatch.token.isOfHardware,
          !RuleTies(facts: facts).isForOthers(line), let found = facts.file(at: file.path)
        else { continue }
        return (found, line, mismatch)
      }
    }
    return nil
  }

  /// The rules as a clause that says why the device has no tag; `nil` when they say nothing.
  var untagged: String? {
    if let place = taggingPlace {
      return "\(place) tags it, and no event came since the rule was written"
    }
    if let late = latePlaces { return "\(late.tag) tags it after \(late.turning)" }
    guard let (file, line, mismatch) = failingRule else { return nil }
    let sentence = RuleWords(facts: facts).sentence(mismatch, line)
    return "\(file.path):\(line.number) does not apply: \(sentence.dropLast())"
  }

  /// The commands that make the administrator's own rule apply, if the model shows that they do.
  var fix: RuleFix? {
    if let place = taggingPlace {
      return RuleFix(
        "Let udev handle the device again, which \(place) tags then",
        RuleEvent(facts: facts, action: "change").commands, isProven: true)
    }
    let fixer = RuleFixer(facts: facts, action: "change")
    if let late = latePlaces, let file = facts.file(at: late.tag.path),
      let line = facts.rules.files.first(where: { $0.path == file.path })?.lines
        .first(where: { $0.number == late.tag.line })
    {
      return fixer.fix(line.numbers, of: file)
    }
    return failingRule.flatMap { fixer.fix($0.line.numbers, of: $0.file) }
  }
}

extension UdevRuleToken {
  /// Whether the match fails for another kind of device by its nature: such a rule is not for this
  /// one.
  fileprivate var isOfHardware: Bool {
    switch key {
    case .subsystem, .parentSubsystem, .attribute, .parentAttribute, .property: true
    default: false
    }
  }
}
