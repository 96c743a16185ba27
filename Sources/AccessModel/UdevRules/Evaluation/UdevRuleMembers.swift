/// A set of texts, some of which may or may not be in it: tags or links.
struct UdevRuleMembers {
  private var certainties: [UdevRuleText: Ternary] = [:]
  /// How many of them may or may not be there.
  private var doubtful = 0
  /// Why there may be others.
  private(set) var others: UdevRuleDoubt?

  init(_ members: some Sequence<UdevRuleText> = [], _ certainty: Ternary = .yes) {
    for member in members { set(member, certainty) }
  }

  mutating func add(_ member: UdevRuleKnown<UdevRuleText>, _ certainty: Ternary) {
    switch member {
    case .value(let text): set(text, max(certainties[text] ?? .no, certainty))
    case .unknown(let doubt): others = others ?? doubt
    }
  }

  mutating func remove(_ member: UdevRuleKnown<UdevRuleText>, _ certainty: Ternary) {
    switch member {
    case .value(let text):
      if certainty == .yes {
        set(text, nil)
      } else if certainties[text] == .yes {
        set(text, .maybe)
      }
    case .unknown:
      weaken()
    }
  }

  mutating func removeAll(_ certainty: Ternary) {
    if certainty == .yes {
      self = UdevRuleMembers()
    } else {
      weaken()
    }
  }

  mutating func doubtAll(_ doubt: UdevRuleDoubt) {
    others = others ?? doubt
  }

  private mutating func set(_ text: UdevRuleText, _ certainty: Ternary?) {
    if certainties[text] == .maybe { doubtful -= 1 }
    if certainty == .maybe { doubtful += 1 }
    // What is surely not there is not kept.
    certainties[text] = certainty == .no ? nil : certainty
  }

  private mutating func weaken() {
    guard doubtful < certainties.count else { return }
    certainties = certainties.mapValues { _ in .maybe }
    doubtful = certainties.count
  }

  /// Whether one of them satisfies a condition.
  func contains(where isMatch: (UdevRuleText) -> Bool) -> Ternary {
    var found: Ternary = others == nil ? .no : .maybe
    for (text, certainty) in certainties where isMatch(text) { found = max(found, certainty) }
    return found
  }

  /// How surely something else than some texts is in it.
  func contains(otherThan texts: Set<UdevRuleText>) -> Ternary {
    var certain = certainties.count - doubtful
    var possible = doubtful
    for text in texts {
      switch certainties[text] {
      case .yes: certain -= 1
      case .maybe: possible -= 1
      case .no, nil: break
      }
    }
    if certain > 0 { return .yes }
    return possible > 0 || others != nil ? .maybe : .no
  }

  /// How surely one text is in it.
  func contains(_ text: UdevRuleText) -> Ternary {
    max(certainties[text] ?? .no, others == nil ? .no : .maybe)
  }

  /// Whether it is known of every text whether it is in it.
  var isKnown: Bool { others == nil && doubtful == 0 }

  /// How many there are, surely or perhaps.
  var count: Int { certainties.count }

  /// The only one; `nil` when there are none or several.
  var only: UdevRuleText? { certainties.count == 1 ? certainties.keys.first : nil }

  /// Those that are surely there.
  var certain: Set<UdevRuleText> { Set(certainties.filter { $0.value == .yes }.keys) }
}
