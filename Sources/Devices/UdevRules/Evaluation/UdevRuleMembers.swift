/// A set of tags or links, some of which may be uncertain.
struct UdevRuleMembers {
  private var certainties: [UdevRuleText: UdevRuleCertainty] = [:]
  /// The number of uncertain members.
  private var doubtful = 0
  /// The reason why the set may have further, unknown members; `nil` if it has none.
  private(set) var others: UdevRuleDoubt?

  init(_ members: some Sequence<UdevRuleText> = [], _ certainty: UdevRuleCertainty = .yes) {
    for member in members { set(member, certainty) }
  }

  mutating func add(_ member: UdevRuleKnown<UdevRuleText>, _ certainty: UdevRuleCertainty) {
    switch member {
    case .value(let text): set(text, max(certainties[text] ?? .no, certainty))
    case .unknown(let doubt): others = others ?? doubt
    }
  }

  mutating func remove(_ member: UdevRuleKnown<UdevRuleText>, _ certainty: UdevRuleCertainty) {
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

  mutating func removeAll(_ certainty: UdevRuleCertainty) {
    if certainty == .yes {
      self = UdevRuleMembers()
    } else {
      weaken()
    }
  }

  mutating func doubtAll(_ doubt: UdevRuleDoubt) {
    others = others ?? doubt
  }

  private mutating func set(_ text: UdevRuleText, _ certainty: UdevRuleCertainty?) {
    if certainties[text] == .maybe { doubtful -= 1 }
    if certainty == .maybe { doubtful += 1 }
    // Only certain and uncertain members are stored.
    certainties[text] = certainty == .no ? nil : certainty
  }

  private mutating func weaken() {
    guard doubtful < certainties.count else { return }
    certainties = certainties.mapValues { _ in .maybe }
    doubtful = certainties.count
  }

  /// Returns whether any member satisfies a predicate.
  func contains(where isMatch: (UdevRuleText) -> Bool) -> UdevRuleCertainty {
    var found: UdevRuleCertainty = others == nil ? .no : .maybe
    for (text, certainty) in certainties where isMatch(text) { found = max(found, certainty) }
    return found
  }

  /// Returns whether the set has any member other than the given texts.
  func contains(otherThan texts: Set<UdevRuleText>) -> UdevRuleCertainty {
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

  /// Returns whether the set contains a text.
  func contains(_ text: UdevRuleText) -> UdevRuleCertainty {
    max(certainties[text] ?? .no, others == nil ? .no : .maybe)
  }

  /// A Boolean value that indicates whether all members are known and certain.
  var isKnown: Bool { others == nil && doubtful == 0 }

  /// The number of certain and uncertain members.
  var count: Int { certainties.count }

  /// The only member, certain or uncertain; `nil` if there are none or several.
  var only: UdevRuleText? { certainties.count == 1 ? certainties.keys.first : nil }

  /// The certain members.
  var certain: Set<UdevRuleText> { Set(certainties.filter { $0.value == .yes }.keys) }
}
