internal import AccessModel
public import DevicePermissions
internal import LegoKit
internal import LinuxDevices

/// Gives and revokes grants on an in-memory machine, which change the access lists of its files and
/// devices.
///
/// The plans, decisions and records are those of the real implementation. The access lists belong
/// to the description, and the machine's clock ends the grants.
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
    // This is never cancelled: it does nothing if the grant has been revoked.
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

  /// Renews a grant once, because an in-memory machine renews its grants during a session switch.
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
  /// The service refuses what the real one refuses, and later answers of the machine include its
  /// grants. A temporary grant ends when the ``clock`` has advanced by its lifetime. The caller is
  /// the subject of the machine; each user has a separate record of grants. If a device is added
  /// again, its grants are renewed.
  public var grants: GrantService {
    GrantService(machine: self, answeredBy: InMemoryGrants(machine: self))
  }
}
