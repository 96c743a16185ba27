internal import AccessModel

/// The output of `devaccess explain`: the verdict, the chain, the cause and the best fix.
///
/// With `isVerbose`, it contains all causes, all fixes and the evidence.
struct ExplanationText: Sendable {
  let explanation: Explanation
  let facts: AccessFacts
  let style: Style
  var isVerbose = false
  var engine: ContainerEngine?
  /// The option or key that shows the rest.
  var more = "--verbose"

  private var names: ShownNames { ShownNames(facts) }

  /// The device, and how the requested path leads to it if the path is not the name that udev uses.
  private var deviceLines: [String] {
    guard let device = explanation.device else { return [] }
    let ends = explanation.decision.steps.filter { $0.action == .final }.compactMap(\.node)
    // If there are several final nodes, the first one is the device's own node.
    guard let end = ends.first else { return [device.summary(style)] }
    var lines = [device.summary(style)]
    let (asked, node) = (safe(explanation.path), safe(end.path))
    if explanation.path != end.path { lines.append("\(asked) leads to \(node)") }
    if end.path != device.udevNode, end.rdev == device.number {
      lines.append("\(node) is \(safe(device.kernelName)) here")
    }
    return lines
  }

  /// The complete text, including the final newline.
  var text: String {
    var lines = [headline]
    lines += labelled("Device", deviceLines)
    lines += labelled("Subject", [SubjectText(facts: facts, style: style).line])
    lines.append("")
    // If no device of a kind was found, the path is only one that such a device could have.
    let chain = ChainText(
      decision: explanation.decision, answer: explanation.answer, cause: explanation.cause?.code,
      mounts: facts.access.mounts,
      names: names, style: style, isVerbose: isVerbose)
    if isVerbose || !isWithoutObject || !explanation.path.hasPrefix("/dev/") {
      lines += chain.lines() + [""]
    }
    if isVerbose { lines += labelled("Status", [status]) }
    // Allowed access has no cause, but a problem may prevent the device or file from being used.
    lines += labelled(explanation.answer == .allowed ? "Problem" : "Cause", causes)
    lines += labelled("Tried", AttemptText(facts, style: style).lines)
    lines += labelled("Kernel", [disagreement].compactMap { $0.map { safe($0) } })
    lines += labelled("Certainty", isVerbose ? [] : [explanation.caveat].compactMap(\.self))
    lines += labelled("Note", [explanation.note].compactMap { $0.map { safe($0) } })
    lines += fixLines + lookupLines
    lines += containerLines
    lines += labelled("Others", candidates)
    if isVerbose { lines += labelled("Evidence", evidence) }
    if isVerbose || explanation.answer == .undetermined {
      lines += labelled("Not observed", explanation.unobserved.map(unobserved))
    }
    if let hint {
      if lines.last != "" { lines.append("") }
      lines.append(style.paint(hint, .faint))
    }
    // A granted chain may be the last section.
    while lines.last == "" { lines.removeLast() }
    return lines.joined(separator: "\n") + "\n"
  }

  /// The verdict in one line.
  var headline: String {
    let answer = explanation.answer
    let subject = explanation.kind.map { safe($0) + ": " } ?? ""
    let word = style.paint(answer.rawValue, answer.tone)
    if isWithoutObject { return "\(subject)\(word)" }
    let request = RequestText(explanation: explanation, facts: facts)
    let path = safe(explanation.path)
    let object =
      if answer == .absent {
        request.missing(path)
      } else if let companion, explanation.decision.leadsNowhere {
        "\(safe(companion)), which programs need for \(path), does not exist"
      } else if let companion {
        "\(request.phrase(safe(companion))), needed for \(path)"
      } else {
        request.phrase(path)
      }
    return "\(subject)\(word) \(style.dash) \(object)"
  }

  /// A Boolean value that indicates whether no device of the kind was found.
  private var isWithoutObject: Bool {
    explanation.answer == .absent && explanation.kind != nil && explanation.decision.leadsNowhere
  }

