/// Processes whose unit does not set their user and groups.
extension AccessFacts {
  /// The facts without the unit of a process that a login or a user manager started.
  ///
  /// The value is `nil` for any other process. Without a login manager, the shell of a login stays
  /// in the control group of the service that accepted the login. That service sets the user's
  /// groups with initgroups(3), so a change to its unit cannot add a group. A service of the user's
  /// own manager is not a system service.
  var withoutForeignUnit: AccessFacts? {
    guard let unit = confinement.serviceUnit, origin?.kind != .unit else { return nil }
    var facts = self
    if let manager = confinement.userManager {
      facts.confinement.unit = manager
      return facts
    }
    // A device policy of the unit also applies to the logins that it accepts.
    guard Self.isLoginService(unit), access.subject.ruid != 0, account.user != unit.unitStem,
      (confinement.service?.policies ?? []).isEmpty
    else { return nil }
    facts.confinement.unit = nil
    return facts
  }

  private static func isLoginService(_ unit: String) -> Bool {
    loginServices.contains(unit.unitStem) || unit.unitStem.hasSuffix("getty")
  }

  /// The services that start programs on behalf of users: remote logins, display managers and jobs.
  private static let loginServices: Set<String> = [
    "ssh", "sshd", "dropbear", "tinysshd", "telnetd", "telnet", "inetd", "xinetd", "xrdp",
    "xrdp-sesman", "login", "agetty", "cron", "crond", "cronie", "fcron", "anacron", "atd",
    "display-manager", "gdm", "gdm3", "greetd", "lightdm", "lxdm", "ly", "nodm", "sddm", "slim",
    "xdm",
  ]
}

extension ConfinementFacts {
  /// The user manager whose control group contains the subject, such as `user@1000.service`.
  var userManager: String? {
    cgroup?.split(separator: "/").map(String.init)
      .last { $0.hasPrefix("user@") && $0.hasSuffix(".service") && $0.isUnitName }
  }

  /// A Boolean value that indicates whether the unit is on the host and contains the container.
  ///
  /// Examples are a machine of systemd-nspawn and a container of podman in a system service. The
  /// unit has a device policy for the whole container, and sets no groups inside it.
  var isUnitOfHost: Bool {
    guard container != nil, !isSandbox, let unit = serviceUnit else { return false }
    if takesRunOptions || unit.hasPrefix("systemd-nspawn@") { return true }
    let parts = (cgroup ?? "").split(separator: "/").map(String.init)
    return parts.contains("machine.slice")
      || parts.last.map { $0.contains("payload") || $0.hasPrefix("libpod") } ?? false
  }
}

extension ConfinementFacts {
  /// The service whose unit sets the subject's groups.
  ///
  /// The value is `nil` for a login, and for a container that belongs to a unit of the host.
  var groupService: String? { isUnitOfHost ? nil : serviceUnit }
}

extension String {
  /// The name of a unit without its instance and type, such as `getty` for `getty@tty1.service`.
  fileprivate var unitStem: String {
    String(prefix { $0 != "@" && $0 != "." })
  }
}
