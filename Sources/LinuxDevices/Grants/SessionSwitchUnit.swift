package import AccessModel
internal import Glibc
internal import MessageBus

/// The transient path units of systemd that give a grant again after a switch of sessions.
///
/// When a session ends or becomes inactive, logind takes the entry of its user away from the devices of
/// the seat (`devnode_acl`), whoever has set it. It writes the state of the seat afterwards, and that is
/// what the unit waits for (systemd.path(5)).
package enum SessionSwitchUnit {
  /// Whether root's manager runs, and logind with it; users do not get the devices of a seat to share.
  package static var isPossible: Bool {
    unsafe geteuid() == 0 && UnitBus.isManagerRunning && access(SeatSwitches.folder, F_OK) == 0
  }

  private static func unit(_ id: String) -> TransientUnit {
    TransientUnit(name: "devaccess-again-\(id)", type: "path")
  }

  /// Has a command run after each change of a seat.
  ///
  /// - Parameters:
  ///   - id: What the grant is called.
  ///   - command: The absolute path of the program, and its arguments.
  /// - Throws: `failed` where the manager does not take the unit.
  package static func start(_ id: String, _ command: [String]) throws(GrantError) {
    let paths: BusArgument = .array(
      of: "(ss)", [.structure([.text("PathChanged"), .text(SeatSwitches.folder)])])
    do throws(BusFailure) {
      try unit(id).start(
        "The devaccess grant \(id) after a switch of sessions",
        [TransientUnit.Setting(name: "Paths", value: paths)], running: command,
        [
          TransientUnit.Setting(name: "Type", value: .text("oneshot")),
          // A grant that has ended meanwhile is nothing to keep a failed unit for.
          TransientUnit.Setting(name: "CollectMode", value: .text("inactive-or-failed")),
          // Whoever goes through all sessions switches more often than systemd starts a service.
          TransientUnit.Setting(name: "StartLimitIntervalUSec", value: .wide(0)),
        ])
    } catch {
      throw GrantError(.failed, "systemd rejected the unit: \(error)")
    }
  }

  /// Takes the unit of a grant away; one that is not there is no error.
  package static func stop(_ id: String) { unit(id).stop() }
}
