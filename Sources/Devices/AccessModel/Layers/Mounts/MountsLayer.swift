/// Restrictions by mounts and file servers.
struct MountsLayer: Layer {
  let assessment: Assessment
  let names: Names

  static let causes: [CauseDescription<MountsLayer>] = [
    CauseDescription(
      .mountNodev, "mount forbids devices",
      remedies: { layer, cause in layer.mountRemedies(layer.place(of: cause)) }),
    CauseDescription(
      .mountReadOnly, "read-only filesystem",
      remedies: { layer, _ in layer.readOnlyRemedies() }),
    CauseDescription(
      .mountPropagation, "outside mount does not propagate",
      remedies: { layer, cause in layer.propagationRemedies(layer.place(of: cause)) }),
    CauseDescription(
      .nfsIDMap, "file server maps the user",
      remedies: { layer, _ in layer.serverRemedies() }),
    CauseDescription(
      .fuseOtherUser, "FUSE mount of another user",
      // A service keeps its user, which its own files depend on.
      prefers: { _, remedy in remedy.options == Self.fuseOptions },
      remedies: { layer, _ in layer.fuseRemedies() }),
  ]

  private func readOnlyRemedies() -> [Remedy] {
    if confinement.isFlatpak {
      return SandboxesLayer(assessment: assessment, names: names).flatpakRemedies(
        .flatpakFilesystem)
    }
    return UnitRemedies(assessment: assessment, names: names).writeRemedies() + volumeRemedies()
      + remountRemedies()
  }

  // MARK: - Causes

  func nodevCause(at path: String) -> Cause {
    let mount = assessment.mount
    let place = mount?.at ?? path
    let isSuperblock = mount.map { !$0.nodev && $0.superblockNodev } ?? false
    let isMountPoint = place == path && mount != nil
    let reason =
      isSuperblock
      ? "was mounted in a user namespace, so devices on it cannot be opened"
      : "has the nodev option, so devices on it cannot be opened, not even by root"
    return Cause(
      .mountNodev,
      summary: isMountPoint
        ? "\(path) is itself a mount point (\(mount?.fstype ?? "")), which \(reason)."
        : "\(path) is on the filesystem at \(place), which \(reason).", at: path)
  }

  /// Returns the cause for a filesystem that may have been mounted in a user namespace.
  ///
  /// The superblock of such a filesystem forbids devices. Neither the mount options nor access(2)
  /// shows this.
  func hiddenNodevCause(_ errno: Errno) -> Cause? {
    guard errno == .permissionDenied, assessment.kernelErrno == 0,
      subject.userNamespace != nil, assessment.object?.type.isDevice ?? false,
      let mount = assessment.mount, mount.unobserved.contains(.superblockNodev)
    else { return nil }
    return Cause(
      .mountNodev,
      summary: """
        The \(mount.fstype) at \(mount.at) was probably mounted in a user namespace: devices on such a \
        filesystem, such as \(path), cannot be opened, although its options do not contain nodev.
        """, at: path, isProven: false)
  }

  func readOnlyCause(at path: String) -> Cause {
    let mount = assessment.mount?.at ?? path
    let unit = assessment.mount.flatMap(confinement.unitThatProtects)
    let area =
      ["/home", "/root", "/run/user"].contains(where: path.isAtOrBelow)
      ? "Home" : ["/sys", "/proc"].contains(where: path.isAtOrBelow) ? "KernelTunables" : "System"
    let setting =
      unit.map { " for \($0), because of a setting such as Protect\(area)=" } ?? ""
    return Cause(
      .mountReadOnly,
      summary: path == mount
        ? "The filesystem at \(mount) is read-only\(setting)."
        : "\(path) is on the filesystem at \(mount), which is read-only\(setting).", at: path)
  }

  /// Returns the cause for a read-only mount of a filesystem that has its own, unknown access rules.
  ///
  /// The mount refuses writing, regardless of those rules.
  func likelyReadOnlyCause() -> Cause? {
    guard wanted.contains(.write), assessment.object?.type.isDevice != true,
      let mount = assessment.mount, mount.readOnly || mount.superblockReadOnly
    else { return nil }
    var cause = readOnlyCause(at: path)
    cause.isProven = false
    return cause
  }

