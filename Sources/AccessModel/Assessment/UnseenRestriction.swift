extension Comparison {
  /// Takes back a grant to a service of whose settings not all are known: what was not read or not
  /// understood may restrict it.
  ///
  /// A refusal stays, because the settings that are known prove it.
  mutating func takeUnseenRestrictions(of facts: borrowing AccessFacts) {
    guard verdict == .granted, facts.unseenRestriction != nil else { return }
    verdict = .undecided
    certainty = .undecided
  }
}

extension AccessFacts {
  /// Why the settings of the service in question may restrict it further; `nil` when all are known.
  fileprivate var unseenRestriction: String? {
    unobserved.first { $0.layer == Unobserved.restrictionsLayer }?.reason
  }
}

extension Assessment {
  /// What may restrict the service that the rules would let in; `nil` where nothing unknown does.
  var unseenRestriction: String? {
    guard case .granted = decision.outcome, verdict == .undecided, disagreement == nil else {
      return nil
    }
    return facts.unseenRestriction
  }
}
