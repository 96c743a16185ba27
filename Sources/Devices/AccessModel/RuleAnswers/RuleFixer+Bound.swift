/// The limits of a fix: the devices that it may affect, and the order that it must keep.
extension RuleFixer {
  /// Adds the subsystem of the device to a changed line, if the line would affect nodes that the
  /// author's line does not.
  ///
  /// - Returns: `true` if the line then affects no other nodes.
  func bound(_ state: inout RuleFileState, _ titles: inout [String]) -> Bool {
    guard let text = state.text else { return true }
    let reach = RuleReach(facts: facts, action: action)
    let written = state.written?.text
    if reach.leavesSubsystem(text.text, written: written) {
      guard let subsystem = facts.device?.subsystem?.description,
        let match = RuleLineText(Array(#"SUBSYSTEM=="\#(subsystem)""#.utf8)),
        !text.parts.contains(where: { $0.key.elementsEqual("SUBSYSTEM".utf8) })
      else { return false }
      var bounded = text
      bounded.parts.insert(contentsOf: match.parts, at: 0)
      state.write(bounded)
      titles.append("limit the line to the subsystem \(subsystem)")
    }
    guard let line = state.text?.text else { return false }
    return !reach.exceeds(line, written: written, meant: state.meant?.text)
  }

  /// Moves the rule to a separate file, with the conditions of each `GOTO` that skips it.
  ///
  /// - Returns: `true` if all conditions are kept.
  func separate(_ state: inout RuleFileState) -> Bool {
    guard var text = text(of: state), state.line != nil || state.isAlone else { return false }
    let jumps = ["GOTO", "LABEL"].map { Array($0.utf8) }
    text.parts.removeAll { jumps.contains($0.key) }
    var conditions: [RuleLineText.Part] = []
    for guarding in guards(of: state) {
      guard let condition = condition(toPass: guarding) else {
        // The name of this device excludes all devices that the GOTO excludes.
        guard let name = facts.device?.plainName,
          let subsystem = facts.device?.subsystem?.description,
          let match = RuleLineText(Array(#"SUBSYSTEM=="\#(subsystem)", KERNEL=="\#(name)""#.utf8))
        else { return false }
        conditions = match.parts.filter { part in !text.parts.contains { $0.text == part.text } }
        break
      }
      for part in condition.parts
      where !(conditions + text.parts).contains(where: { $0.text == part.text }) {
        conditions.append(part)
      }
    }
    text.parts.insert(contentsOf: conditions, at: 0)
    state.separate(text)
    state.written?.parts.insert(contentsOf: conditions, at: 0)
    state.meant?.parts.insert(contentsOf: conditions, at: 0)
    return true
  }

  /// Returns the lines of the file whose `GOTO` can skip the rule.
  private func guards(of state: RuleFileState) -> [UdevRuleLine] {
    let file = UdevRuleFile(
      path: state.original.path, bytes: state.original.bytes, version: facts.version)
    guard let place = file.lines.firstIndex(where: { $0.numbers == state.numbers }) else {
      return []
    }
    return file.lines[..<place].filter { ($0.target ?? 0) > place }
  }

  /// Returns the opposite of the condition of a `GOTO`, as one match; `nil` if one match cannot
  /// express it, or if this device does not meet it.
  private func condition(toPass line: UdevRuleLine) -> RuleLineText? {
    guard line.tokens.count == 1, let token = line.tokens.first, let device = facts.device else {
      return nil
    }
    let isNegated = token.comparison == .unequal
    switch token.key {
    case .action: break
    // A later step may change the subsystem that the rule matches.
    case .subsystem where isNegated: break
    case .subsystem where !token.pattern.accepts((device.subsystem ?? "").bytes): break
    case .kernel where !token.pattern.accepts(device.name.bytes): break
    default: return nil
    }
    let text = token.description
    let sign = isNegated ? "!=" : "=="
    guard let place = text.utf8.firstPlace(of: sign.utf8) else { return nil }
    return RuleLineText(
      Array(
        (text[..<place.lowerBound] + (isNegated ? "==" : "!=") + text[place.upperBound...]).utf8))
  }
}
