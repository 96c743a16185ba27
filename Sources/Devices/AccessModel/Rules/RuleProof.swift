internal import UdevRules

/// Determines whether a line has its stated effect on a device, given all other rules.
struct RuleProof {
  /// The reason why a line has no effect.
  enum Obstacle: Hashable {
    case absent
    case failed(UdevRuleMismatch)
    case skipped(by: UdevRulePlace)
    case overwritten(UdevRuleEffect, by: UdevRulePlace)
    case fixed(UdevRuleEffect, by: UdevRulePlace)
    case tooLate(UdevRuleEffect, after: UdevRulePlace)
    case noSuchName(UdevRuleEffect)
    case ordinaryAccount(UdevRuleEffect, UInt32)
    case invalidMode(UdevRuleEffect)
    /// udevd does not find the program in its own folder, and searches no other.
    case missingProgram(UdevRuleEffect, String)
    /// The line names a node, but udevd renames only network interfaces.
    case nodeName(UdevRuleToken)
    case irrelevant
    case undetermined([UdevRuleDoubt])

    /// A Boolean value that indicates whether the obstacle may affect only a part of the line.
    var isOfPart: Bool {
      switch self {
      case .overwritten, .fixed, .tooLate, .noSuchName, .ordinaryAccount, .invalidMode,
        .missingProgram,
        .nodeName:
        true
      case .absent, .failed, .skipped, .irrelevant, .undetermined: false
      }
    }
  }

  let facts: RuleFacts
  let report: UdevRuleReport
  let place: UdevRulePlace

  init?(_ facts: RuleFacts, action: String, _ place: UdevRulePlace) {
    guard let report = facts.report(action) else { return nil }
    self.init(facts, report, place)
  }

  init(_ facts: RuleFacts, _ report: UdevRuleReport, _ place: UdevRulePlace) {
    self.facts = facts
    self.report = report
    self.place = place
  }

  /// The reason why the line has no effect; `nil` if it takes effect.
  var obstacle: Obstacle? {
    guard let outcome = report.outcomes.first(where: { $0.place == place }) else {
      return .absent
    }
    switch outcome.verdict {
    case .failed(let mismatch): return .failed(mismatch.telling(facts.chain))
    case .skipped(let by): return .skipped(by: by)
    case .irrelevant: return nodeName.map { .nodeName($0) } ?? .irrelevant
    case .undetermined(let doubts):
      let isOfTags = doubts.allSatisfy { $0 == .process || $0 == .version }
      return (isOfTags ? obstacleOfFirstEvent : nil) ?? .undetermined(doubts)
    case .matched: break
    }
    let isUndone = report.effects.contains { effect in
      effect.place == place && (effect.fixed != nil || effect.overwritten != nil)
    }
    if !isUndone, let late = lateTag { return .tooLate(late.effect, after: late.turning) }
    // Use indices: copying every effect costs more than all comparisons.
    for index in report.effects.indices where report.effects[index].place == place {
      let effect = report.effects[index]
      if let by = effect.fixed { return .fixed(effect, by: by) }
      if let by = effect.overwritten { return .overwritten(effect, by: by) }
      switch effect.subject {
      case .owner, .group:
        if effect.value == nil {
          return ignoredAccount(effect).map { .ordinaryAccount(effect, $0) } ?? .noSuchName(effect)
        }
      case .mode:
        if effect.value == nil { return .invalidMode(effect) }
      default: break
      }
      if let name = missingProgram(effect) { return .missingProgram(effect, name) }
      if let doubt = effect.value?.doubt ?? laterDoubt(of: effect.subject) {
        return .undetermined([doubt])
      }
    }
    return nodeName.map { .nodeName($0) }
  }

  /// The part of the line that names a node, which udevd ignores.
  private var nodeName: UdevRuleToken? {
    guard let device = facts.device, device.properties["IFINDEX"] == nil else { return nil }
    return line(at: place)?.tokens.first { $0.key == .setName }
  }

