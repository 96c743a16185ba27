internal import AccessModel

/// What `devaccess explain` prints: verdict, chain, cause, fix and evidence.
struct ExplanationText: Sendable {
  let explanation: Explanation
  let facts: AccessFacts
  let style: Style
  var engine: ContainerEngine?

  private var names: Names { Names(facts.account) }

  /// The whole text, which ends with a line end.
  var text: String {
    var lines = [headline]
    if let device { lines.append(labelled("Device", [device])[0]) }
    lines += labelled("Subject", [SubjectText(facts: facts, style: style).line])
    lines.append("")
    lines += ChainText(
      decision: explanation.decision, mounts: facts.access.mounts, names: names, style: style
    ).lines()
    lines.append("")
    lines += labelled("Status", [status])
    let causes = (explanation.cause.map { [$0] } ?? []) + explanation.furtherCauses
    lines += labelled("Cause", causes.map(cause))
    lines += labelled("Kernel", [explanation.disagreement].compactMap { $0.map { safe($0) } })
    lines += labelled("Fix", fixes)
    lines += labelled("To find out", lookups)
    lines += labelled("Container", container)
    lines += labelled("Others", candidates)
    lines += labelled("Evidence", explanation.evidence.map { safe($0) })
    lines += labelled("Not observed", explanation.unobserved.map(unobserved))
    return lines.joined(separator: "\n") + "\n"
  }

  /// The verdict in one line.
  var headline: String {
    let answer = explanation.answer
    let subject = explanation.kind.map { safe($0) + ": " } ?? ""
    let type = facts.access.nodes.first { $0.path == explanation.path }?.type
    let creates = facts.access.request.creates && type == nil
    let wanted = creates ? "create" : explanation.wanted.phrase(for: type)
    let word = style.paint(answer.rawValue, answer.tone)
    if answer == .absent, explanation.kind != nil, explanation.decision.leadsNowhere {
      return "\(subject)\(word)"
    }
    let object = safe(explanation.path, 4096)
    return "\(subject)\(word) \(style.dash) \(wanted)\(creates ? "" : " on") \(object)"
  }

  private var device: String? {
    guard let device = explanation.device else { return nil }
    var parts = [device.roleText]
    if let driver = device.driver { parts.append("driver " + safe(driver, 64)) }
    if let bus = device.bus { parts.append(safe(bus, 32)) }
    parts.append(safe(device.seat, 32))
    if device.isTaggedForUserAccess { parts.append("tagged uaccess") }
    return (device.name.map { safe($0, 64) + ": " } ?? "") + parts.joined(separator: ", ")
  }

  private var status: String {
    let words = explanation.statusWords
    return ([style.paint(words[0], .heading)] + words.dropFirst() + [explanation.certaintyText])
      .joined(separator: ", ")
  }

  private func cause(_ cause: Cause) -> String {
    var line = style.paint(cause.code.rawValue, .heading)
    if !cause.isProven { line += " (likely)" }
    return line + ": " + safe(cause.summary, 512)
  }

  private var fixes: [String] {
    let note = [explanation.note].compactMap { $0.map { safe($0) } }
    return note
      + explanation.remedies.enumerated().flatMap { index, remedy in
        ["\(index + 1). \(safe(remedy.title, 512)) (\(remedy.actor.rawValue))"]
          + remedy.steps.flatMap(typed)
          + [
            ("works only if", remedy.assumes), ("grants more than needed", remedy.excess),
            ("takes away", remedy.loss), ("takes effect", remedy.takesEffect),
            ("lasts", remedy.lasts),
          ].compactMap { label, text in text.map { "   \(label): " + safe($0) } }
      }
  }

  /// What to type, behind the prompts of shells: what needs an administrator does so at a glance.
  private func typed(_ step: Remedy.Step) -> [String] {
    let prompt = step.actor == .administrator ? "#" : "$"
    return step.commands.map { "   \(prompt) " + safe($0, 8192) }
      + step.options.map { "   option: " + safe($0, 8192) }
  }

  private var lookups: [String] {
    explanation.lookups.flatMap { lookup in
      let prompt = lookup.isPrivileged ? "#" : "$"
      return [safe(lookup.title)] + lookup.commands.map { "   \(prompt) " + safe($0, 8192) }
    }
  }

  /// What gives a container or unit the device.
  private var container: [String] {
    guard let engine else { return [] }
    guard
      let recipe = facts.recipe(for: engine, at: explanation.path, wanted: explanation.wanted)
    else { return ["\(safe(explanation.path, 4096)) is no device node that could be given"] }
    let node = recipe.node
    let number = node.rdev.map { "\($0.major):\($0.minor)" } ?? ""
    let head =
      "\(engine.rawValue): \(node.type == .blockDevice ? "b" : "c") \(number), "
      + "\(node.modeText), user \(names.fullUser(node.uid, style)), "
      + "group \(names.fullGroup(node.gid, style))"
    return [head] + recipe.lines.map { "   " + safe($0, 4096) } + recipe.notes.map { safe($0) }
  }

  private var candidates: [String] {
    let others = explanation.candidates.filter { $0.path != explanation.path }
    return others.prefix(16).map { candidate in
      let answer = candidate.answer
      var line = "\(style.paint(answer.rawValue, answer.tone)) \(safe(candidate.path, 4096))"
      if let rule = candidate.decision.rule { line += " by \(rule.rawValue)" }
      if let name = candidate.device?.name { line += ": " + safe(name, 64) }
      return line
    } + (others.count > 16 ? ["and \(others.count - 16) more"] : [])
  }

  private func unobserved(_ item: Unobserved) -> String {
    safe(item.layer, 64) + (item.at.map { " at " + safe($0) } ?? "") + ": " + safe(item.reason)
  }

  private func safe(_ text: String, _ limit: Int = 512) -> String {
    style.safe(text, limit: limit)
  }

  /// Lines behind a label, aligned; nothing when there are none.
  private func labelled(_ label: String, _ lines: [String]) -> [String] {
    let width = 14
    return lines.enumerated().map { index, line in
      let text = index == 0 ? label : ""
      let padding = String(repeating: " ", count: width - text.count)
      return style.paint(text, .heading) + padding + line
    }
  }
}
