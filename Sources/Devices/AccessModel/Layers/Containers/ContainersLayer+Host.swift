/// Nodes that a container gets from a host on which udev has not set their permissions.
extension ContainersLayer {
  /// Returns the cause, with an addition to its summary if udev does not seem to run on the host.
  ///
  /// If udev runs, it gives the node to a group. Otherwise the node keeps the mode and owner that
  /// the kernel gives to new nodes.
  func withHost(_ cause: Cause, _ node: Node) -> Cause {
    guard cause.code == .containerNoAccess, let group = groupOfHost(node) else { return cause }
    var cause = cause
    cause.summary += """
       The kernel creates such nodes with mode \(node.octalMode), owned by root, and udev would have given \
      this one to a group, such as \(group). So udev does not seem to run on the host.
      """
    return cause
  }

  /// Returns the group that udev would give the node to, if the node is as the kernel created it.
  private func groupOfHost(_ node: Node) -> String? {
    guard let container = confinement.container, !Self.managed.contains(container),
      node.uid == 0, node.gid == 0, node.mode & 0o7777 == 0o600, node.acl == nil,
      !(device?.hasUdevData ?? false)
    else { return nil }
    return DeviceGroup.usual(ofSubsystem: nil, at: node.path)
  }

  /// The kinds of containers whose nodes are created by their manager or by udev inside the
  /// container.
  private static let managed = [
    "lxc", "systemd-nspawn", "flatpak", "bubblewrap", "firejail", "snap",
  ]

  /// Returns the remedy that starts udev on the host so that it sets the permissions of the node.
  func hostRemedies(_ node: Node?, _ path: String) -> [Remedy] {
    guard let node, groupOfHost(node) != nil else { return [] }
    return [
      Remedy(
        "On the host, start udev; then start the container with the number of the group that the node has got",
        commands: UdevDaemonStart(hasSystemd: nil).start
          + UdevTrigger(facts).commands(node: path, device: device, action: "add"),
        actor: .administrator,
        takesEffect: "in a new container",
        assumes: "udev is installed on the host")
    ]
  }
}
