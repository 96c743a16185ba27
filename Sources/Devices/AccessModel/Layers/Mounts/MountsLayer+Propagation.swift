/// Mounts on the host that do not propagate into a container or a service.
extension MountsLayer {
  /// Returns the innermost mount at or above a path; `nil` if later mounts propagate into it.
  private func privateMount(around path: String) -> Mount? {
    let mount = assessment.access.mounts.last { mount in
      mount.at == "/" || path.isAtOrBelow(mount.at)
    }
    guard let mount, confinement.privateMounts.contains(mount.at),
      // The root filesystem of a container is not shared with the host.
      mount.at != "/" || confinement.container == nil
    else { return nil }
    return mount
  }

  /// A phrase for the owner of the private mount: a container, a service or the process.
  private var ownerWord: String {
    confinement.container.map { "the \($0) container" } ?? confinement.serviceUnit
      ?? "the process"
  }

  /// The directories in which drives and shares are usually mounted at run time.
  private static let places = ["/media/", "/run/media/", "/mnt/", "/net/"]

  /// A Boolean value that indicates whether the request opens a directory in a container.
  private var opensDirectoryInContainer: Bool {
    guard confinement.container != nil, !confinement.isSandbox else { return false }
    guard case .open(path: _, let flags) = assessment.access.request else { return false }
    return flags.contains(.directory)
  }

  /// Returns the cause for a missing path that may have been mounted on the host later.
  ///
  /// The cause is limited to directories and the usual mount points, because for other files it
  /// would be too speculative.
  func propagationCause(at missing: String) -> Cause? {
    guard isAlbum || Self.places.contains(where: missing.hasPrefix) || opensDirectoryInContainer,
      let mount = privateMount(around: missing)
    else { return nil }
    return Cause(
      .mountPropagation,
      summary: """
        \(missing) may be mounted on the host: the mount of \(ownerWord) at \(mount.at) is \
        private, so a filesystem mounted below it later, such as a drive, does not propagate into \
        it.
        """, at: missing, isProven: false)
  }

  /// Returns the cause for a path below a volume of a container, on which a filesystem may have been
  /// mounted on the host later.
  func lateMountCause(at missing: String) -> Cause? {
    // A file whose directory exists is probably missing outside, too.
    guard confinement.container != nil, !confinement.isSandbox,
      let last = assessment.decidingStep?.path, path.isBelow(last),
      let mount = privateMount(around: missing), mount.at != "/"
    else { return nil }
    return Cause(
      .mountPropagation,
      summary: """
        If a filesystem was mounted there on the host after the container had started, it does not \
        show here: the mount of \(ownerWord) at \(mount.at) is private.
        """, at: missing, isProven: false)
  }

  /// Returns the cause for a path that an automounter mounts only on the host.
  ///
  /// The kernel fails such an access with `ELOOP`.
  func automountCause(_ errno: Errno) -> Cause? {
    guard errno == .tooManyLinks,
      let mount = assessment.access.mounts.last(where: { $0.fstype == "autofs" }),
      confinement.privateMounts.contains(mount.at)
    else { return nil }
    return Cause(
      .mountPropagation,
      summary: """
        \(mount.at) is an automount point (autofs). What the host's automounter mounts there \
        does not propagate into the private mount of \(ownerWord), so the access fails (ELOOP).
        """, at: mount.at)
  }

  /// Returns the container volume that contains a mount; `nil` if it is unknown.
  private func volume(of mount: Mount) -> Mount? {
    guard confinement.container != nil, !confinement.isSandbox else { return nil }
    return assessment.access.mounts.first {
      $0.at != "/" && mount.at.isBelow($0.at) && confinement.privateMounts.contains($0.at)
        && $0.at.isConfigurationWord
    }
  }

  /// Returns the fix that makes later mounts on the host visible in the container or service.
  ///
  /// Mounts inside the container do not propagate back.
  func propagationRemedies(_ path: String) -> [Remedy] {
    // An abandoned mount entered the container through the volume that contains it.
    let outer = access.mounts.last {
      path.isBelow($0.at) && confinement.privateMounts.contains($0.at)
    }
    guard let mount = privateMount(around: path) ?? outer, mount.at.isConfigurationWord else {
      return []
    }
    let volume = volume(of: mount)
    let at = (volume ?? mount).at
    let assumes =
      volume == nil
      ? Remedy.both("\(at) has the same path outside", "the filesystem is mounted there")
      : "the volume at \(at) has the same path outside"
    if let unit = confinement.serviceUnit, confinement.container == nil {
      return [
        UnitRemedies(assessment: assessment, names: names).dropIn(
          unit, ["MountFlags=slave"], named: "devaccess-mounts",
          title: "Make later mounts visible to \(unit)", assumes: assumes)
      ]
    }
    var remedy = Remedy(
      volume == nil
        ? "Start the container with a volume at \(at) that receives the host's later mounts; replace SOURCE with its directory on the host"
        : "Start the container with the rslave option on its volume at \(at), to receive the host's later mounts; replace SOURCE with its directory on the host",
      actor: .packager, scope: "access to every filesystem that is mounted below \(at)",
      takesEffect: confinement.recreation, assumes: assumes)
    switch confinement.container {
    case _ where confinement.takesRunOptions:
      guard !at.contains(",") else { return [] }
      remedy.steps[0].options = ["--volume=\("SOURCE:\(at):rslave".shellQuoted)"]
      remedy.assumes = "the filesystem is mounted below SOURCE"
    case "lxc":
      remedy.title = "Put this line into the container's configuration"
      remedy.steps[0].options = [
        "lxc.mount.entry = \(at) \(at.dropFirst()) none rbind,rslave,create=dir"
      ]
    case "kubernetes":
      remedy.title = "Give the volumeMount at \(at) this property"
      remedy.steps[0].options = ["mountPropagation: HostToContainer"]
    default: return []
    }
    return [remedy]
  }
}
