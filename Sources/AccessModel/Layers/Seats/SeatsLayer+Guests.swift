/// What else is known of a cause: the rules of a system container's own udev, and the session.
extension SeatsLayer {
  /// The same cause with the rule of a system container's own udev that gives the node to its group.
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

  /// The same cause with what a remote session means for devices of a seat.
  func withSession(_ cause: Cause) -> Cause {
    guard let session = facts.session, session.isRemote, !assessment.canHaveSeat else {
      return cause
    }
    var cause = cause
    let name = session.id.map { "Session \($0)" } ?? "The session"
    cause.summary += " \(name) is remote, and only a local session can be active on a seat."
    return cause
  }
}
