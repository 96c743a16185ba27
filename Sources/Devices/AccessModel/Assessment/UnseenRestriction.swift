extension Comparison {
  /// Withdraws a grant to a service if some of its settings are unknown.
  ///
  /// A setting that was not read or not understood may restrict the service. A refusal remains,
  /// because the known settings prove it.
  mutating func takeUnseenRestrictions(of facts: borrowing AccessFacts) {
    guard verdict == .granted, facts.unseenRestriction != nil else { return }
    verdict = .undecided
    certainty = .undecided
  }
}

extension AccessFacts {
  /// The reason why the settings of the service may restrict it further; `nil` if all are known.
  fileprivate var unseenRestriction: String? {
    unobserved.first { $0.layer == Unobserved.restrictionsLayer }?.reason
  }
}

extension Assessment {
  /// The unknown settings that may restrict a service to which the rules grant access; `nil` if
  /// there are none.
  var unseenRestriction: String? {
    guard case .granted = decision.outcome, verdict == .undecided, disagreement == nil else {
      return nil
    }
    return facts.unseenRestriction
  }
}