  /// The node that programs open together with the object, if it is refused in place of the object.
  private var companion: String? {
    guard let cause = explanation.cause, cause.code == .auxNode, let companion = cause.at,
      companion != explanation.path
    else { return nil }
    if case .granted = explanation.decision.outcome { return companion }
    return explanation.decision.steps.last?.path == companion ? companion : nil
  }

  /// The answer, the availability and the certainty.
  ///
  /// The answer is the word of the headline, followed by the status if that says more.
  private var status: String {
    let words = explanation.statusWords
    let answer = explanation.answer.rawValue
    let isSame = ["authorized", "denied", "unknown", answer].contains(words[0])
    let parts = [style.paint(answer, .heading) + (isSame ? "" : " (\(words[0]))")]
    let others = words.dropFirst().filter { $0 != answer }
    return (parts + others + [explanation.certaintyText(facts)]).joined(separator: "; ")
  }

  /// The kernel's refusal of what the model allows, unless the cause contains it.
  private var disagreement: String? {
    guard let text = explanation.disagreement else { return nil }
    guard text.hasSuffix(")."), let start = text.lastIndex(of: "("),
      explanation.cause?.summary.contains(text[start...].dropLast()) == true
    else { return text }
    return nil
  }

  // MARK: Causes and fixes

  private var causes: [String] {
    let all = (explanation.cause.map { [$0] } ?? []) + explanation.furtherCauses
    return (isVerbose ? all[...] : all.prefix(1)).map { cause in
      let code = style.paint(cause.code.rawValue, .faint)
      let isSure = cause.isProven || cause.code == .unknown
      return "\(safe(cause.summary)) (\(isSure ? "" : "likely; ")\(code))"
    }
  }

  private var fixLines: [String] {
    let remedies = isVerbose ? explanation.remedies[...] : shownRemedies
    return remedies.indices.flatMap { index in
      let label =
        switch remedies[index] {
        case _ where index == remedies.startIndex: "Fix"
        case let remedy where remedy.isInterim: "Until then"
        // The fixes of several causes may all be needed.
        case _ where !explanation.furtherCauses.isEmpty: ""
        default: "Or"
        }
      return fix(
        remedies[index], label: label,
        number: isVerbose && remedies.count > 1 ? index - remedies.startIndex + 1 : nil)
    }
  }

  /// The best fix, and the narrower interim fix if one follows it.
  private var shownRemedies: ArraySlice<Remedy> {
    explanation.remedies.prefix(explanation.remedies.dropFirst().first?.isInterim == true ? 2 : 1)
  }

  /// Returns the lines of a fix: its title, conditions, commands and effects.
  ///
  /// Commands are not wrapped, so users can copy them.
  private func fix(_ remedy: Remedy, label: String, number: Int?) -> [String] {
    let mark = number.map { "\($0). " } ?? ""
    let indentation = String(repeating: " ", count: labelWidth + mark.count)
    let typed = remedy.steps.flatMap { step in
      commands(step.commands, isPrivileged: step.actor == .administrator, indentation)
        + step.options.map { indentation + "option: " + style.command($0) }
    }
    let wrapped = { (notes: [String]) -> [String] in
      notes.flatMap { note in
        Wrapping.lines(safe(note), width: style.width, first: indentation, rest: indentation)
      }
    }
    return Wrapping.lines(
      safe(remedy.title), width: style.width, first: start(label) + mark, rest: indentation)
      + wrapped(remedy.conditions) + typed + wrapped(remedy.effects)
  }

