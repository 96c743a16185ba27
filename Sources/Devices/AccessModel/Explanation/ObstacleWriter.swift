/// Describes the obstacle that remains if no change to permissions helps.
struct ObstacleWriter: Sendable {
  let names: Names

  func note(of obstacle: RemedyPlanner.Obstacle) -> String {
    let decision = obstacle.decision
    let access = obstacle.facts.access
    let at = decision.steps.last?.path ?? decision.at ?? access.request.path
    let node = decision.steps.last?.node
    let mount = access.mount(of: at)
    let place = mount?.at ?? "/"
    switch decision.rule {
    case .openIsDirectory: return "\(at) is a directory, which no program can open for writing."
    case .walkNotDirectory: return "\(at) is not a directory, but the path continues below it."
    case .walkNoEntry: return "\(access.request.path) does not exist."
    case .walkTooManyLinks: return "The path has a loop of symbolic links, or too many of them."
    case .walkNameTooLong: return "The path is too long for any program."
    case .symlinkNoFollow:
      return """
        \(at) is a symbolic link, but the program opens it with O_NOFOLLOW; the target of the link \
        cannot be named instead.
        """
    case .symlinkProtected:
      return """
        fs.protected_symlinks forbids following \(at), a link of another user in a directory that \
        everybody can write to; the target of the link cannot be named instead.
        """
    case .symlinkNoSymfollow:
      return "\(place) is mounted nosymfollow, and no remount changes that here."
    case .openExists: return "\(at) exists, but the program asks for a new file (O_EXCL)."
    case .createSticky:
      return """
        \(at) belongs to another user in a sticky directory, and the program opens it with \
        O_CREAT.
        """
    case .createUnmappedID:
      return """
        The filesystem at \(place) has no ID for the user or group that the new file would belong \
        to. It has to be mounted with an ID map that contains both.
        """
    case .createUnsupported: return "Nobody can create files on the filesystem at \(place)."
    case .mountNodev where mount?.superblockNodev == true:
      return """
        \(place) was mounted inside a user namespace, where no device works. \(at) has to be on a \
        filesystem that was mounted outside.
        """
    case .mountNodev: return "\(place) has to be mounted without nodev."
    case .mountNoexec: return "\(place) has to be mounted without noexec."
    case .mountReadOnly, .superblockReadOnly:
      if let mount, mount.isAlwaysReadOnly { return "\(mount.fstype) is always read-only." }
      return "The filesystem at \(place) is read-only, and a remount cannot make it writable."
    case .inodeUnmappedID: return Self.unmapped(at, place)
    case .deviceCgroup:
      let number = node?.rdev.map { "\($0.major):\($0.minor)" } ?? "its number"
      return """
        Not even root can open \(at) here until the device cgroup allows it \
        (\(number) \(access.request.permissions.letters)).
        """
    case .inodeImmutable, .inodeAppendOnly:
      return "The flag of \(at) cannot be removed: the filesystem at \(place) is read-only."
    default: return permissionNote(obstacle, at, node, mount)
    }
  }

  private func permissionNote(
    _ obstacle: RemedyPlanner.Obstacle, _ at: String, _ node: Node?, _ mount: Mount?
  ) -> String {
    let place = mount?.at ?? "/"
    let user = obstacle.facts.access.subject.fsuid
    if let node, let mount {
      if mount.userSeen(node.uid) == nil || mount.groupSeen(node.gid) == nil {
        return Self.unmapped(at, place)
      }
      if mount.userStored(user) == nil {
        return """
          No ACL can name \(names.user(user)), who has no ID on the filesystem at \(place), and no \
          group or class of \(at) has the access that is wanted.
          """
      }
      if !mount.unobserved.isEmpty || !node.unobserved.isEmpty {
        return "\(at) was not observed in full, so no change of it can be proven to help."
      }
    }
    return """
      No change to the mode, ACL, group, mount options or inode flags of \(at) is known that gives \
      this access to this user alone.
      """
  }

  private static func unmapped(_ at: String, _ place: String) -> String {
    """
    Nobody can write or change \(at), because its owner or group has no ID at \(place). The \
    filesystem has to be mounted with an ID map that contains both.
    """
  }
}
