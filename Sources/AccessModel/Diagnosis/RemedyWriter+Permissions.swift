/// Remedies for groups that a process lacks, and objects that are better left alone.
extension RemedyWriter {
  func loginRemedies() -> [Remedy] {
    if subject.userNamespace != nil || confinement.container != nil { return keepGroups() }
    if confinement.serviceUnit != nil { return [] }
    var remedies: [Remedy] = []
    // newgrp(1) is set-user-ID root: it can do nothing where that does not count.
    if judgement.canBecomeRoot, subject.fsuid == subject.ruid {
      let held = Set(subject.groups).union([subject.fsgid])
      let missing = (facts.account.loginGroups ?? []).filter { !held.contains($0) && $0 != 0 }
      remedies += missing.prefix(8).filter(names.hasPlainName(group:)).map { gid in
        Remedy(
          "Start the program from a shell that has \(names.group(gid))",
          commands: ["newgrp \(names.groupWord(gid))"], actor: .user,
          changes: [.addGroups([gid], isPrimary: true)], takesEffect: "only in that shell")
      }
    }
    remedies.append(
      Remedy(
        "Restart the user manager, whose services keep the old groups",
        commands: ["systemctl restart user@\(subject.ruid).service"], actor: .administrator,
        changes: [.logIn],
        takesEffect: "at once; it ends every user service and graphical program of the user",
        assumes: "the program is started by the user manager"))
    return remedies
  }

  // MARK: - Objects that are better left alone

  /// What an object is that must not be opened to others, with what to do instead.
  func guardedObject(_ causes: [Cause]) -> (note: String, remedies: [Remedy])? {
    guard case .refused = judgement.verdict else { return nil }
    let path = access.object(at: access.request.path)?.path ?? access.request.path
    if let secret = Self.secrets[path] {
      return ("\(path) \(secret). Leave it closed.", [])
    }
    let byMode: Set<CauseCode> = [.albumTraverse, .parentNotSearchable, .modeOwner, .modeGroup]
    guard isAlbum, let code = causes.first?.code, byMode.contains(code), let album = facts.album,
      let place = judgement.decision.at,
      let node = access.nodes.first(where: { $0.path == place }), node.uid != subject.fsuid,
      Self.isOfSystem(node.path)
    else { return nil }
    let source =
      switch album.source {
      case .environment: "XDG_PICTURES_DIR in the environment"
      case .userDirectories: "user-dirs.dirs"
      case .default: "the home directory"
      }
    return (
      """
      \(node.path) belongs to the system, and only \(source) makes it the way to the pictures: its \
      permissions are right as they are.
      """,
      [
        Remedy(
          "Name a directory of the user's own as XDG_PICTURES_DIR", actor: .user,
          assumes: "the directory exists and belongs to \(names.user(subject.fsuid))")
      ]
    )
  }

  private var access: AccessCase { judgement.access }

  /// Files that hold what nobody else may know, or the memory of everybody.
  private static let secrets: [String: String] = {
    let hashes = """
      holds the password hashes; only root and group shadow read it, and programs ask PAM instead
      """
    let memory = "shows the memory of every program; only root reads it"
    var secrets = [
      "/etc/shadow": hashes, "/etc/shadow-": hashes,
      "/etc/gshadow": "holds the passwords of groups; only root and group shadow read it",
      "/etc/gshadow-": "holds the passwords of groups; only root and group shadow read it",
      "/etc/sudoers": "says who may become root; only root reads and changes it (visudo)",
      "/etc/krb5.keytab": "holds this machine's Kerberos keys; only root reads it",
      "/dev/mem": memory, "/dev/kmem": memory, "/proc/kcore": memory,
      "/dev/port": "reaches every input and output port; only root uses it",
      "/var/lib/systemd/random-seed": "seeds the random numbers of the next boot",
    ]
    for type in ["rsa", "ecdsa", "ed25519", "dsa"] {
      secrets["/etc/ssh/ssh_host_\(type)_key"] =
        "holds this machine's private SSH key; only root reads it"
    }
    return secrets
  }()

  /// Whether a directory is the system's, whatever a variable calls it.
  private static func isOfSystem(_ path: String) -> Bool {
    let places = [
      "/bin", "/boot", "/dev", "/etc", "/lib", "/lib32", "/lib64", "/opt", "/proc", "/root",
      "/run", "/sbin", "/sys", "/usr", "/var",
    ]
    return path == "/" || path == "/home" || path == "/tmp" || path == "/srv"
      || places.contains { path == $0 || path.hasPrefix($0 + "/") }
  }

  // MARK: - Nothing to change

  /// Whether the request itself cannot be granted, such as writing into a directory.
  private var isRefusedToRoot: Bool {
    var access = judgement.access.withoutDeviceProgramDoubt
    access.subject = Subject(uid: 0, gid: 0)
    access.subject.effective = .all
    access.subject.permitted = .all
    if case .denied = access.decide().outcome { return true }
    return false
  }

  /// Why no fix is printed.
  func noFix(for cause: Cause) -> String {
    switch cause.code {
    case .pathNotADirectory: "No permission is missing: the path is wrong."
    case .pathTooLong: "No permission is missing: the path is too long for any program."
    case .symlinkLoop: "No permission is missing: the links lead in a circle or are too many."
    case .nodeNotADevice: "No permission is missing: the object is of another type."
    case .openFlagRefused,
      .symlinkRefused where judgement.decision.rule != .symlinkNoSymfollow:
      "No change of permissions helps: the program must open the object differently."
    case .cgroupDevice:
      """
      No permission of the node helps: whoever made the control group has to let the device pass.
      """
    case .selinux, .appArmor, .landlock:
      "No permission of the object helps: the policy of the security module has to allow it."
    case .mountNodev, .mountReadOnly, .mountNoexec:
      "Whoever mounts the filesystem must mount it differently."
    case .usernsUnmapped:
      """
      No permission of the object helps as long as its owner, its group or the user has no number \
      there: the filesystem has to be mounted with another ID map.
      """
    case .nodeAbsentNoDriver:
      "Nothing can be loaded: this kernel has no driver for it. It needs a kernel that has one."
    case .unknown: "The cause is not known, so no fix can be."
    case _ where isRefusedToRoot:
      "No permission of the object helps: root, with every capability, is refused here too."
    default:
      """
      None of the changes that were tried on the facts grants this: modes, access lists, groups, \
      mount options and inode flags, alone and together.
      """
    }
  }
}
