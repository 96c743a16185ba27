/// Records whether a line has made a value final with `:=`, after which later lines cannot change
/// it.
struct UdevRuleFixing {
  private(set) var isFixed: UdevRuleCertainty = .no
  private(set) var place: UdevRulePlace?

  /// Returns how certainly a line changes the value, and records whether the line makes it final.
  mutating func claim(
    fixes: Bool, _ certainty: UdevRuleCertainty, at place: UdevRulePlace
  ) -> UdevRuleCertainty {
    guard isFixed != .yes else { return .no }
    let effect: UdevRuleCertainty = isFixed == .maybe ? .maybe : certainty
    if fixes {
      isFixed = max(isFixed, effect)
      self.place = place
    }
    return effect
  }
}
