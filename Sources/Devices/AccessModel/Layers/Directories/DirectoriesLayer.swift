/// The directories on the path, including the pictures directory.
struct DirectoriesLayer: Layer {
  let assessment: Assessment
  let names: Names

  static let causes: [CauseDescription<DirectoriesLayer>] = [
    CauseDescription(
      .parentNotSearchable, "a parent directory is closed",
      remedies: { layer, cause in layer.closedRemedies(layer.place(of: cause)) }),
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
        \(user) has no search permission on \(node.path) (\(node.octalMode), owner \
        \(names.user(node.uid)), \(names.group(node.gid))), so nothing in it can be reached.
        """, at: node.path)
  }

  /// Returns the fixes for a directory that cannot be searched, other than changing its
  /// permissions.
  private func closedRemedies(_ path: String) -> [Remedy] {
    if path == "/root" {
      return [
        Remedy(
          "Move the files, or the mount point of their filesystem, out of /root, for example to /srv/media",
          actor: .administrator, assumes: "the programs that use the files can use another path")
      ]
    }
    let units = UnitsLayer(assessment: assessment, names: names)
    if path.isBelow("/dev"), let unit = units.unitWithOwnDev {
      return [
        units.unitRemedies.dropIn(
          unit, ["PrivateDevices=no", "DevicePolicy=closed"], named: "devaccess-device",
          title: "Let \(unit) use the machine's own /dev, but keep its device policy",
          scope:
            "CAP_MKNOD and CAP_SYS_RAWIO to \(unit), if it runs as root and no setting drops them",
          assumes: "DeviceAllow= in \(unit) lists the device")
      ]
    }
    let containers = ContainersLayer(assessment: assessment, names: names)
    if path.isBelow("/sys"), confinement.container != nil,
      let node = assessment.decidingStep?.node, node.gid != 0
    {
      return containers.start.joinRemedies(node)
    }
    let places = drivePlaceRemedies(path)
    return places.isEmpty ? [volatileEntry(path)].compactMap(\.self) : places
  }

  /// Returns the fix that adds an ACL entry at every boot, for a directory that is created at boot.
  private func volatileEntry(_ path: String) -> Remedy? {
    guard path.isBelow("/dev") || path.isBelow("/run"), confinement.container == nil,
      confinement.hasSystemd == true, subject.userNamespace == nil, path.isConfigurationWord,
      let name = path.parts(at: "/").last
    else { return nil }
    return Remedy(
      "Let \(user) search \(path), now and after every boot",
      commands: Remedy.bootEntryCommands(
        path, "u:\(subject.fsuid):x", file: "devaccess-\(name)"), actor: .administrator,
      scope:
        "access to the other files and directories in \(path), as far as their permissions allow",
      assumes: Remedy.both(
        "\(path) exists when systemd-tmpfiles runs at boot",
        "the rest of the path allows the access"))
  }

  /// Returns the fixes for a directory in which the desktop mounts the drives of one user.
  func drivePlaceRemedies(_ path: String) -> [Remedy] {
    let parts = path.parts(at: "/")
    let isOfUser =
      path.hasPrefix("/run/media/") ? parts.count == 3 : parts.count == 2 && parts[0] == "media"
    guard isOfUser else { return [] }
    if let name = parts.last, subject.fsuid != 0, names.hasPlainName(user: subject.fsuid),
      String(name) == names.userWord(subject.fsuid)
    {
      return ownPlaceRemedies(path)
    }
    guard
      let mount = assessment.access.mounts.last(where: { $0.at.isBelow(path) }),
      let source = mount.source, source.hasPrefix("/dev/"), source.isPlainPath,
      let name = mount.at.parts(at: "/").last.map(String.init), name.isPlainPath,
      mount.fstype.isPlainPath
    else { return [] }
    let place = "/srv/\(name)"
    // Use the mount options of udisks. Otherwise a set-user-ID program on the drive could run as
    // root.
    var options = "nofail,nosuid,nodev"
    // Such a filesystem does not store owners, so its files would belong to root.
    if mount.takesOwner { options += ",uid=\(subject.fsuid),gid=\(subject.fsgid)" }
    // mount(8) finds a FUSE driver by the filesystem type on the drive.
    let type = mount.fstype == "fuseblk" ? "auto" : mount.fstype
    return [
      Remedy(
        "Mount the drive at \(place) at every boot, and use it there",
        commands: [
          "mkdir -p \(place)",
          """
          echo "UUID=$(lsblk -no UUID \(source)) \(place) \(type) \(options) 0 2" \
          >> /etc/fstab
          """,
          "umount \(mount.at.shellQuoted)",
          "mount \(place)",
        ], actor: .administrator,
        assumes: Remedy.both(
          "the drive stays plugged in",
          mount.takesOwner ? nil : "the user has access to its files"),
        caution: "no program or setting needs it at \(mount.at)")
    ]
  }

  /// Returns the fixes for the user's own mount directory, if it has lost the user's ACL entry.
  ///
  /// udisks sets the entry only when it creates the directory. Copying or restoring the directory,
  /// or running chmod(1), can remove the entry.
  private func ownPlaceRemedies(_ path: String) -> [Remedy] {
    let directory = access.mount(of: path)
    let isInMemory = path.hasPrefix("/run/") || directory?.fstype == "tmpfs"
    let drives = access.mounts.filter { $0.at.isBelow(path) }.map(\.at)
    let word = names.userWord(subject.fsuid)
    let behind = "\(word) has permission to use the drive"
    let entry = Remedy(
      "Give \(word) the ACL entry that udisks sets when it creates \(path)",
      commands: ["setfacl -m u:\(word):r-x \(path.shellQuoted)"], actor: .administrator,
      until: isInMemory ? .nodeCreation(path: path, isInMemory: true) : .never,
      assumes: Remedy.both(behind, "the filesystem of \(path) supports ACLs"))
    let again = Remedy(
      "Unmount the drives there and remove the directory, so that udisks recreates it",
      commands: drives.prefix(8).map { "umount \($0.shellQuoted)" }
        + ["rmdir \(path.shellQuoted)"], actor: .administrator,
      takesEffect: "when udisks mounts a drive again",
      assumes: Remedy.both(behind, "nothing is using the drives now"))
    return [entry, again]
  }

  // MARK: - Missing

  /// Returns the cause for a pictures directory that is missing or unknown.
  func albumAbsence() -> Cause {
    let problem = facts.album?.problem.map { " (\($0))" } ?? ""
    let album = facts.album?.path ?? path
    return Cause(
      .albumDirectoryMissing,
      summary: facts.album?.path == nil
        ? "No home directory is known, so there is no pictures directory\(problem)."
        : "The pictures directory \(album) does not exist\(problem).", at: album)
  }

  /// The cause if `~/Pictures` was requested but the user's pictures directory has another path.
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
    // Inside a sandbox, the command would not create the directory in the user's home directory.
    if confinement.isFlatpak {
      return [
        Remedy(
          "Create the directory, outside the flatpak", commands: ["mkdir -p \(path.shellQuoted)"],
          actor: .user, takesEffect: "when the application is restarted",
          assumes: Remedy.both(
            "the directory is missing on the host too", "the flatpak has access to it"))
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
  /// A Boolean value that indicates whether the path needs no quoting in a shell or in fstab(5).
  fileprivate var isPlainPath: Bool {
    !isEmpty && first != "-"
      && utf8.allSatisfy { byte in
        ((byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x7A) || (0x30...0x39).contains(byte)
          || [UInt8(ascii: "/"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: ".")]
            .contains(byte)
      }
  }
}
