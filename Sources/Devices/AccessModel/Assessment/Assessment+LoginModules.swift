/// Groups that a login has but the database does not list.
extension Assessment {
  /// The groups that would give the login in question access if pam_group adds them.
  var helpfulModuleGroups: [UInt32] {
    guard facts.origin?.kind == .user, case .denied = decision.outcome else { return [] }
    return facts.account.moduleGroups.filter { group in
      guard !subject.groups.contains(group) else { return false }
      var member = subject
      member.groups.append(group)
      return prepared.asked(by: member.withoutDeviceProgramDoubt).verdict().isGranted
    }
  }
}

extension Comparison {
  /// Downgrades a proven refusal of a login to a prediction if pam_group may add groups that give
  /// access.
  ///
  /// The kernel check did not include these groups.
  mutating func takeModuleGroups(of facts: borrowing AccessFacts, _ prepared: PreparedCase) {
    guard certainty == .proven, case .refused = verdict, facts.origin?.kind == .user,
      !facts.account.moduleGroups.isEmpty
    else { return }
    var member = facts.access.subject
    member.groups += facts.account.moduleGroups
    if prepared.asked(by: member.withoutDeviceProgramDoubt).verdict().isGranted {
      certainty = .predicted
    }
  }
}
