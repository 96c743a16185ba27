/// Notes about udev inside a system container, and about remote sessions.
extension SeatsLayer {
  /// Returns the cause, with the rule that gives the node to its group in a system container.
  func withGuestRule(_ cause: Cause, _ node: Node) -> Cause {
    guard let container = confinement.container, ["lxc", "systemd-nspawn"].contains(container),
      let rules = SeatRules(facts, of: assessment.device, node),
      let group = names.groupName(node.gid)
    else { return cause }
    var place: UdevRulePlace?
    if let effect = rules.setting, effect.subject == .group {
      place = effect.token.value.exact == group ? effect.place : nil
    } else if let fixed = rules.groupByName, fixed.group.exact == group {
      place = fixed.place
    }
    guard let place else { return cause }
    var cause = cause
    cause.summary += """
       \(place) in the container gives the node to \(group) each time the container starts.
      """
    return cause
  }

  /// Returns the cause, with a note that a remote session gives no access to the devices of a seat.
  func withSession(_ cause: Cause) -> Cause {
    guard let session = facts.session, session.isRemote, !assessment.canHaveSeat else {
      return cause
    }
    var cause = cause
    let name = session.id.map { "Session \($0)" } ?? "The session"
    cause.summary += " \(name) is remote, so logind gives it no device of a seat."
    return cause
  }
}
