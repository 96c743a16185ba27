/// Processes whose unit does not set their user and groups.
extension AccessFacts {
  /// The facts without the unit of a process that a login or a user manager started; `nil` for any
  /// other process.
  ///
  /// Without a login manager, the shell of a login stays in the control group of the service that
  /// accepted it. The service sets the groups of the user with initgroups(3), so its unit cannot
  /// add one. A service of a user's own manager is not a service of the system.
  var withoutForeignUnit: AccessFacts? {
    guard let unit = confinement.serviceUnit, origin?.kind != .unit else { return nil }
    var facts = self
    if let manager = confinement.userManager {
      facts.confinement.unit = manager
      return facts
    }
    // A device policy of the unit holds for the logins that it accepts as well.
    guard Self.isLoginService(unit), access.subject.ruid != 0, account.user != unit.unitStem,
      (confinement.service?.policies ?? []).isEmpty
    else { return nil }
    facts.confinement.unit = nil
    return facts
  }

  private static func isLoginService(_ unit: String) -> Bool {
    loginServices.contains(unit.unitStem) || unit.unitStem.hasSuffix("getty")
  }

  /// The services that start programs as their users: remote logins, display managers, and jobs.
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
  /// The service whose unit sets the groups of the subject; `nil` for a login, and in a container
  /// that a unit of the host contains.
  var groupService: String? { isUnitOfHost ? nil : serviceUnit }
}

extension String {
  /// The name of a unit without its type and its instance, such as `getty` of `getty@tty1.service`.
  fileprivate var unitStem: String {
    String(prefix { $0 != "@" && $0 != "." })
  }
}
