extension AccessFacts {
  /// Returns the commands that add a user to a group of the machine.
  ///
  /// - Parameters:
  ///   - user: The name of the user, or the number if it has no name, as a word of a shell.
  ///   - uid: The number of the user.
  ///   - group: The name of the group, or its number, as a word of a shell.
  /// - Returns: The commands.
  func joinCommands(_ user: String, _ uid: UInt32, to group: String) -> [String] {
    // An image has its groups in /usr/lib/group, and the tools change only those in /etc/group.
    let copy =
      hasGroupsOfImage && group.isRuleWord
      ? ["grep -q '^\(group):' /etc/group || getent group \(group) >> /etc/group"] : []
    // usermod(8) knows only the users in /etc/passwd, and not the users of a directory service.
    let isLocal = uid <= UInt32(UInt16.max) || access.subject.userNamespace != nil
    return copy + [isLocal ? "usermod -aG \(group) \(user)" : "gpasswd -a \(user) \(group)"]
  }

  /// A Boolean value that indicates whether the system is an image of ostree.
  private var hasGroupsOfImage: Bool {
    guard confinement.container == nil else { return false }
    let root = access.mounts.last { $0.at == "/" }
    return root?.source == "composefs" || account.home?.hasPrefix("/var/home/") == true
      || access.mounts.contains { $0.at == "/sysroot" }
  }
}
