internal import AccessModel
internal import UdevRules

/// The output of `devaccess rules`.
///
/// It lists the lines that affect the device, the line that determines each value, and the reasons
/// why a rule has no effect.
struct RulesText: Sendable {
  let answer: RuleAnswer
  let facts: RuleFacts
  let node: Node?
  let style: Style

  /// The complete text, including the final newline.
  var text: String {
    var lines = [headline]
    if answer.verdicts.isEmpty {
      lines += touching
      lines += deciding
      for verdict in answer.ineffective { lines += [""] + self.verdict(verdict) }
    } else {
      for verdict in answer.verdicts { lines += self.verdict(verdict) }
    }
    for finding in answer.findings {
      lines += [""] + self.finding(finding, isFixShown: !isToldBefore(finding))
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private var headline: String {
    let device = facts.device.map { safe("/sys\($0.path)") } ?? "no device"
    let version = facts.isVersionKnown ? "\(facts.version.number)" : "version unknown"
    return "\(style.paint(safe(facts.node), .heading)) (\(device)), event \(answer.action), "
      + "systemd \(version)"
  }

  // MARK: - Lines that affected the device

  private var touching: [String] {
    guard answer.report != nil else { return [] }
    if answer.lines.isEmpty { return ["No udev rule matches this device."] }
    let unrelated = answer.lines.filter(isUnrelated)
    let isFolded = unrelated.count > 1
    let shown = isFolded ? answer.lines.filter { !isUnrelated($0) } : answer.lines
    let folded =
      isFolded
      ? wrapped(
        "\(style.mark(.undecided)) \(unrelated.count) lines may set properties and links, which do not "
          + "give access; --json lists them", "")
      : []
    return folded
      + shown.flatMap { line in
        let isSure = line.doubts.isEmpty
        let place = safe("\(line.place)")
        let head = isSure ? place : "\(style.mark(.undecided)) \(place)"
        let reasons = line.doubts.prefix(1).flatMap {
          wrapped("depends on " + safe($0.clause, limit: 512), "    ")
        }
        return [head] + line.effects.map { "    " + effect($0) } + reasons
      }
  }

  /// Returns `true` if a line that might not apply cannot affect access.
  private func isUnrelated(_ line: RuleAnswer.Line) -> Bool {
    !line.doubts.isEmpty
      && line.effects.allSatisfy { effect in
        switch effect.subject {
        case .property, .link, .option, .setting, .attribute: true
        case .tag(let tag): tag != "uaccess"
        case .owner, .group, .mode, .securityLabel, .interfaceName, .command: false
        }
      }
  }

  private func effect(_ effect: UdevRuleEffect) -> String {
    var text = safe("\(effect.token)", limit: 512)
    switch effect.value {
    case nil: break
    case .value(let value):
      let shown = effect.subject == .mode ? "0\(value)" : "\(value)"
      if shown != "\(effect.token.value)" { text += ": " + safe(shown, limit: 512) }
    case .unknown(let doubt): text += ": depends on " + safe(doubt.clause, limit: 512)
    }
    if let place = effect.overwritten { text += " (\(safe("\(place)")) sets it again)" }
    if let place = effect.fixed { text += " (\(safe("\(place)")) fixed it)" }
    let isIdle = effect.overwritten != nil || effect.fixed != nil
    return isIdle ? style.paint(text, .faint) : text
  }

  // MARK: - Deciding lines

  private var deciding: [String] {
    guard let report = answer.report else { return [] }
    var rows = Columns()
    let made = report.node
    rows.add(row("mode", made.mode, .mode) { "0" + String($0, radix: 8) })
    rows.add(row("owner", made.owner, .owner) { String($0) })
    rows.add(row("group", made.group, .group) { String($0) })
    for tag in report.currentTags.sorted() {
      rows.add(["tag \(safe("\(tag)"))", "", origin(.tag(tag))])
    }
    return [""] + rows.lines(style: style)
  }

  private func row(
    _ name: String, _ value: UdevRuleKnown<UInt32?>, _ subject: UdevRuleEffect.Subject,
    _ text: (UInt32) -> String
  ) -> [String] {
    switch value {
    case .unknown(let doubt): [name, "?", "depends on " + safe(doubt.clause, limit: 512)]
    case .value(nil): [name, "", "no rule sets it"]
    case .value(let number?): [name, text(number), origin(subject)]
    }
  }

  private func origin(_ subject: UdevRuleEffect.Subject) -> String {
    if let effect = answer.deciding(subject) { return safe("\(effect.place)") }
    let isUpgraded = subject == .mode && answer.report?.mode == .value(nil)
    return isUpgraded ? "because a rule sets a group" : "from the kernel"
  }

  // MARK: - Requested rules

  private func verdict(_ verdict: RuleVerdict) -> [String] {
    let (mark, words): (Mark, String) =
      switch verdict.effect {
      case .effective where answer.isPending == true:
        (.denied, "will take effect at the next event")
      case .effective where answer.isPending == nil:
        (.undecided, "takes effect if udev has applied it")
      case .effective: (.granted, "takes effect")
      case .ineffective:
        (.denied, verdict.isPartial ? "takes effect only in part" : "has no effect")
      case .undetermined: (.undecided, "may take effect")
      }
    var lines = ["\(style.mark(mark)) \(safe("\(verdict.place)")) \(words)"]
    lines += wrapped(safe(verdict.text, limit: 1024), "    ")
    guard let finding = verdict.finding else { return lines }
    lines += self.finding(finding, isFixShown: true).map { "  " + $0 }
    return lines
  }

  private func isToldBefore(_ finding: RuleFinding) -> Bool {
    guard let fix = finding.fix else { return true }
    return (answer.verdicts + answer.ineffective).contains { $0.finding?.fix == fix }
  }

  private func finding(_ finding: RuleFinding, isFixShown: Bool) -> [String] {
    let lines = wrapped(safe(finding.summary, limit: 1024), "")
    guard isFixShown, let fix = finding.fix else { return lines }
    let title = "Fix: " + safe(fix.title, limit: 512) + "."
    // Do not wrap commands, so they can be copied.
    return lines + wrapped(title, "  ") + fix.commands.map { "    " + style.command($0) }
  }

  private func wrapped(_ text: String, _ indent: String) -> [String] {
    Wrapping.lines(text, width: style.width, first: indent, rest: indent)
  }

  private func safe(_ text: String, limit: Int = 4096) -> String {
    style.safe(text, limit: limit)
  }
}
