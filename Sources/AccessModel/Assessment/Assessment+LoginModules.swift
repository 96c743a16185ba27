/// Groups that a login gets beside those of the database.
extension Assessment {
  /// The groups by which a login in question would be let in if pam_group adds them.
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
  /// Makes a refusal of a login a prediction if pam_group may add groups that the kernel was not asked with.
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
