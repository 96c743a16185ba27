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
