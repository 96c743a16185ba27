internal import AccessModel
public import DevicePermissions
internal import LegoKit
internal import LinuxDevices

/// The grants of a machine in memory: the lists of its files and devices change with them.
///
/// It decides as the real one does, by the same plan, and keeps the same record. Only the places are
/// others: the list is that of the description, and the clock of the machine ends a grant.
struct InMemoryGrants: GrantDesk {
  let machine: InMemoryMachine

  func plan(_ request: GrantRequest) throws(GrantError) -> GrantReport {
    let machine = machine.currentDescription
    let (plan, _, _) = try machine.plan(request)
    var report = machine.report(of: plan, machine.record(of: plan, request, id: ""))
    guard !report.isAllowedAlready else { return report }
    report.commands = report.listCommands
    return report
  }

  func grant(_ request: GrantRequest) throws(GrantError) -> GrantReport {
    let report = try machine.changing { description throws(GrantError) in
      try description.give(request)
    }
    guard !report.isAllowedAlready, case .seconds(let seconds) = request.lifetime else {
      return report
    }
    let clock = machine.clock
    // Nothing calls it off: a grant that was revoked is not there to be ended.
    _ = clock.schedule(at: clock.now.advanced(by: .seconds(seconds))) { [weak machine] in
      machine?.change { $0.endOverdueGrants() }
    }
    return report
  }

  func revoke(
    _ selection: GrantSelection, isDry: Bool
  ) throws(GrantError) -> Revocation {
    let choice = try GrantChoice(selection, following: machine.currentDescription.trustedLinks)
    let revoke = { (description: inout MachineDescription) throws(GrantError) in
      let revoked = description.takeBack(choice)
      guard !revoked.isEmpty || choice.isOfOverdue else {
        throw choice.missing(isRoot: description.subject.euid == 0)
      }
      return revoked
    }
    if isDry {
      var copy = machine.currentDescription
      return Revocation(try revoke(&copy))
    }
    let revoked = try machine.changing(revoke).map { standing in
      var standing = standing
      standing.commands = []
      return standing
    }
    return Revocation(revoked)
  }

  /// A machine in memory gives it again with the switch itself.
  func renew(
    _ id: String, at path: String, settles: Bool
  ) throws(GrantError) -> StandingGrant {
    try machine.changing { description throws(GrantError) in
      try description.giveAgain(id, at: path)
    }
  }

  func grants() throws(GrantError) -> [StandingGrant] { machine.currentDescription.standingGrants }
}

extension InMemoryMachine {
  /// A service that grants access on this machine.
  ///
  /// It refuses what the real one refuses, and the answers of the machine follow it. A grant with an
  /// end is over when the ``clock`` has gone on by its time. The caller is the subject of the
  /// machine; each user has a record of grants. A device that comes back has its grants again.
  public var grants: GrantService {
    GrantService(machine: self, answeredBy: InMemoryGrants(machine: self))
  }
}
