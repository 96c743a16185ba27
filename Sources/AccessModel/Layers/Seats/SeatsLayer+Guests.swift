/// Nodes in containers, whose permissions are those of the host's udev or of one inside.
extension SeatsLayer {
  /// That nothing has set the permissions of a node on the host: the kernel makes it so, and udev would
  /// have given it to a group.
  func hostWithoutUdev(_ node: Node) -> Cause? {
    guard let container = confinement.container, !Self.managed.contains(container),
      node.uid == 0, node.gid == 0, node.mode & 0o7777 == 0o600, node.acl == nil,
      !(device?.hasUdevData ?? false), let group = Self.usualGroup(of: node.path)
    else { return nil }
    return Cause(
      .udevNotRunning,
      summary: """
        \(node.path) is \(node.octalMode) and root's, as the kernel makes it. udev would have given it \
        to a group, such as \(group), so udev does not seem to run on the host.
        """, at: node.path, isProven: false)
  }

  /// The containers whose nodes their managers or a udev inside make.
  private static let managed = [
    "lxc", "systemd-nspawn", "flatpak", "bubblewrap", "firejail", "snap",
  ]

  /// The group to which udev's own rules (`50-udev-default.rules`) give such a node.
  private static func usualGroup(of path: String) -> String? {
    let groups = [
      ("/dev/ttyUSB", "dialout"), ("/dev/ttyACM", "dialout"), ("/dev/ttyS", "dialout"),
      ("/dev/ttyAMA", "dialout"), ("/dev/video", "video"), ("/dev/media", "video"),
      ("/dev/dvb/", "video"), ("/dev/dri/card", "video"), ("/dev/dri/renderD", "render"),
      ("/dev/snd/", "audio"), ("/dev/input/", "input"), ("/dev/kvm", "kvm"),
    ]
    return groups.first { path.hasPrefix($0.0) }?.1
  }

  /// What lets udev set the permissions of a node on the host of a container.
  func hostRemedies(_ path: String) -> [Remedy] {
    [
      Remedy(
        "Run udev on the host, and start the container with the group that the node then has",
        commands: UdevDaemonStart(hasSystemd: nil).start
          + ["udevadm trigger --settle --action=add \(path.shellQuoted)"], actor: .administrator,
        takesEffect: "in a new container",
        assumes: "the commands run on the host, which has udev installed")
    ]
  }

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
    cause.summary += " \(place) in the container gives it to \(group) at every start."
    return cause
  }

  /// The same cause with what a remote session means for devices of a seat.
  func withSession(_ cause: Cause) -> Cause {
    guard let session = facts.session, session.isRemote, !assessment.canHaveSeat else {
      return cause
    }
    var cause = cause
    let name = session.id.map { "Session \($0)" } ?? "The session"
    cause.summary += " \(name) is a remote one, which is never active on a seat."
    return cause
  }
}
