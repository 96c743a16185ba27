extension UdevRuleMismatch {
  /// The same mismatch, of the nearest device that has the attribute where another one lacks it.
  func telling(_ chain: [UdevRuleDevice]) -> UdevRuleMismatch {
    guard token.key == .parentAttribute, found == nil, let name = token.attribute else {
      return self
    }
    for (index, device) in chain.enumerated() {
      guard let value = device.attributes[name]?.value else { continue }
      let shown = token.trimsFoundValue ? UdevRuleText(value.bytes.trimmingEnd) : value
      // One that has the wanted value lacks something else.
      if token.pattern.accepts(shown.bytes) { return self }
      return UdevRuleMismatch(token: token, found: value, device: index)
    }
    return self
  }
}
