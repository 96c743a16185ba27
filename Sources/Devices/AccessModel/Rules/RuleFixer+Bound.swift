internal import UdevRules

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

/// Determines which nodes a line affects in addition to the requested one.
///
/// The facts contain no other devices, so the line is applied to fictitious neighbors, which are
/// derived from the facts.
struct RuleReach {
  let facts: RuleFacts
  let action: String

  /// A name that no device has.
  private static let strange: UdevRuleText = "zz9"

  /// Returns whether a line affects nodes other than the device's that the author's line does not
  /// affect.
  ///
  /// - Parameters:
  ///   - line: The line with the proposed change.
  ///   - written: The author's line; `nil` if udevd does not read it.
  ///   - meant: The author's line with the intended spelling.
  /// - Returns: `true` if the line affects one of the neighbors.
  func exceeds(_ line: String, written: String?, meant: String?) -> Bool {
    others.contains { touches($0, line) && !isTouched($0, written) }
      || strangers.contains { touches($0, line) && !isTouched($0, meant) }
  }

  /// Returns whether a line affects nodes of other subsystems that the author's line does not.
  func leavesSubsystem(_ line: String, written: String?) -> Bool {
    others.contains { touches($0, line) && !isTouched($0, written) }
  }

  // MARK: - Neighbours

  /// The parents that have nodes, and nodes of other subsystems next to and below the device.
  private var others: [UdevRuleEvent] {
    guard let device = facts.device else { return [] }
    var events = facts.parents.indices.filter { facts.parents[$0].number != nil }.map { index in
      event(facts.parents[index], Array(facts.parents[(index + 1)...]), [:])
    }
    let properties = facts.record?.properties ?? [:]
    let other = Self.node(like: device, subsystem: Self.strange)
    events.append(event(other, facts.parents, properties))
    events.append(event(other, [device] + facts.parents, properties))
    return events
  }

  /// The nodes of the same subsystem that belong to other hardware, even if it is of the same kind.
  private var strangers: [UdevRuleEvent] {
    guard let device = facts.device else { return [] }
    let other = Self.foreign(Self.node(like: device, subsystem: device.subsystem))
    let kinds = (facts.record?.properties ?? [:]).filter { !$0.key.isIdentity }
    return [event(other, facts.parents.map(Self.foreign), kinds)]
  }

  private func event(
    _ device: UdevRuleDevice, _ parents: [UdevRuleDevice],
    _ properties: [UdevRuleText: UdevRuleText]
  ) -> UdevRuleEvent {
    var device = device
    device.properties.merge(properties) { own, _ in own }
    device.properties["ACTION"] = UdevRuleText(action)
    return UdevRuleEvent(
      action: UdevRuleText(action), device: device, parents: parents,
      record: UdevRuleEvent.Record(properties: properties))
  }

  private static func node(
    like device: UdevRuleDevice, subsystem: UdevRuleText?
  ) -> UdevRuleDevice {
    var other = device
    let folder = device.path.bytes.prefix(
      (device.path.bytes.lastIndex(of: .slash) ?? -1) + 1)
    other.path = UdevRuleText(Array(folder) + strange.bytes)
    other.node = "/dev/zz9"
    other.number = UdevRuleDevice.Number(major: 4095, minor: 1)
    other.subsystem = subsystem
    other.properties["DEVNAME"] = other.node
    other.properties["DEVPATH"] = other.path
    other.properties["SUBSYSTEM"] = subsystem
    return other
  }

  /// Returns the device with another name and identity, but with the same type and drivers.
  private static func foreign(_ device: UdevRuleDevice) -> UdevRuleDevice {
    var other = device
    other.path = UdevRuleText(device.path.bytes + strange.bytes)
    for (name, fact) in device.attributes {
      guard let value = fact.value, RuleTargets.isIdentity(name, value) else { continue }
      other.attributes[name] = .present(UdevRuleText(strange.bytes + value.bytes))
    }
    other.properties = device.properties.filter { !$0.key.isIdentity }
    return other
  }

  // MARK: - Touching

  private func touches(_ event: UdevRuleEvent, _ line: String) -> Bool {
    let path = "/etc/udev/rules.d/99-reach.rules"
    let file = UdevRuleFile(
      path: path, bytes: Array(line.utf8) + [10], version: facts.version)
    let report = UdevRuleSet([file]).evaluate(event, facts.environment)
    return report.outcomes.contains { outcome in
      switch outcome.verdict {
      case .matched, .undetermined: true
      case .failed, .skipped, .irrelevant: false
      }
    }
  }

  /// Returns whether the author's line affects the device of an event with this action, `add` or
  /// `change`.
  ///
  /// A line with another action affects the same nodes.
  private func isTouched(_ event: UdevRuleEvent, _ line: String?) -> Bool {
    guard let line else { return false }
    return Set([action, "add", "change"]).contains { action in
      var event = event
      event.action = UdevRuleText(action)
      event.device.properties["ACTION"] = event.action
      return touches(event, line)
    }
  }
}