  /// Programs that change nodes and that no udev folder contains.
  static let nodePrograms = ["chmod", "chown", "chgrp", "setfacl"]

  /// Returns the program of an effect if it has no path and udev's folder does not contain it.
  private func missingProgram(_ effect: UdevRuleEffect) -> String? {
    guard effect.token.key == .runProgram, let word = effect.token.value.programName else {
      return nil
    }
    let path = UdevRuleText(exact: "\(RuleFacts.programFolder)/\(word)")
    switch facts.environment.files[path] {
    case .present: return nil
    case .absent: return word
    case nil: return Self.nodePrograms.contains(word) ? word : nil
    }
  }

  /// Returns the ID of an effect's user or group if udevd ignores that ID.
  private func ignoredAccount(_ effect: UdevRuleEffect) -> UInt32? {
    let environment = facts.environment
    let table = effect.subject == .owner ? environment.users : environment.groups
    return table[effect.token.value]?.value.flatMap { environment.version.ignores($0) ? $0 : nil }
  }

  /// Returns the reason why a later line may replace what this line sets on the node.
  private func laterDoubt(of subject: UdevRuleEffect.Subject) -> UdevRuleDoubt? {
    switch subject {
    case .owner: report.owner.doubt
    case .group: report.group.doubt
    case .mode: report.mode.doubt
    default: nil
    }
  }

  /// The reason why the line has no effect, apart from user and group IDs that were not looked up.
  var obstacleButNames: Obstacle? {
    if case .undetermined(let doubts) = obstacle, doubts.allSatisfy(\.isOfName) { return nil }
    return obstacle
  }

  /// A tag that the line sets after the line that acts on it; `nil` if it sets none, or sets it in
  /// time.
  private var lateTag: (effect: UdevRuleEffect, turning: UdevRulePlace)? {
    guard let turning = turningPlace, isBefore(turning, place) else { return nil }
    let effect = report.effects.first { effect in
      guard effect.place == place, effect.fixed == nil, effect.overwritten == nil,
        effect.value != nil, case .tag(let tag) = effect.subject
      else { return false }
      return tag == "uaccess" || tag == "seat"
    }
    return effect.map { ($0, turning) }
  }

  /// The reason why the line does not give access.
  ///
  /// A group that udevd ignores is not an obstacle if the line also tags the device for the user of
  /// its seat.
  var obstacleToAccess: Obstacle? {
    switch obstacleButNames {
    case .noSuchName(let effect) where effect.subject == .group,
      .ordinaryAccount(let effect, _) where effect.subject == .group:
      let isTagged = lasting.contains { $0.subject == .tag("uaccess") }
      return isTagged ? nil : obstacleButNames
    default: return obstacleButNames
    }
  }

  /// The effects that the line sets in time and that no other line undoes.
  var lasting: [UdevRuleEffect] {
    report.effects.filter { effect in
      guard effect.place == place, effect.isCertain, effect.overwritten == nil,
        effect.fixed == nil, effect.value?.known != nil, laterDoubt(of: effect.subject) == nil
      else { return false }
      if case .tag(let tag) = effect.subject, tag == "uaccess" || tag == "seat",
        let turning = turningPlace
      {
        return !isBefore(turning, place)
      }
      return true
    }
  }

  /// The reason why the line has no effect at the first event of the device; `nil` if it has an
  /// effect.
  ///
  /// Only some versions and processes of udevd count former tags. At the first event, there are
  /// none.
  private var obstacleOfFirstEvent: Obstacle? {
    guard let record = facts.record, !record.tags.isEmpty else { return nil }
    var first = facts
    first.record = UdevRuleEvent.Record(properties: record.properties, links: record.links)
    guard let proof = RuleProof(first, action: report.action.description, place),
      case .failed(let mismatch) = proof.obstacle
    else { return nil }
    return .failed(mismatch)
  }

