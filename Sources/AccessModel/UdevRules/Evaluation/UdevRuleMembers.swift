/// A set of texts, some of which may or may not be in it: tags or links.
struct UdevRuleMembers {
  private(set) var certainties: [UdevRuleText: Ternary] = [:]
  /// Why there may be others.
  private(set) var others: UdevRuleDoubt?

  init(_ members: some Sequence<UdevRuleText> = [], _ certainty: Ternary = .yes) {
    for member in members { certainties[member] = certainty }
  }

  mutating func add(_ member: UdevRuleKnown<UdevRuleText>, _ certainty: Ternary) {
    switch member {
    case .value(let text): certainties[text] = max(certainties[text] ?? .no, certainty)
    case .unknown(let doubt): others = others ?? doubt
    }
  }

  mutating func remove(_ member: UdevRuleKnown<UdevRuleText>, _ certainty: Ternary) {
    switch member {
    case .value(let text):
      if certainty == .yes { certainties[text] = nil } else { weaken { $0 == text } }
    case .unknown:
      weaken { _ in true }
    }
  }

  mutating func removeAll(_ certainty: Ternary) {
    if certainty == .yes {
      self = UdevRuleMembers()
    } else {
      weaken { _ in true }
    }
  }

  mutating func doubtAll(_ doubt: UdevRuleDoubt) {
    others = others ?? doubt
  }

  private mutating func weaken(_ isChosen: (UdevRuleText) -> Bool) {
    for (text, certainty) in certainties where certainty == .yes && isChosen(text) {
      certainties[text] = .maybe
    }
  }

  /// Whether one of them satisfies a condition.
  func contains(where isMatch: (UdevRuleText) -> Bool) -> Ternary {
    var found: Ternary = others == nil ? .no : .maybe
    for (text, certainty) in certainties where isMatch(text) { found = max(found, certainty) }
    return found
  }

  /// Those that are surely there; `nil` when others may be.
  var known: Set<UdevRuleText>? {
    guard others == nil, !certainties.values.contains(.maybe) else { return nil }
    return Set(certainties.keys)
  }

  /// Those that are surely there.
  var certain: Set<UdevRuleText> { Set(certainties.filter { $0.value == .yes }.keys) }
}
