/// Other texts for a match that does not hold, of which one may be what was meant.
struct RuleMend {
  let facts: RuleFacts
  let report: UdevRuleReport

  /// The texts, the likeliest first; `nil` leaves the match out.
  func candidates(for mismatch: UdevRuleMismatch) -> [String?] {
    let token = mismatch.token
    if token.comparison == .unequal {
      return token.key == .action ? [#"ACTION!="remove""#] : [nil]
    }
    switch token.key {
    case .kernel, .subsystem, .driver, .attribute:
      return ofParents(token) + found(mismatch) + nearest(token, key: "ATTRS")
    case .parentKernel, .parentSubsystem, .parentDriver, .parentAttribute:
      return ofDevice(token) + nearest(token, key: "ATTRS") + others(token)
        + (token.key == .parentAttribute ? [] : [nil])
    case .property: return properties(token) + found(mismatch)
    case .action: return [#"ACTION!="remove""#]
    case .devicePath, .name, .link: return found(mismatch)
    case .test: return attribute(token) + [nil]
    default: return []
    }
  }

  /// The match of parents in the place of one of the device itself.
  private func ofParents(_ token: UdevRuleToken) -> [String?] {
    guard let key = Self.plural[token.key.word],
      facts.parents.contains(where: { holds(token, of: $0) })
    else { return [] }
    return [text(key, token.attribute, token.value)]
  }

  /// The match of the device itself in the place of one of its parents.
  private func ofDevice(_ token: UdevRuleToken) -> [String?] {
    guard let device = facts.device, holds(token, of: device),
      let key = Self.plural.first(where: { $0.value == token.key.word })?.key
    else { return [] }
    return [text(key, token.attribute, token.value)]
  }

  /// The attribute of a parent that a line looks for as a file of the device itself.
  private func attribute(_ token: UdevRuleToken) -> [String?] {
    guard facts.parents.contains(where: { $0.attributes[token.value]?.value != nil }) else {
      return []
    }
    return [text("ATTRS", token.value, "?*")]
  }

  private static let plural = [
    "KERNEL": "KERNELS", "SUBSYSTEM": "SUBSYSTEMS", "DRIVER": "DRIVERS", "ATTR": "ATTRS",
  ]

  private func found(_ mismatch: UdevRuleMismatch) -> [String?] {
    let token = mismatch.token
    guard let value = mismatch.found, !value.isEmpty, !token.pattern.accepts([]) else { return [] }
    return [text(token.key.word, token.attribute, trimmed(value, token))]
  }

  /// The names of the device and its parents, those first that begin as the wanted one does.
  private func others(_ token: UdevRuleToken) -> [String?] {
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
    return likeness.sorted { ($1.0, $0.1) < ($0.0, $1.1) }.prefix(8)
      .map { text(token.key.word, nil, $0.2) }
  }

  /// The value that the nearest device with the attribute has.
  private func nearest(_ token: UdevRuleToken, key: String) -> [String?] {
    guard token.key == .attribute || token.key == .parentAttribute, let name = token.attribute,
      let value = facts.chain.lazy.compactMap({ $0.attributes[name]?.value }).first
    else { return [] }
    return [text(key, name, trimmed(value, token))]
  }

  /// Another property that has the value, or that differs only in its case.
  private func properties(_ token: UdevRuleToken) -> [String?] {
    guard let name = token.attribute else { return [] }
    var known = facts.record?.properties ?? [:]
    known.merge(facts.device?.properties ?? [:]) { first, _ in first }
    let others = known.filter { other in
      other.key != name && token.pattern.accepts(other.value.bytes)
        && (other.key.hasPrefix(name) || name.hasPrefix(other.key)
          || other.key.bytes.map(\.smallLetter) == name.bytes.map(\.smallLetter))
    }
    return others.keys.sorted().map { text("ENV", $0, token.value) }
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
    _ key: String, _ attribute: UdevRuleText?, _ value: UdevRuleText
  ) -> String? {
    guard let value = String(validating: value.bytes, as: UTF8.self),
      value.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7F }),
      value.utf8.last != UInt8(ascii: "\\"), value.utf8.count <= 256
    else { return nil }
    let quoted = value.split(separator: "\"", omittingEmptySubsequences: false)
      .joined(separator: #"\""#)
    return key + (attribute.map { "{\($0)}" } ?? "") + "==\"\(quoted)\""
  }
}