  /// Returns the commands, each after the shell prompt of an administrator or of a user.
  private func commands(
    _ commands: [String], isPrivileged: Bool, _ indentation: String
  ) -> [String] {
    commands.map { "\(indentation)\(isPrivileged ? "#" : "$") " + style.command($0) }
  }

  /// The commands that only inspect the system.
  private var lookupLines: [String] {
    guard isVerbose || explanation.remedies.isEmpty else { return [] }
    let indentation = String(repeating: " ", count: labelWidth)
    return explanation.lookups.enumerated().flatMap { index, lookup in
      labelled(index > 0 ? "" : "Find out", [safe(lookup.title)])
        + commands(lookup.commands, isPrivileged: lookup.isPrivileged, indentation)
    }
  }

  /// The settings that pass the device to a container or unit.
  private var containerLines: [String] {
    guard let engine else { return [] }
    let path = safe(explanation.path)
    guard
      let recipe = facts.recipe(for: engine, at: explanation.path, wanted: explanation.wanted)
    else { return labelled("Container", ["\(path) is not a device node"]) }
    let node = recipe.node
    let number = node.rdev.map { "\($0.major):\($0.minor)" } ?? ""
    let head =
      "\(engine.rawValue): \(node.type == .blockDevice ? "b" : "c") \(number), "
      + "\(node.modeText), user \(names.fullUser(node.uid, style)), "
      + "group \(names.fullGroup(node.gid, style))"
    let indentation = String(repeating: " ", count: labelWidth + 2)
    return labelled("Container", [head]) + recipe.lines.map { indentation + safe($0) }
      + recipe.notes.flatMap { labelled("", [safe($0)]) }
  }

  // MARK: Further information

  /// The other devices of the kind, with those that the subject may use first.
  private var candidates: [String] {
    let others = explanation.candidates.filter { $0.path != explanation.path }
    let ordered =
      others.filter { $0.answer == .allowed } + others.filter { $0.answer != .allowed }
    let most = isVerbose ? 16 : 2
    return ordered.prefix(most).map { candidate in
      let word = style.paint(candidate.answer.rawValue, candidate.answer.tone)
      let device = candidate.device.map { ", " + $0.summary(style) } ?? ""
      let busy = candidate.occupation == .busy ? ", busy" : ""
      return "\(word): \(safe(candidate.path))\(device)\(busy)"
    } + (others.count > most ? ["and \(others.count - most) more"] : [])
  }

  /// The evidence without the deciding rule, which is already in the chain.
  private var evidence: [String] {
    explanation.evidence.filter { !$0.hasPrefix("rule ") }.map { safe($0) }
  }

  private func unobserved(_ item: Unobserved) -> String {
    safe(item.layerName, 64) + (item.at.map { " at " + safe($0) } ?? "") + ": " + safe(item.reason)
  }

  /// A hint about what `--verbose` adds; `nil` if the text is already verbose.
  private var hint: String? {
    guard !isVerbose else { return nil }
    let parts = [
      Self.count(
        explanation.furtherCauses.count, explanation.answer == .allowed ? "problem" : "cause"),
      Self.count(explanation.remedies.count - shownRemedies.count, "fix"),
    ].compactMap(\.self)
    let rest = parts.isEmpty ? "the evidence" : parts.joined(separator: ", ") + " and the evidence"
    return "\(more) shows \(rest)."
  }

  private static func count(_ number: Int, _ noun: String) -> String? {
    let plural = noun.hasSuffix("x") ? "es" : "s"
    return number < 1 ? nil : number == 1 ? "1 more \(noun)" : "\(number) more \(noun)\(plural)"
  }

  // MARK: Layout

  private var labelWidth: Int { isVerbose || explanation.answer == .undetermined ? 14 : 11 }

  /// Makes text safe to print; the default limit keeps sentences and paths complete.
  private func safe(_ text: String, _ limit: Int = 8192) -> String {
    style.safe(text, limit: limit)
  }

  private func start(_ label: String) -> String {
    style.paint(label, .heading) + String(repeating: " ", count: labelWidth - label.count)
  }

  /// Returns the wrapped texts, aligned after a label; without texts, returns no lines.
  private func labelled(_ label: String, _ texts: [String]) -> [String] {
    let indentation = String(repeating: " ", count: labelWidth)
    return texts.enumerated().flatMap { index, text in
      Wrapping.lines(
        text, width: style.width, first: index == 0 ? start(label) : indentation,
        rest: indentation)
    }
  }
}
