/// Rules that remove access, from the administrator or from a manually installed program.
extension SeatRules {
  /// A line that changes the permissions of the node.
  struct Narrowing {
    let place: UdevRulePlace
    /// The assignments of the line, as written.
    let parts: String
    /// The range of lines that the rule occupies in its file.
    let numbers: ClosedRange<Int>
    /// The outcome for the device without the line.
    let outcome: RuleFix.Outcome
  }

  /// The line that sets the mode of the node, or else its group.
  ///
  /// - Returns: `nil` if a package's line does, or if what the other lines set is not known.
  var narrowing: Narrowing? {
    let effects = answer.report?.effects ?? []
    let effect = effects.last { effect in
      (effect.subject == .mode || effect.subject == .group) && effect.isCertain
        && effect.overwritten == nil && effect.fixed == nil && RuleFile.isOwn(effect.place.path)
    }
    guard let effect, let file = facts.file(at: effect.place.path), file.state == .rules,
      let line = facts.rules.files.first(where: { $0.path == file.path })?.lines.first(where: {
        $0.number == effect.place.line
      })
    else { return nil }
    var lines = file.bytes.split(omittingEmptySubsequences: false) { $0 == 10 }.map(Array.init)
    guard line.numbers.upperBound <= lines.count else { return nil }
    for number in line.numbers { lines[number - 1].insert(UInt8(ascii: "#"), at: 0) }
    let without = RuleFile(
      folder: file.folder, name: file.name, bytes: Array(lines.joined(separator: [10])),
      owner: file.owner, modified: file.modified)
    guard let report = facts.replacing(with: without).report("add") else { return nil }
    let keys: [UdevRuleKey] = [.owner, .ownerID, .group, .groupID, .mode, .modeID]
    return Narrowing(
      place: effect.place,
      parts: line.tokens.filter { keys.contains($0.key) }.map(\.description)
        .joined(separator: " and "),
      numbers: line.numbers, outcome: RuleFix.Outcome(report))
  }

  /// Returns the line that gives the node to a group of the subject, and the line that changes it.
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
  /// Returns the cause with the rule that took the node away from a group of the subject.
  func withEarlierGroup(_ cause: Cause, _ node: Node) -> Cause {
    guard node.type.isDevice, cause.code == .groupNotMember,
      let given = SeatRules(facts, of: assessment.device, node)?.earlierGroup(in: subject)
    else { return cause }
    var cause = cause
    cause.summary += """
       \(given.place) gives it to group \(given.name), which \(user) is in, and \(given.later) then \
      to another one.
      """
    return cause
  }

  /// Returns the cause with the line of a rule that removes the access.
  func withNarrowingRule(_ cause: Cause, _ node: Node) -> Cause {
    guard node.type.isDevice, RuleRemedies(assessment, names: names).widening != nil,
      let rule = SeatRules(facts, of: assessment.device, node)?.narrowing
    else { return cause }
    var cause = cause
    cause.summary += " \(rule.place) sets \(rule.parts)."
    return cause
  }
}