  /// Returns the cause for a filesystem that has its own access rules and displays a mode that
  /// refuses access.
  ///
  /// The displayed owner and mode come from the filesystem, the mount options or a server.
  func shownModeCause(_ errno: Errno) -> Cause? {
    guard errno == .permissionDenied, let step = assessment.shownRefusal, let node = step.node,
      let mount = access.mount(of: node.path), !mount.usesGenericPermissions
    else { return nil }
    let lacking = step.wanted.subtracting(node.otherBits)
      .words(isDirectory: node.type == .directory, with: "or")
    let origin =
      ["cifs", "smb3", "smbfs"].contains(mount.fstype)
      ? "Owner and group come from the mount options (uid=, gid=) or, with Unix extensions, from the server"
      : mount.takesOwner
        ? "Owner and group come from the mount options (uid=, gid=)"
        : mount.fstype.hasPrefix("nfs")
          ? "The server sets the owner and the group"
          : "Owner and mode are as the filesystem reports them"
    return Cause(
      mount.mapsUsers ? .nfsIDMap : .modeOwner,
      summary: """
        \(node.path), on \(mount.fstype), appears as \(node.octalMode), owned by \
        \(names.user(node.uid)) and \(names.group(node.gid)), so \(user) has no permission to \
        \(lacking). \(origin).
        """, at: node.path, isProven: false)
  }

  /// Returns the cause for a filesystem whose displayed modes probably decide.
  ///
  /// The cause applies only if the kernel was not asked, as for a service or another process. The
  /// drivers for CIFS and NTFS check the displayed modes unless a mount option disables the check.
  func likelyShownModeCause() -> Cause? {
    guard assessment.kernelErrno == nil, let node = assessment.shownRefusal?.node,
      let mount = access.mount(of: node.path), mount.takesOwner,
      var cause = shownModeCause(.permissionDenied)
    else { return nil }
    let exception =
      switch mount.fstype {
      case "cifs", "smb3", "smbfs": "the mount has the noperm option"
      case "ntfs3": "the mount has the noacsrules option"
      case _ where mount.fstype.hasPrefix("fuse"):
        "the mount lacks the default_permissions option"
      default: "the filesystem decides differently"
      }
    let isOfServer = ["cifs", "smb3", "smbfs"].contains(mount.fstype)
    let result = isOfServer ? "only the server decides" : "the access is allowed"
    cause.summary += " But if \(exception), \(result)."
    return cause
  }

  /// Returns the cause for a file server that maps users by its own rules.
  func serverCause() -> Cause? {
    guard let mount = assessment.mount, mount.fstype.hasPrefix("nfs"),
      !PoliciesLayer(assessment: assessment, names: names).isServedToOthers
    else { return nil }
    let reason =
      subject.fsuid == 0
      ? "servers treat a client's root as nobody unless the export has no_root_squash"
      : "it decides by the user's number or name there"
    return Cause(
      .nfsIDMap,
      summary: """
        The file server behind \(mount.at) (\(mount.fstype)) denies \(user) access to \(path): \
        \(reason).
        """, at: path, isProven: false)
  }

  // MARK: - Remedies

  /// Returns the remedy that remounts a filesystem with its own access rules as writable.
  ///
  /// For other filesystems, the prover finds this remedy.
  private func remountRemedies() -> [Remedy] {
    guard assessment.isRefusedOutsideModel, confinement.container == nil,
      let mount = assessment.mount, !mount.usesGenericPermissions,
      !(mount.superblockReadOnly && mount.refusesWritableRemount)
    else { return [] }
    return [
      Remedy(
        "Mount the filesystem at \(mount.at) writable",
        commands: ["mount -o remount,rw \(mount.at.shellQuoted)"], actor: .administrator,
        until: .mount,
        assumes: """
          the server or the drive allows writing
          """)
    ]
  }

