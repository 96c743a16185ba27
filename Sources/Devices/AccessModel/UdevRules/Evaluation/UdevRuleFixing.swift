/// Records whether a line has made a value final with `:=`, after which later lines cannot change
/// it.
struct UdevRuleFixing {
  private(set) var isFixed: Ternary = .no
  private(set) var place: UdevRulePlace?

  /// Returns how certainly a line changes the value, and records whether the line makes it final.
  mutating func claim(
    fixes: Bool, _ certainty: Ternary, at place: UdevRulePlace
  ) -> Ternary {
    guard isFixed != .yes else { return .no }
    let effect: Ternary = isFixed == .maybe ? .maybe : certainty
    if fixes {
      isFixed = max(isFixed, effect)
      self.place = place
    }
    return effect
  }
}
