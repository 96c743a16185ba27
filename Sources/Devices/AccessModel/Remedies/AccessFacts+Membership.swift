extension AccessFacts {
  /// Returns the commands that add a user to a group of the machine.
  ///
  /// - Parameters:
  ///   - user: The user's name, or the number if there is no name, quoted for a shell.
  ///   - uid: The user's number.
  ///   - group: The group's name or number, quoted for a shell.
  /// - Returns: The commands.
  func joinCommands(_ user: String, _ uid: UInt32, to group: String) -> [String] {
    // An image-based system defines groups in `/usr/lib/group`, but the tools only edit
    // `/etc/group`.
    let copy =
      hasGroupsOfImage && group.isRuleWord
      ? ["grep -q '^\(group):' /etc/group || getent group \(group) >> /etc/group"] : []
    // usermod(8) supports only users in `/etc/passwd`, and not those of a directory service.
    let isLocal = uid <= UInt32(UInt16.max) || access.subject.userNamespace != nil
    return copy + [isLocal ? "usermod -aG \(group) \(user)" : "gpasswd -a \(user) \(group)"]
  }

  /// A Boolean value that indicates whether the system is based on an ostree image.
  private var hasGroupsOfImage: Bool {
    guard confinement.container == nil else { return false }
    let root = access.mounts.last { $0.at == "/" }
    return root?.source == "composefs" || account.home?.hasPrefix("/var/home/") == true
      || access.mounts.contains { $0.at == "/sysroot" }
  }
}