  /// Returns the remedies for a mount that forbids devices, other than remounting.
  func mountRemedies(_ path: String) -> [Remedy] {
    guard let mount = assessment.mount else { return [] }
    let sandboxes = SandboxesLayer(assessment: assessment, names: names)
    var remedies: [Remedy] = []
    if sandboxes.isOfOptions, path.hasPrefix("/dev/") {
      remedies = sandboxes.sandboxRemedies(path)
    } else if confinement.container != nil, mount.at == "/", mount.nodev {
      remedies = [
        Remedy(
          """
          On the host, mount the filesystem that holds the container's files without nodev, also in \
          /etc/fstab; replace PATH with its mount point
          """, commands: ["mount -o remount,dev PATH"], actor: .administrator,
          takesEffect: "when the container is restarted",
          assumes: "nodev comes from the host's mount, not from the container's configuration")
      ]
    } else if confinement.container != nil, path.hasPrefix("/dev/") {
      // The engine creates another node for the container, on its own filesystem.
      remedies = ContainerOptions(assessment: assessment, names: names).passDevice(path)
        .map { passed in
          var passed = passed
          for index in passed.steps.indices { passed.steps[index].changes = [] }
          passed.assumes =
            passed.assumes ?? "the container's user has permission to use the node"
          return passed
        }
    }
    guard mount.superblockNodev || mount.unobserved.contains(.superblockNodev), !mount.nodev else {
      return remedies
    }
    return remedies + [
      Remedy(
        "Create the node on a filesystem that was mounted outside the user namespace",
        actor: .administrator, assumes: "the owner and mode of the new node give the user access")
    ]
  }

  /// Returns the remedies for a read-only Windows volume or FUSE filesystem.
  private func volumeRemedies() -> [Remedy] {
    guard let mount = assessment.mount, mount.superblockReadOnly, mount.refusesWritableRemount,
      confinement.container == nil
    else { return [] }
    let place = mount.at.shellQuoted
    let unmount = "umount \(place)"
    guard mount.isOfWindows, let source = mount.source, source.hasPrefix("/dev/") else {
      guard mount.fstype.hasPrefix("fuse") else { return [] }
      return [
        Remedy(
          "Unmount \(mount.at), and mount it again without the ro option", commands: [unmount],
          actor: .administrator, assumes: "the program behind the mount supports writing")
      ]
    }
    let again = [unmount, "mount \(source.shellQuoted) \(place)"]
    // The kernel driver of this name is read-only, except in very recent kernels.
    if mount.fstype == "ntfs" {
      return [driverRemedy(of: mount, source.shellQuoted)]
    }
    return [
      Remedy(
        """
        In Windows, turn off hibernation and fast startup (powercfg /h off) and shut down \
        (shutdown /s /t 0); then mount the volume again
        """, commands: again, actor: .administrator,
        assumes: """
          the volume is read-only because Windows is hibernated or was not shut down completely
          """),
      Remedy(
        "Clear the dirty flag of a volume that was not unmounted, and mount it again",
        commands: [unmount, "ntfsfix -d \(source.shellQuoted)", again[1]], actor: .administrator,
        assumes: Remedy.both(
          "Windows is not hibernated", "no ro option in /etc/fstab mounts it read-only")),
    ]
  }

  /// Returns the remedy that mounts an NTFS volume with a driver that supports writing.
  private func driverRemedy(of mount: Mount, _ source: String) -> Remedy {
    // Unmounting frees a loop device that the mount has set up.
    let isLoop = source.hasPrefix("/dev/loop")
    // udisks removes its mount points when it unmounts them.
    let isOfUdisks = ["/media", "/run/media"].contains { mount.at.isBelow($0) }
    let again =
      isOfUdisks
      ? ["udisksctl unmount -b \(source)", "udisksctl mount -b \(source)"]
      : ["umount \(mount.at.shellQuoted)", "mount -t ntfs-3g \(source) \(mount.at.shellQuoted)"]
    var steps = [Remedy.Step(.administrator, commands: isLoop ? [] : again)]
    if facts.isNixOS {
      let option = #"boot.supportedFilesystems = [ "ntfs" ];"#
      steps = [
        Remedy.Step(.administrator, options: [option]),
        Remedy.Step(.administrator, commands: ["nixos-rebuild boot", "reboot"]),
      ]
    }
    return Remedy(
      """
      Install ntfs-3g, which can write to NTFS (the kernel's old ntfs driver cannot), and mount \
      the volume again
      """, steps: steps,
      assumes: "Windows is not hibernated, and was shut down completely")
  }

