package import AccessModel
internal import Glibc
internal import MessageBus

/// The transient systemd path units that restore a grant after a session switch.
///
/// When a session ends or becomes inactive, logind removes its user's entry from the devices of the
/// seat (`devnode_acl`), even if another program has set the entry. Afterwards, logind writes the
/// state of the seat, which triggers the unit (systemd.path(5)).
package enum SessionSwitchUnit {
  /// A Boolean value that indicates whether the caller is root and systemd and logind are running.
  ///
  /// Only root can share the devices of a seat.
  package static var isPossible: Bool {
    unsafe geteuid() == 0 && UnitBus.isManagerRunning && access(SeatSwitches.folder, F_OK) == 0
  }

  private static func unit(_ id: String) -> TransientUnit {
    TransientUnit(name: "devaccess-again-\(id)", type: "path")
  }

  /// Runs a command after each change to a seat.
  ///
  /// - Parameters:
  ///   - id: The ID of the grant.
  ///   - command: The absolute path of the program, and its arguments.
  /// - Throws: `failed` if the manager rejects the unit.
  package static func start(_ id: String, _ command: [String]) throws(GrantError) {
    let paths: BusArgument = .array(
      of: "(ss)", [.structure([.text("PathChanged"), .text(SeatSwitches.folder)])])
    do throws(BusFailure) {
      try unit(id).start(
        "The devaccess grant \(id) after a switch of sessions",
        [TransientUnit.Setting(name: "Paths", value: paths)], running: command,
        [
          TransientUnit.Setting(name: "Type", value: .text("oneshot")),
          // A grant that has already ended must not leave a failed unit behind.
          TransientUnit.Setting(name: "CollectMode", value: .text("inactive-or-failed")),
          // A user who cycles through all sessions causes more starts than systemd's default limit
          // permits.
          TransientUnit.Setting(name: "StartLimitIntervalUSec", value: .wide(0)),
        ])
    } catch {
      throw GrantError(.failed, "systemd rejected the unit: \(error)")
    }
  }

  /// Stops the unit of a grant, if the unit exists.
  package static func stop(_ id: String) { unit(id).stop() }
}
