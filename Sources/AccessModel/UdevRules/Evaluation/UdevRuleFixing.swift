/// Whether a line fixed something with `:=`, so that later lines cannot change it.
struct UdevRuleFixing {
  private(set) var isFixed: Ternary = .no
  private(set) var place: UdevRulePlace?

  /// Lets a line change it, and returns whether the line can.
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