  func serverRemedies() -> [Remedy] {
    let owner = MountOwner(assessment: assessment, names: names).remedies
    if !owner.isEmpty { return owner }
    if subject.fsuid == 0, access.mount(of: path)?.fstype.hasPrefix("nfs") == true {
      return squashedRemedies()
    }
    guard access.mount(of: path)?.mapsUsers == true else { return [] }
    if (access.object(at: path) ?? assessment.shownRefusal?.node)?.uid == subject.fsuid {
      return [
        Remedy(
          """
          On the server, let the export map all users to one who has access (all_squash with anonuid= and \
          anongid=), or change the permissions there
          """, actor: .administrator, assumes: "the server has such options")
      ]
    }
    return [
      Remedy(
        "Use the same UID for \(user) here and on the server, or change the mapping of the export",
        actor: .administrator,
        assumes: "that user has access on the server")
    ]
  }
}

extension MountsLayer {
  /// Returns the remedies for a server that restricts the root user of its clients.
  ///
  /// Either the program runs as the owner of the file, or the server stops mapping root to another
  /// user.
  private func squashedRemedies() -> [Remedy] {
    let export = Remedy(
      "Export the directory with no_root_squash, in the server's /etc/exports",
      actor: .administrator,
      scope: "this machine's root user access to every file of the export",
      assumes: "the server runs Linux, or has this option")
    let object = access.object(at: path) ?? access.creationDirectory.flatMap(access.object(at:))
    guard let object, object.uid != 0, object.uid != Subject.overflowID,
      object.ownerBits.isSuperset(of: wanted)
    else { return [export] }
    let owner = "\(object.uid):\(object.gid)"
    let assumes = "the server knows the owner by the number \(object.uid)"
    var remedy = Remedy(
      "Run the program as \(names.user(object.uid)), who owns \(object.path)",
      actor: .packager, takesEffect: "when the program is restarted", assumes: assumes)
    switch confinement.container {
    case _ where confinement.takesRunOptions:
      remedy.title = "Start the container as the owner of \(object.path)"
      remedy.steps[0].options = ["--user=\(owner)"]
      remedy.takesEffect = confinement.recreation
    case "kubernetes":
      remedy.title = "Run the pod as the owner of \(object.path)"
      remedy.steps[0].options = [
        "securityContext: {runAsUser: \(object.uid), runAsGroup: \(object.gid)}"
      ]
      remedy.takesEffect = confinement.recreation
    default:
      guard let unit = confinement.serviceUnit else { break }
      // The engine itself must run as root.
      if ["docker.service", "containerd.service", "podman.service"].contains(unit) {
        remedy.title = "Run the container as the owner of \(object.path)"
        remedy.steps[0].options = ["--user=\(owner)"]
        remedy.takesEffect = "when the container is recreated"
        break
      }
      return [
        UnitRemedies(assessment: assessment, names: names).dropIn(
          unit, ["User=\(object.uid)", "Group=\(object.gid)"], named: "devaccess-user",
          title: "Run \(unit) as the owner of \(object.path)", assumes: assumes), export,
      ]
    }
    return [remedy, export]
  }
}

extension Mount {
  /// A Boolean value that indicates whether a server or the mount options determine the owners of
  /// files.
  fileprivate var mapsUsers: Bool {
    takesOwner || fstype.hasPrefix("nfs")
      || ["9p", "afs", "ceph", "fuse.glusterfs", "lustre", "ocfs2", "virtiofs"].contains(fstype)
  }
}

extension Assessment {
  /// The step that would refuse access if the displayed modes and ACLs were decisive.
  ///
  /// The value is `nil` if the displayed modes and ACLs would grant access, or if the filesystem
  /// has no access rules of its own.
  var shownRefusal: Step? {
    guard case .undecided = decision.outcome else { return nil }
    var shown = access
    for index in shown.mounts.indices where !shown.mounts[index].usesGenericPermissions {
      shown.mounts[index].fstype = "ext4"
    }
    let decision = shown.decide(.brief)
    guard case .denied(.permissionDenied) = decision.outcome else { return nil }
    return decision.steps.last
  }
}
