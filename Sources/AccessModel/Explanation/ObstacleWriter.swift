/// Describes the change that is needed if no change of permissions helps.
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
    case .walkNotDirectory: return "\(at) is not a directory, and the path goes on as if it were."
    case .walkNoEntry: return "The path leads nowhere: what it names behind \(at) does not exist."
    case .walkTooManyLinks: return "The links lead in a circle or are too many."
    case .walkNameTooLong: return "The path is too long for any program."
    case .symlinkNoFollow:
      return """
        \(at) is a symbolic link, and the program opens it with O_NOFOLLOW; what the link leads to \
        cannot be named instead.
        """
    case .symlinkProtected:
      return """
        fs.protected_symlinks forbids following \(at), a link of somebody else's in a directory \
        that everybody may write; what it leads to cannot be named instead.
        """
    case .symlinkNoSymfollow:
      return "\(place) is mounted nosymfollow, and no remount changes that here."
    case .openExists: return "\(at) exists, and the program asks for a new file (O_EXCL)."
    case .createSticky:
      return """
        \(at) is somebody else's in a sticky directory, and the program opens it with O_CREAT.
        """
    case .createUnmappedID:
      return """
        The filesystem at \(place) has no number for the user or group that the new file would \
        belong to. It has to be mounted with an ID map that holds both.
        """
    case .createUnsupported: return "Nobody can create files on the filesystem at \(place)."
    case .mountNodev where mount?.superblockNodev == true:
      return """
        \(place) was mounted inside a user namespace, where no device works. \(at) has to be a node \
        of a filesystem that was mounted outside.
        """
    case .mountNodev: return "\(place) has to be mounted without nodev."
    case .mountNoexec: return "\(place) has to be mounted without noexec."
    case .mountReadOnly, .superblockReadOnly:
      return """
        The filesystem at \(place) is read-only, and nothing here can mount it writable: whoever \
        mounts it has to.
        """
    case .inodeUnmappedID: return Self.unmapped(at, place)
    case .deviceCgroup:
      let number = node?.rdev.map { "\($0.major):\($0.minor)" } ?? "of the device"
      return """
        Not even root can open \(at) like this until the device list of the control group allows the \
        number \(number) \(access.request.permissions.letters).
        """
    case .inodeImmutable, .inodeAppendOnly:
      return "The flag of \(at) cannot be taken away: the filesystem at \(place) is read-only."
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
          No access list can name \(names.user(user)), who has no number on the filesystem at \
          \(place), and no group or class of \(at) has what is wanted.
          """
      }
      if !mount.unobserved.isEmpty || !node.unobserved.isEmpty {
        return "What \(at) holds was not observed in full, so no change of it can be proven."
      }
    }
    return """
      No change of \(at) alone grants this: modes, access lists, groups, mount options and inode \
      flags were tried, alone and together.
      """
  }

  private static func unmapped(_ at: String, _ place: String) -> String {
    """
    Nobody can write or change \(at), because its owner or group has no number at \(place). The \
    filesystem has to be mounted with an ID map that holds both.
    """
  }
}
