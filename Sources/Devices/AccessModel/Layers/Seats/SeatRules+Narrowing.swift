/// Rules that remove access that earlier rules gave.
extension SeatRules {
  /// A line in a rules file that removes access.
  struct Narrowing {
    let place: UdevRulePlace
    /// The overridden line, which gave access; `nil` if it is unknown.
    let giver: UdevRulePlace?
    /// The assignments in the line, as they are written.
    let parts: String
    /// The numbers of the physical lines that the rule occupies in its file.
    let numbers: ClosedRange<Int>
    /// The result of the rules for the device without the line.
    let outcome: RuleFix.Outcome
    /// A Boolean value that indicates whether, without the line, the device is tagged `uaccess` in
    /// time.
    let isTagged: Bool
    /// The action of an event that produces the outcome.
    let action: String

    /// The path of the file in the administrator's directory, which can override a file of a
    /// package.
    var ownPath: String {
      let name = place.path.split(separator: "/").last ?? ""
      return RuleFile.isOwn(place.path) ? place.path : "/etc/udev/rules.d/\(name)"
    }
  }

  /// The lines that remove access.
  ///
  /// Lines that override the tag come first, followed by those that run commands, and those that
  /// set the mode or group. The caller must check whether access is given without a line.
  var narrowings: [Narrowing] {
    let report = answer.report
    let effects = report?.effects ?? []
    let tags = effects.filter { $0.subject == .tag("uaccess") && $0.isCertain }
    var takers: [(place: UdevRulePlace, giver: UdevRulePlace?)] = []
    if let given = tags.last(where: { $0.value != nil }), let taker = given.overwritten {
      takers.append((taker, given.place))
    }
    for command in report?.commands ?? [] where command.isCertain && command.takesAccess {
      takers.append((command.place, tags.last { $0.value != nil }?.place))
    }
    for effect in effects.reversed() where effect.subject == .mode || effect.subject == .group {
      guard effect.isCertain, effect.overwritten == nil, effect.fixed == nil else { continue }
      let giver = effects.last {
        $0.subject == effect.subject && $0.overwritten == effect.place && $0.isCertain
      }
      if giver != nil || RuleFile.isOwn(effect.place.path) {
        takers.append((effect.place, giver?.place))
      }
      break
    }
    return takers.compactMap { narrowing(at: $0.place, after: $0.giver) }
  }

  private func narrowing(
    at place: UdevRulePlace, after giver: UdevRulePlace?
  ) -> Narrowing? {
    guard let file = facts.file(at: place.path), file.state == .rules,
      let line = facts.rules.files.first(where: { $0.path == file.path })?.lines.first(where: {
        $0.number == place.line
      })
    else { return nil }
    var lines = file.bytes.split(omittingEmptySubsequences: false) { $0 == 10 }.map(Array.init)
    guard line.numbers.upperBound <= lines.count else { return nil }
    for number in line.numbers { lines[number - 1].insert(UInt8(ascii: "#"), at: 0) }
    let without = facts.replacing(
      with: RuleFile(
        folder: file.folder, name: file.name, bytes: Array(lines.joined(separator: [10])),
        owner: file.owner, modified: file.modified))
    guard let report = without.report("add") else { return nil }
    func isTagged(_ report: UdevRuleReport) -> Bool {
      report.effects.contains { effect in
        effect.subject == .tag("uaccess") && effect.value != nil
          && RuleProof(without, report, effect.place).lasting.contains(effect)
      }
    }
    let isSame = without.report("change").map {
      $0.node == report.node && isTagged($0) == isTagged(report)
    }
    let keys: [UdevRuleKey] = [
      .owner, .ownerID, .group, .groupID, .mode, .modeID, .addTag, .runProgram,
    ]
    let parts = line.tokens.filter { token in
      keys.contains(token.key) && (token.key != .runProgram || token.value.changesNodes)
    }.map(\.description)
    return Narrowing(
      place: place, giver: giver,
      parts: parts.dropLast().joined(separator: ", ")
        + (parts.count > 1 ? " and " : "") + (parts.last ?? ""),
      numbers: line.numbers, outcome: RuleFix.Outcome(report), isTagged: isTagged(report),
      action: isSame == true ? "change" : "add")
  }

  /// Returns the line that gives the node to one of the subject's groups, and the line that
  /// overrides it.
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
  /// Returns the cause, with a note in its summary if a rule took the node away from a group of the
  /// subject.
  func withEarlierGroup(_ cause: Cause, _ node: Node) -> Cause {
    guard node.type.isDevice, cause.code == .groupNotMember,
      let given = SeatRules(facts, of: assessment.device, node)?.earlierGroup(in: subject)
    else { return cause }
    var cause = cause
    cause.summary += """
       \(given.place) gives it to group \(given.name), which \(user) is in, but \(given.later), \
      which comes later, gives it to another group.
      """
    return cause
  }

  /// Returns the cause, with the rule that removes access in its summary.
  func withNarrowingRule(_ cause: Cause, _ node: Node) -> Cause {
    guard node.type.isDevice,
      let rule = RuleRemedies(assessment, names: names).narrowing,
      !cause.summary.contains(rule.place.description)
    else { return cause }
    var cause = cause
    cause.summary +=
      rule.giver.map { " \($0) gives access, and \(rule.place), which comes later," }
      ?? " \(rule.place)"
    cause.summary += " sets \(rule.parts)."
    return cause
  }
}

extension UdevRuleReport.Command {
  /// A Boolean value that indicates whether the command is a program that reduces a node's
  /// permissions.
  fileprivate var takesAccess: Bool {
    guard !isBuiltin, let words = text.known?.exact.split(whereSeparator: { " /'\"".contains($0) })
    else { return false }
    func has(_ names: String...) -> Bool { words.contains { names.contains(String($0)) } }
    if has("setfacl") {
      return has("-b", "-x", "-k", "-bn", "--remove-all", "--remove", "--set")
    }
    if has("chmod") {
      return !words.contains { $0.contains("+") || $0.hasSuffix("6") || $0.hasSuffix("7") }
    }
    return has("chown", "chgrp")
  }
}
