internal import UdevRules

/// Suggests corrections for a match that fails.
struct RuleCorrections {
  /// A suggested text.
  struct Candidate {
    /// The match; `nil` to remove it.
    let text: String?
    /// A Boolean value that indicates whether the text only corrects the form of the match.
    let isSpelling: Bool

    static let leavingOut = Candidate(text: nil, isSpelling: false)

    /// Returns the text as a candidate, or an empty array without a text.
    static func list(_ text: String?, isSpelling: Bool = false) -> [Candidate] {
      text.map { [Candidate(text: $0, isSpelling: isSpelling)] } ?? []
    }
  }

  let facts: RuleFacts
  let report: UdevRuleReport

  /// Returns the suggestions, with the most likely one first.
  func candidates(for mismatch: UdevRuleMismatch) -> [Candidate] {
    let token = mismatch.token
    if token.comparison == .unequal {
      if token.key == .action { return Candidate.list(#"ACTION!="remove""#) }
      return (token.key == .attribute ? ofParents(token) : []) + [.leavingOut]
    }
    switch token.key {
    // The name of a raw USB device is the name of its port.
    case .kernel
    where facts.device?.subsystem == "usb" && !token.value.description.isUSBPlace:
      return ofOtherParents(token) + [.leavingOut]
    case .kernel: return ofOtherParents(token) + found(mismatch)
    // A parent's subsystem would match everything below the parent.
    case .subsystem: return ofName(token) + found(mismatch)
    case .driver, .attribute:
      return ofParents(token) + found(mismatch) + nearest(token, key: "ATTRS")
    case .parentKernel, .parentSubsystem, .parentDriver, .parentAttribute:
      return ofDevice(token) + nearest(token, key: "ATTRS") + others(token)
        + (token.key == .parentAttribute ? [] : [.leavingOut])
    case .property: return properties(token) + found(mismatch)
    case .action: return Candidate.list(#"ACTION!="remove""#)
    case .devicePath, .name, .link: return found(mismatch)
    case .test: return attribute(token) + [.leavingOut]
    default: return []
    }
  }

  /// Returns a match on the parents instead of the device itself.
  private func ofParents(_ token: UdevRuleToken) -> [Candidate] {
    guard let key = Self.plural[token.key.word],
      facts.parents.contains(where: { holds(token, of: $0) })
    else { return [] }
    let sign = token.comparison == .unequal ? "!=" : "=="
    return Candidate.list(text(key, token.attribute, token.value, sign), isSpelling: true)
  }

  /// Returns a match on the name of a parent in another subsystem.
  ///
  /// A parent in the same subsystem has its own nodes.
  private func ofOtherParents(_ token: UdevRuleToken) -> [Candidate] {
    let parent = facts.parents.first { holds(token, of: $0) }
    guard let parent, parent.subsystem != facts.device?.subsystem else { return [] }
    return ofParents(token)
  }

  /// Returns a match on the device's name, if the rule uses that name as a subsystem.
  ///
  /// The kernel may no longer have such a subsystem.
  private func ofName(_ token: UdevRuleToken) -> [Candidate] {
    guard let name = facts.device?.name, token.pattern.exactTexts == [name.bytes] else { return [] }
    return Candidate.list(text("KERNEL", nil, name), isSpelling: true)
  }

  /// Returns a match on the device itself instead of one of its parents.
  func ofDevice(_ token: UdevRuleToken) -> [Candidate] {
    guard let device = facts.device, token.comparison != .unequal, holds(token, of: device),
      let key = Self.plural.first(where: { $0.value == token.key.word })?.key
    else { return [] }
    return Candidate.list(text(key, token.attribute, token.value), isSpelling: true)
  }

  /// Returns a match on an attribute of a parent, if the line tests for it as a file of the device
  /// itself.
  private func attribute(_ token: UdevRuleToken) -> [Candidate] {
    guard facts.parents.contains(where: { $0.attributes[token.value]?.value != nil }) else {
      return []
    }
    return Candidate.list(text("ATTRS", token.value, "?*"), isSpelling: true)
  }

  private static let plural = [
    "KERNEL": "KERNELS", "SUBSYSTEM": "SUBSYSTEMS", "DRIVER": "DRIVERS", "ATTR": "ATTRS",
  ]

  private func found(_ mismatch: UdevRuleMismatch) -> [Candidate] {
    let token = mismatch.token
    guard let value = mismatch.found, !value.isEmpty, !token.pattern.accepts([]) else { return [] }
    return Candidate.list(
      text(token.key.word, token.attribute, trimmed(value, token)),
      isSpelling: isSpelling(token, value))
  }

  private func isSpelling(_ token: UdevRuleToken, _ value: UdevRuleText) -> Bool {
    RuleTargets.isSame(token.value, value)
      || ([.subsystem, .parentSubsystem].contains(token.key)
        && (RuleTargets.isMisspelt(token.value, value)
          || RuleIdentity.sharesWord(token.value, value)))
  }

  /// Returns matches on the names of the device and its parents, starting with the longest common
  /// prefix.
  private func others(_ token: UdevRuleToken) -> [Candidate] {
    let values = facts.chain.compactMap { device -> UdevRuleText? in
      switch token.key {
      case .parentKernel: device.name
      case .parentSubsystem: device.subsystem
      case .parentDriver: device.driver
      default: nil
      }
    }
    let likeness = values.enumerated().map { index, value in
      (zip(value.bytes, token.value.bytes).prefix { $0 == $1 }.count, index, value)
    }
    let singular = Self.plural.first { $0.value == token.key.word }?.key
    return likeness.sorted { ($1.0, $0.1) < ($0.0, $1.1) }.prefix(8).flatMap { _, _, value in
      // With the plural key, the match would also hold for every device below this one.
      let isOwn =
        switch token.key {
        case .parentKernel: value == facts.device?.name
        case .parentSubsystem: value == facts.device?.subsystem
        default: false
        }
      return Candidate.list(
        text(isOwn ? singular ?? token.key.word : token.key.word, nil, value),
        isSpelling: isSpelling(token, value))
    }
  }

  /// Returns a match on the value that the nearest device with the attribute has.
  private func nearest(_ token: UdevRuleToken, key: String) -> [Candidate] {
    guard token.key == .attribute || token.key == .parentAttribute, let name = token.attribute,
      let value = facts.chain.lazy.compactMap({ $0.attributes[name]?.value }).first
    else { return [] }
    return Candidate.list(
      text(key, name, trimmed(value, token)), isSpelling: RuleTargets.isSame(token.value, value))
  }

  /// Returns matches on other properties that have the value and a similar name.
  private func properties(_ token: UdevRuleToken) -> [Candidate] {
    guard let name = token.attribute else { return [] }
    var known = facts.record?.properties ?? [:]
    known.merge(facts.device?.properties ?? [:]) { first, _ in first }
    let others = known.filter { other in
      other.key != name && token.pattern.accepts(other.value.bytes)
        && (other.key.hasPrefix(name) || name.hasPrefix(other.key)
          || other.key.bytes.map(\.smallLetter) == name.bytes.map(\.smallLetter))
    }
    return others.keys.sorted().flatMap { Candidate.list(text("ENV", $0, token.value)) }
  }

  private func holds(_ token: UdevRuleToken, of device: UdevRuleDevice) -> Bool {
    let value: UdevRuleText? =
      switch token.key {
      case .kernel, .parentKernel: device.name
      case .subsystem, .parentSubsystem: device.subsystem ?? ""
      case .driver, .parentDriver: device.driver ?? ""
      case .attribute, .parentAttribute:
        token.attribute.flatMap { device.attributes[$0]?.value }.map { trimmed($0, token) }
      default: nil
      }
    return value.map { token.pattern.accepts($0.bytes) } ?? false
  }

  private func trimmed(_ value: UdevRuleText, _ token: UdevRuleToken) -> UdevRuleText {
    token.trimsFoundValue || token.value.isEmpty ? UdevRuleText(value.bytes.trimmingEnd) : value
  }

  private func text(
    _ key: String, _ attribute: UdevRuleText?, _ value: UdevRuleText, _ sign: String = "=="
  ) -> String? {
    guard let value = String(validating: value.bytes, as: UTF8.self),
      value.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7F }),
      value.utf8.last != UInt8(ascii: "\\"), value.utf8.count <= 256
    else { return nil }
    let quoted = value.placing("\\", before: "\"")
    return key + (attribute.map { "{\($0)}" } ?? "") + "\(sign)\"\(quoted)\""
  }
}
