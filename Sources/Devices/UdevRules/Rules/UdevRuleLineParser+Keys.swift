extension UdevRuleLineParser {
  /// Adds a key to the line, or refuses the line.
  mutating func add(_ pair: Pair) throws(Refusal) {
    if pair.ignoresCase, !pair.comparison.isMatch { throw refuse(.invalidPrefix, name(pair)) }
    if pair.name == Self.goto || pair.name == Self.label {
      guard pair.attribute == nil else { throw refuse(.invalidAttribute, name(pair)) }
      guard pair.comparison == .assign else { throw refuse(.invalidOperator, name(pair)) }
      if pair.name == Self.goto { setJump(pair.value) } else { setLabel(pair.value) }
      return
    }
    guard let entry = UdevRuleKeyEntry.find(pair.name, version) else {
      throw refuse(.unknownKey, name(pair))
    }
    try checkBraces(pair, entry)
    var comparison = pair.comparison
    guard let key = comparison.isMatch ? entry.match : entry.assignment else {
      throw refuse(.invalidOperator, name(pair))
    }
    if comparison == .remove {
      guard entry.takesRemove, key != .addLink || version.removesLinks else {
        throw refuse(.invalidOperator, name(pair))
      }
    }
    if entry.isAssumed(comparison) {
      if !entry.isSilent { note(.assumedOperator, name(pair)) }
      comparison = .assign
    }
    if key.isMatch, !comparison.isMatch { comparison = .equal }
    try add(key, pair, comparison)
  }

  private static let goto = UdevRuleKeyName("GOTO".utf8)
  private static let label = UdevRuleKeyName("LABEL".utf8)

  private func refuse(_ code: UdevRuleProblem.Code, _ subject: UdevRuleText) -> Refusal {
    Refusal(code: code, subject: subject)
  }

  private mutating func checkBraces(
    _ pair: Pair, _ entry: UdevRuleKeyEntry
  ) throws(Refusal) {
    switch entry.braces {
    case .optional:
      return
    case .none:
      guard pair.attribute == nil else { throw refuse(.invalidAttribute, name(pair)) }
    case .needed, .substituted:
      guard let attribute = pair.attribute, !attribute.isEmpty else {
        throw refuse(.invalidAttribute, name(pair))
      }
      if entry.braces == .substituted, !UdevRuleSubstitution.isValid(attribute) {
        note(.invalidSubstitution, UdevRuleText(attribute))
      }
    }
  }

  /// Records a problem if the value is empty although one is needed, or if it contains an invalid
  /// substitution.
  private mutating func check(_ pair: Pair, isNeeded: Bool) {
    if isNeeded, pair.value.isEmpty {
      note(.invalidValue, UdevRuleText(pair.value))
    } else if !UdevRuleSubstitution.isValid(pair.value) {
      note(.invalidSubstitution, UdevRuleText(pair.value))
    }
  }

  private mutating func add(
    _ key: UdevRuleKey, _ pair: Pair, _ comparison: UdevRuleOperator
  ) throws(Refusal) {
    switch key {
    case .constant:
      guard let attribute = pair.attribute,
        attribute.spells("arch") || attribute.spells("virt")
          || attribute.spells("cvm") && version.number >= 254
      else { throw refuse(.invalidAttribute, name(pair)) }
    case .addLink, .setAttribute, .setSysctl:
      check(pair, isNeeded: false)
    case .addTag, .securityLabel:
      check(pair, isNeeded: true)
    case .setName:
      guard !pair.value.isEmpty, !pair.value.spells("%k") else {
        throw refuse(.invalidValue, name(pair))
      }
      check(pair, isNeeded: false)
    case .setProperty:
      let attribute = pair.attribute ?? []
      if let name = UdevRuleKeyName(attribute), Self.fixedProperties.contains(name) {
        throw refuse(.fixedProperty, UdevRuleText(attribute))
      }
      check(pair, isNeeded: false)
    case .test, .program:
      check(pair, isNeeded: true)
      if pair.ignoresCase { throw refuse(.invalidPrefix, name(pair)) }
      if key == .test, let attribute = pair.attribute, !attribute.isEmpty {
        guard let mode = UdevRuleNumber.mode(attribute) else {
          throw refuse(.invalidValue, UdevRuleText(attribute))
        }
        append(key, pair, comparison, number: Int64(mode))
        return
      }
    case .importFile:
      check(pair, isNeeded: true)
      if pair.ignoresCase { throw refuse(.invalidPrefix, name(pair)) }
      append(try importKey(pair), pair, comparison)
      return
    case .watch:
      try addOption(pair, comparison)
      return
    case .owner, .group:
      addOwner(key, pair, comparison)
      return
    case .mode:
      if let mode = UdevRuleNumber.mode(pair.value) {
        append(.modeID, pair, comparison, number: Int64(mode))
        return
      }
      check(pair, isNeeded: true)
    case .runProgram:
      check(pair, isNeeded: true)
      append(try runKey(pair), pair, comparison)
      return
    default:
      break
    }
    append(key, pair, comparison)
  }

  private func importKey(_ pair: Pair) throws(Refusal) -> UdevRuleKey {
    let source = pair.attribute ?? []
    if source.spells("file") { return .importFile }
    if source.spells("program") {
      return UdevRuleBuiltin(command: pair.value) == nil ? .importProgram : .importBuiltin
    }
    if source.spells("builtin") {
      guard UdevRuleBuiltin(command: pair.value) != nil else {
        throw refuse(.invalidValue, UdevRuleText(pair.value))
      }
      return .importBuiltin
    }
    if source.spells("db") { return .importDatabase }
    if source.spells("cmdline") { return .importCommandLine }
    if source.spells("parent") { return .importParent }
    throw refuse(.invalidAttribute, name(pair))
  }

  private func runKey(_ pair: Pair) throws(Refusal) -> UdevRuleKey {
    guard let attribute = pair.attribute, !attribute.spells("program") else { return .runProgram }
    guard attribute.spells("builtin") else { throw refuse(.invalidAttribute, name(pair)) }
    guard UdevRuleBuiltin(command: pair.value) != nil else {
      throw refuse(.invalidValue, UdevRuleText(pair.value))
    }
    return .runBuiltin
  }

  /// Adds an owner or a group.
  ///
  /// An ID, or a name without substitutions, is resolved when the rules are read. It takes effect
  /// after values with substitutions.
  private mutating func addOwner(_ key: UdevRuleKey, _ pair: Pair, _ comparison: UdevRuleOperator) {
    let fixed: UdevRuleKey = key == .owner ? .ownerID : .groupID
    if let id = UdevRuleNumber.id(pair.value) {
      append(fixed, pair, comparison, number: Int64(id))
    } else if !UdevRuleSubstitution.isNeeded(in: pair.value), pair.value.first != UInt8(ascii: "[")
    {
      append(fixed, pair, comparison)
    } else {
      check(pair, isNeeded: true)
      append(key, pair, comparison)
    }
  }

  private mutating func addOption(_ pair: Pair, _ comparison: UdevRuleOperator) throws(Refusal) {
    let value = UdevRuleText(pair.value)
    switch value {
    case "dump" where version.dumps: append(.dump, pair, comparison)
    case "string_escape=none": append(.escapeNone, pair, comparison)
    case "string_escape=replace": append(.escapeReplace, pair, comparison)
    case "db_persist": append(.persist, pair, comparison)
    case "watch": append(.watch, pair, comparison, number: 1)
    case "nowatch": append(.watch, pair, comparison, number: 0)
    default:
      if let node = value.dropping("static_node=") {
        append(.staticNode, pair, comparison, value: node.bytes)
      } else if let text = value.dropping("link_priority=") {
        guard let priority = UdevRuleNumber.integer(text.bytes) else {
          throw refuse(.invalidValue, value)
        }
        append(.linkPriority, pair, comparison, number: Int64(priority))
      } else if let level = value.dropping("log_level=") {
        guard level == "reset" || Self.isLogLevel(level) else { throw refuse(.invalidValue, value) }
        append(.logLevel, pair, comparison)
      } else {
        note(.unknownOption, isPart: true, value)
      }
    }
  }

  private static func isLogLevel(_ text: UdevRuleText) -> Bool {
    logLevels.contains(text) || (text.bytes.count == 1 && (48...55).contains(text.bytes[0]))
  }

  private static let logLevels: Set<UdevRuleText> = [
    "emerg", "alert", "crit", "err", "warning", "notice", "info", "debug",
  ]

  private static let fixedProperties = [
    "ACTION", "DEVLINKS", "DEVNAME", "DEVPATH", "DEVTYPE", "DRIVER", "IFINDEX", "MAJOR", "MINOR",
    "SEQNUM", "SUBSYSTEM", "TAGS",
  ].compactMap { UdevRuleKeyName($0.utf8) }
}
