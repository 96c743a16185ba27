extension UdevRuleRun {
  /// Performs an assignment of a line whose matches hold or may hold.
  mutating func assign(_ token: UdevRuleToken) {
    switch token.key {
    case .escapeNone: escaping = .none
    case .escapeReplace: escaping = .replace
    case .linkPriority:
      let priority = Int32(truncatingIfNeeded: token.number ?? 0)
      linkPriority =
        certainty == .yes
        ? .value(priority) : linkPriority.joined(.value(priority), lineDoubt)
      record(token, .option("link_priority"), .value(UdevRuleText(String(priority))))
    case .watch:
      let effect = watchFixing.claim(
        fixes: token.comparison == .assignFinally, certainty, at: place)
      record(token, .option("watch"), .value(token.value), effect, watchFixing)
    case .persist: record(token, .option("db_persist"), .value("yes"))
    case .logLevel: record(token, .option("log_level"), .value(token.value))
    case .owner, .ownerID: assignOwner(token)
    case .group, .groupID: assignGroup(token)
    case .mode, .modeID: assignMode(token)
    case .addTag: assignTag(token)
    case .securityLabel: assignLabel(token)
    case .setProperty: assignProperty(token)
    case .setName: assignName(token)
    case .addLink: assignLink(token)
    case .setAttribute: writeAttribute(token)
    case .setSysctl: writeSetting(token)
    case .runBuiltin, .runProgram: addCommand(token)
    default: break
    }
  }

  private mutating func assignOwner(_ token: UdevRuleToken) {
    let value = identity(token, environment.users) { .user($0) }
    let effect = Self.change(&owner, token, value, certainty, place)
    record(token, .owner, named(value, token), effect, owner.fixing)
  }

  private mutating func assignGroup(_ token: UdevRuleToken) {
    let value = identity(token, environment.groups) { .group($0) }
    let effect = Self.change(&group, token, value, certainty, place)
    record(token, .group, named(value, token), effect, group.fixing)
  }

  private mutating func assignMode(_ token: UdevRuleToken) {
    var value: UdevRuleKnown<UInt32?>?
    if let number = token.number {
      value = .value(UInt32(truncatingIfNeeded: number))
    } else {
      let expansion = expand(token.value, limit: Limit.name)
      if let doubt = expansion.text.doubt {
        value = .unknown(doubt)
      } else if !expansion.isTruncated,
        let mode = UdevRuleNumber.mode(expansion.text.known?.bytes ?? [])
      {
        value = .value(UInt32(mode))
      }
    }
    let effect = Self.change(&mode, token, value, certainty, place)
    record(token, .mode, named(value, token, radix: 8), effect, mode.fixing)
  }

  private static func change(
    _ setting: inout UdevRuleSetting, _ token: UdevRuleToken, _ value: UdevRuleKnown<UInt32?>?,
    _ certainty: UdevRuleCertainty, _ place: UdevRulePlace
  ) -> UdevRuleCertainty {
    let effect = setting.fixing.claim(
      fixes: token.comparison == .assignFinally, certainty, at: place)
    guard effect != .no, let value else { return effect }
    setting.value = effect == .yes ? value : setting.value.joined(value, .line(place))
    return effect
  }

  /// Returns the ID of a user or group; `nil` if the name cannot be resolved, in which case nothing
  /// changes.
  ///
  /// A name without substitutions is resolved when the rules are read. If it does not exist, it
  /// cancels the assignments of earlier lines.
  private mutating func identity(
    _ token: UdevRuleToken, _ table: [UdevRuleText: UdevRuleFact<UInt32>],
    _ doubt: (UdevRuleText) -> UdevRuleDoubt
  ) -> UdevRuleKnown<UInt32?>? {
    if let number = token.number { return .value(UInt32(truncatingIfNeeded: number)) }
    let isEarly = token.key == .ownerID || token.key == .groupID
    var name = token.value
    if !isEarly {
      let expansion = expand(name, limit: Limit.name)
      if expansion.isTruncated { return nil }
      guard case .value(let text) = expansion.text else {
        return .unknown(expansion.text.doubt ?? lineDoubt)
      }
      name = text
    }
    if let id = UdevRuleNumber.id(name.bytes) { return .value(id) }
    if name == "root" { return .value(0) }
    switch table[name] {
    case nil: return .unknown(doubt(name))
    case .present(let id) where environment.version.ignores(id): return isEarly ? .value(nil) : nil
    case .present(let id): return .value(id)
    case .absent: return isEarly ? .value(nil) : nil
    }
  }

  private func named(
    _ value: UdevRuleKnown<UInt32?>?, _ token: UdevRuleToken, radix: Int = 10
  ) -> UdevRuleKnown<UdevRuleText>? {
    switch value {
    case .value(let number?): .value(UdevRuleText(String(number, radix: radix)))
    case .unknown(let doubt): .unknown(doubt)
    case .value(nil), nil: nil
    }
  }

  /// Records an effect of a line, and marks the earlier effects that it overwrites.
  mutating func record(
    _ token: UdevRuleToken, _ subject: UdevRuleEffect.Subject,
    _ value: UdevRuleKnown<UdevRuleText>?,
    _ effect: UdevRuleCertainty? = nil, _ fixing: UdevRuleFixing = UdevRuleFixing()
  ) {
    let effect = effect ?? certainty
    if effect != .no, subject != .command {
      stand(report.effects.count, subject, value, isCertain: effect == .yes)
    }
    report.effects.append(
      UdevRuleEffect(
        place: place, token: token, subject: subject, value: value, isCertain: effect == .yes,
        fixed: effect == .no ? fixing.place : nil))
  }

  /// Adds an effect to the active ones, and removes those that certainly get another value.
  private mutating func stand(
    _ index: Int, _ subject: UdevRuleEffect.Subject, _ value: UdevRuleKnown<UdevRuleText>?,
    isCertain: Bool
  ) {
    var groups = standing[subject.kind, default: [:]].removeValue(forKey: subject) ?? []
    if isCertain {
      for group in groups where group.value != value { overwrite(group.effects) }
      groups.removeAll { $0.value != value }
    }
    // Only the last group is compared. After a certain effect, it is the only group.
    if let last = groups.indices.last, groups[last].value == value {
      groups[last].effects.append(index)
    } else {
      groups.append(Standing(value: value, effects: [index]))
    }
    standing[subject.kind, default: [:]][subject] = groups
  }

  /// Marks all active effects of a kind as overwritten, if the line certainly removes them.
  mutating func overwrite(_ kind: UdevRuleEffect.Subject.Kind) {
    guard certainty == .yes, let subjects = standing.removeValue(forKey: kind) else { return }
    for group in subjects.values.joined() { overwrite(group.effects) }
  }

  private mutating func overwrite(_ effects: [Int]) {
    for index in effects { report.effects[index].overwritten = place }
  }
}

extension UdevRuleEffect.Subject {
  /// A kind of subject; a line can remove all tags, links or labels at once.
  enum Kind {
    case securityLabel, tag, link, other
  }

  var kind: Kind {
    switch self {
    case .securityLabel: .securityLabel
    case .tag: .tag
    case .link: .link
    default: .other
    }
  }
}
