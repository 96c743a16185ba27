/// Objects that are better left alone.
struct GuardedObjects: AssessmentReader {
  let assessment: Assessment
  let names: Names

  /// What an object is that must not be opened to others, with what to do instead.
  func advice(_ causes: [Cause]) -> (note: String, remedies: [Remedy])? {
    guard case .refused = assessment.verdict else { return nil }
    let path = access.object(at: access.request.path)?.path ?? access.request.path
    if let secret = Self.secrets[path] {
      return ("\(path) \(secret). Leave it closed.", [])
    }
    let byMode: Set<CauseCode> = [.albumTraverse, .parentNotSearchable, .modeOwner, .modeGroup]
    guard isAlbum, let code = causes.first?.code, byMode.contains(code), let album = facts.album,
      let place = assessment.decision.at,
      let node = access.nodes.first(where: { $0.path.isSame(as: place) }),
      node.uid != subject.fsuid,
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

  /// What an object is that the subject lacks, and that must not be handed to it.
  var hiddenNote: String? {
    guard assessment.verdict == .absent else { return nil }
    return Self.secrets[path].map { "\(path) \($0). Leave it out." }
  }

  /// What follows from opening the disk to the subject, where a mounted filesystem is on it.
  ///
  /// The facts have the mounts on the way to the object, the root's among them.
  var diskNote: String? {
    guard !assessment.isGranted, let node = assessment.object, node.type == .blockDevice,
      let mount = access.mounts.first(where: { $0.source.map(node.path.holds) ?? false })
    else { return nil }
    let what =
      wanted.contains(.write)
      ? "whoever can write to it can become root"
      : "whoever can read it can read every file there, whatever the modes say"
    return "\(node.path) holds the filesystem that is mounted at \(mount.at): \(what)."
  }

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
      || places.contains { path.isAtOrBelow($0) }
  }
}

extension String {
  /// Whether a node is a disk or a partition on which the source of a mount is: the same, or one of
  /// its partitions, as `/dev/sda` has `/dev/sda1` and `/dev/nvme0n1` has `/dev/nvme0n1p2`.
  fileprivate func holds(_ source: String) -> Bool {
    guard source.hasPrefix(self) else { return false }
    var rest = source.utf8.dropFirst(utf8.count)
    if rest.isEmpty { return true }
    if utf8.last?.isDecimal == true {
      guard rest.popFirst() == UInt8(ascii: "p") else { return false }
    }
    return !rest.isEmpty && rest.allSatisfy(\.isDecimal)
  }
}