  /// The line that gives tagged devices to the user of the seat.
  private var turningPlace: UdevRulePlace? {
    for file in facts.rules.files {
      for line in file.lines
      where line.tokens.contains(where: { $0.key == .runBuiltin && $0.value == "uaccess" }) {
        return UdevRulePlace(path: file.path, line: line.number)
      }
    }
    return nil
  }

  private func isBefore(_ one: UdevRulePlace, _ other: UdevRulePlace) -> Bool {
    let order = facts.rules.files.map(\.path)
    guard let first = order.firstIndex(of: one.path), let second = order.firstIndex(of: other.path)
    else { return false }
    return (first, one.line) < (second, other.line)
  }

  /// Returns the last line that would make a failing match hold, but comes too late for this line.
  func laterCause(of mismatch: UdevRuleMismatch) -> UdevRulePlace? {
    let subject: UdevRuleEffect.Subject
    switch mismatch.token.key {
    case .property:
      guard let name = mismatch.token.attribute else { return nil }
      subject = .property(name)
    case .tag: subject = .tag(mismatch.token.value)
    default: return nil
    }
    let effect = report.effects.last {
      $0.subject == subject && $0.isCertain && isBefore(place, $0.place)
    }
    if let effect, let value = effect.value?.known, mismatch.token.pattern.accepts(value.bytes) {
      return effect.place
    }
    return laterImport(of: mismatch.token)
  }

  /// Returns the later line that imports the property of a match, if the database has the property.
  private func laterImport(of token: UdevRuleToken) -> UdevRulePlace? {
    guard token.key == .property, let name = token.attribute,
      let value = facts.record?.properties[name], !value.isEmpty,
      token.pattern.accepts(value.bytes)
    else { return nil }
    var ofProgram: UdevRulePlace?
    for outcome in report.outcomes where isBefore(place, outcome.place) {
      switch outcome.verdict {
      case .matched, .undetermined: break
      case .failed, .skipped, .irrelevant: continue
      }
      for token in line(at: outcome.place)?.tokens ?? [] {
        switch token.key {
        case .importBuiltin:
          let builtin = UdevRuleBuiltin(command: token.value.bytes)
          if builtin?.prefixes?.contains(where: { name.hasPrefix($0) }) == true {
            return outcome.place
          }
        case .importProgram: ofProgram = ofProgram ?? outcome.place
        default: break
        }
      }
    }
    return ofProgram
  }

  /// Returns the earlier line that runs the program that this line depends on.
  func source(of doubt: UdevRuleDoubt) -> UdevRulePlace? {
    guard case .program = doubt else { return nil }
    let running = report.outcomes.first { outcome in
      guard case .undetermined(let doubts) = outcome.verdict else { return false }
      return doubts.contains(doubt)
        && line(at: outcome.place)?.tokens.contains { $0.key.changesEvent } == true
    }
    return running.flatMap { $0.place == place ? nil : $0.place }
  }

  /// Returns the line at a place in the rules.
  func line(at place: UdevRulePlace) -> UdevRuleLine? {
    facts.rules.files.first { $0.path == place.path }?.lines.first { $0.number == place.line }
  }
}

extension UdevRuleDoubt {
  /// A Boolean value that indicates whether the doubt is about the ID of a user or group.
  var isOfName: Bool {
    switch self {
    case .user, .group: true
    default: false
    }
  }
}

extension UdevRuleMismatch {
  /// Returns the mismatch, or a more informative one if the compared device lacks the attribute.
  ///
  /// The new mismatch is that of the nearest device that has the attribute.
  func telling(_ chain: [UdevRuleDevice]) -> UdevRuleMismatch {
    guard token.key == .parentAttribute, found == nil, let name = token.attribute else {
      return self
    }
    for (index, device) in chain.enumerated() {
      guard let value = device.attributes[name]?.value else { continue }
      let shown = token.trimsFoundValue ? UdevRuleText(value.bytes.trimmingEnd) : value
      // If the device has the wanted value, another match of the line fails for it.
      if token.pattern.accepts(shown.bytes) { return self }
      return UdevRuleMismatch(token: token, found: value, device: index)
    }
    return self
  }
}
