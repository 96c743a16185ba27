internal import LinuxDevices

/// Where grants are recorded, and where their rules lie.
struct GrantPlaces: Hashable, Sendable {
  /// The record of objects that go away with the system, as device nodes do.
  var volatile: GrantFolder
  /// The record of objects on a disk; `nil` where the caller has no place for one.
  var lasting: GrantFolder?
  /// What ends grants of that record when systemd starts again; `nil` where there is no place for one.
  var loginUnit: LoginUnit?
  var rules = UdevRuleFolder.volatile
  var lastingRules = UdevRuleFolder.lasting

  /// The folders of a user: those of the system for root.
  init(user: UInt32, home: String?) {
    guard user != 0 else {
      volatile = GrantFolder(path: "/run/devaccess/grants")
      lasting = GrantFolder(path: "/var/lib/devaccess/grants")
      loginUnit = .ofSystem
      return
    }
    volatile = GrantFolder(path: "/run/user/\(user)/devaccess/grants")
    lasting = home.map { GrantFolder(path: "\($0)/.local/state/devaccess/grants") }
    loginUnit = home.map(LoginUnit.of(home:))
  }

  /// Every record, the volatile one first.
  var folders: [GrantFolder] { [volatile] + [lasting].compactMap(\.self) }
}
