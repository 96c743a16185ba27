/// The directories on the way, and the one that holds the pictures.
struct DirectoriesLayer: Layer {
  let assessment: Assessment
  let names: Names

  static let causes: [CauseDescription<DirectoriesLayer>] = [
    CauseDescription(
      .parentNotSearchable, "a parent directory is closed",
      remedies: { layer, cause in layer.drivePlaceRemedies(layer.place(of: cause)) }),
    CauseDescription(
      .albumTraverse, "pictures directory closed",
      remedies: { layer, cause in layer.drivePlaceRemedies(layer.place(of: cause)) }),
    CauseDescription(
      .albumDirectoryMissing, "pictures directory missing",
      remedies: { layer, cause in layer.albumRemedies(layer.place(of: cause)) }),
  ]

  // MARK: - Closed

  func closedDirectory(_ node: Node, _ step: Step) -> Cause {
    Cause(
      isAlbum ? .albumTraverse : .parentNotSearchable,
      summary: """
        \(user) may not search \(node.path) (\(node.octalMode), owner \(names.user(node.uid)), \
        \(names.group(node.gid))), so nothing in it can be reached.
        """, at: node.path)
  }

  /// A place of its own for a drive that the desktop mounts where only one user may go.
  func drivePlaceRemedies(_ path: String) -> [Remedy] {
    let parts = path.parts(at: "/")
    let isOfUser =
      path.hasPrefix("/run/media/") ? parts.count == 3 : parts.count == 2 && parts[0] == "media"
    guard isOfUser,
      let mount = assessment.access.mounts.last(where: { $0.at.isBelow(path) }),
      let source = mount.source, source.hasPrefix("/dev/"), source.isPlainPath,
      let name = mount.at.parts(at: "/").last.map(String.init), name.isPlainPath,
      mount.fstype.isPlainPath
    else { return [] }
    let place = "/srv/\(name)"
    // As udisks mounts it: else a program on a drive that anybody prepared could make its user root.
    let options = "nofail,nosuid,nodev"
    return [
      Remedy(
        "Mount the drive at \(place) at every boot, and use it there",
        commands: [
          "mkdir -p \(place)",
          """
          echo "UUID=$(lsblk -no UUID \(source)) \(place) \(mount.fstype) \(options) 0 2" \
          >> /etc/fstab
          """,
          "umount \(mount.at.shellQuoted)",
          "mount \(place)",
        ], actor: .administrator,
        assumes: "the drive's own modes let the user in, and nothing else names \(mount.at)")
    ]
  }

  // MARK: - Missing

  /// That there is no pictures directory.
  func albumAbsence() -> Cause {
    let problem = facts.album?.problem.map { " (\($0))" } ?? ""
    let album = facts.album?.path ?? path
    return Cause(
      .albumDirectoryMissing,
      summary: facts.album?.path == nil
        ? "No home directory is known, so there is no pictures directory\(problem)."
        : "The pictures directory \(album) does not exist\(problem).", at: album)
  }

  /// A path in the directory that holds pictures in an English locale, where another one does.
  var otherAlbum: Cause? {
    guard facts.kind == nil, let album = facts.album?.path, let home = facts.account.home,
      album != place, place == (home == "/" ? "" : home) + "/Pictures"
    else { return nil }
    let source =
      switch facts.album?.source {
      case .environment: "XDG_PICTURES_DIR"
      case .userDirectories: "user-dirs.dirs"
      default: "the account"
      }
    return Cause(
      .albumDirectoryMissing,
      summary: """
        \(place) does not exist: \(source) names \(album) as the pictures directory.
        """, at: place)
  }

  func albumRemedies(_ path: String) -> [Remedy] {
    if let album = facts.album?.path, album != path, facts.kind == nil {
      let request = assessment.access.request
      let rest =
        request.path.isBelow(path)
        ? String(Substring(request.path.utf8.dropFirst(path.utf8.count))) : ""
      return [
        Remedy(
          "Use \(album), the directory that xdg-user-dir(1) names", actor: .program,
          changes: [.ask(request.at("\(album)\(rest)"))])
      ]
    }

    guard facts.album?.path == path, CaseLimits.problem(ofCanonical: path) == nil else {
      return []
    }
    // Inside a sandbox, a directory of that name would not be the user's.
    if confinement.isFlatpak {
      return [
        Remedy(
          "Create the directory, outside the flatpak", commands: ["mkdir -p \(path.shellQuoted)"],
          actor: .user, takesEffect: "when the application is started again",
          assumes: "it does not exist outside either, and the flatpak may see it")
      ]
    }
    guard !["snap", "firejail", "bubblewrap"].contains(confinement.container) else { return [] }
    return [
      Remedy(
        "Create the directory", commands: ["mkdir -p \(path.shellQuoted)"], actor: .user,
        changes: [.makeDirectory(path: path)])
    ]
  }
}

extension String {
  /// Whether no shell and no table of mounts reads anything else than itself in it.
  fileprivate var isPlainPath: Bool {
    !isEmpty && first != "-"
      && utf8.allSatisfy { byte in
        ((byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x7A) || (0x30...0x39).contains(byte)
          || [UInt8(ascii: "/"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: ".")]
            .contains(byte)
      }
  }
}
