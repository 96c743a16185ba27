/// FUSE filesystems that another user mounted.
extension MountsLayer {
  /// The FUSE mount that may exclude the subject, and the user who mounted it.
  ///
  /// The kernel checks for the option `allow_other` before it checks any modes
  /// (`fuse_allow_current_process`). If the mount options are unknown, the owner of the mount's
  /// root directory is assumed to have mounted it.
  private var closedFuse: (mount: Mount, owner: UInt32?)? {
    let places = [assessment.decision.at, assessment.decidingStep?.path, path].compactMap(\.self)
    let mount = places.lazy.compactMap { access.mount(of: $0) }
      .first { $0.fstype == "fuse" || $0.fstype.hasPrefix("fuse.") }
    guard let mount, assessment.kernelErrno != 0 else { return nil }
    if let options = mount.fuse {
      guard !options.allowsOthers, options.user != subject.fsuid else { return nil }
      return (mount, options.user)
    }
    guard assessment.shownRefusal == nil, case .undecided = assessment.decision.outcome else {
      return nil
    }
    let root = access.nodes.first {
      $0.path.isSame(as: mount.at) && !$0.unobserved.contains(.status)
    }
    // Filesystems that root mounts are usually accessible to all users.
    guard let root else { return assessment.kernelErrno == nil ? nil : (mount, nil) }
    guard root.uid != subject.fsuid, root.uid != 0 || assessment.kernelErrno != nil else {
      return nil
    }
    return (mount, root.uid)
  }

  /// Returns the cause for a FUSE filesystem that only the user who mounted it may use.
  func fuseCause() -> Cause? {
    guard let (mount, owner) = closedFuse else { return nil }
    let who = owner.map { "\(names.user($0)), who mounted it," } ?? "the user who mounted it"
    let root = owner == 0 ? "" : "; not even root may use it"
    let filesystem = "FUSE filesystem at \(mount.at) (\(mount.fstype))"
    return Cause(
      .fuseOtherUser,
      summary: mount.fuse == nil
        ? """
        Unless the \(filesystem) was mounted with the allow_other option, only \(who) may use it, \
        whatever its modes say\(root).
        """
        : """
        The \(filesystem) was mounted without the allow_other option, so only \(who) may use it, \
        whatever its modes say\(root).
        """, at: mount.at,
      isProven: mount.fuse != nil && assessment.conclusion == .refused(errno: .permissionDenied))
  }

  /// The options that open a FUSE filesystem to other users, within the limits of its modes.
  ///
  /// With only `allow_other`, the kernel does not check modes, so all users have the access that
  /// the FUSE server allows.
  static let fuseOptions = ["-o allow_other,default_permissions"]

  /// Returns the fixes that open the mount to others, or run the service as the user who mounted
  /// it.
  func fuseRemedies() -> [Remedy] {
    guard let (mount, owner) = closedFuse else { return [] }
    if mount.fstype == "fuse.gvfsd-fuse" || mount.fstype == "fuse.portal" {
      // The session starts these servers, which have no such options.
      let who = owner.map(names.user) ?? "the user who mounted it"
      return [
        Remedy(
          "As \(who), copy the file to a directory outside \(mount.at), and use the copy",
          actor: .user,
          assumes: "the program also accepts a path of another directory")
      ]
    }
    var remedies = [
      Remedy(
        """
        Mount \(mount.at) again with these options; unless root mounts it, /etc/fuse.conf also \
        needs the line user_allow_other
        """, options: Self.fuseOptions, actor: .administrator,
        scope: "every user the access that the modes on \(mount.at) allow",
        takesEffect: "when it is mounted again",
        assumes: Remedy.both(
          "the FUSE program accepts these options (some spell the first one --allow-other)",
          subject.effective.contains(.overrideFileAccess)
            ? nil : "the modes on \(mount.at) give \(user) access"))
    ]
    guard let owner, owner != 0, names.hasPlainName(user: owner) else { return remedies }
    let scope = "access to everything else that \(names.user(owner)) can use"
    // If only the running process is known, its program may change the user on its own. `User=`
    // would break such a program, which must start as root.
    if let unit = confinement.serviceUnit, confinement.container == nil, isOfUnit {
      remedies.append(
        UnitRemedies(assessment: assessment, names: names).dropIn(
          unit, ["User=\(names.userWord(owner))"], named: "devaccess-user",
          title: "Run \(unit) as \(names.user(owner)), who mounted it", scope: scope,
          assumes: "the modes of the program's own files give \(names.user(owner)) access"))
    }
    return remedies
  }

  // MARK: - Servers that have ended

  /// The FUSE filesystem at the requested path.
  ///
  /// After its server has ended, the kernel fails every call with `ENOTCONN` (`fuse_request_alloc`,
  /// `fuse_simple_request`).
  private var abandonedFuse: Mount? {
    let mount = access.mount(of: path)
    return mount.flatMap { $0.fstype.hasPrefix("fuse") ? $0 : nil }
  }

  /// Returns the cause for a FUSE filesystem whose server has ended.
  func abandonedFuseCause(_ errno: Errno) -> Cause? {
    guard errno == .notConnected, let mount = abandonedFuse else { return nil }
    let ended = """
      The program that served the FUSE filesystem at \(mount.at) (\(mount.fstype)) has ended, so \
      every access to it fails (ENOTCONN)
      """
    guard let container = confinement.container, !confinement.isSandbox else {
      return Cause(.openFailed, summary: "\(ended).", at: mount.at)
    }
    return Cause(
      .mountPropagation,
      summary: """
        \(ended). If it was started again on the host, its new mount does not propagate into the \
        \(container) container.
        """, at: mount.at)
  }

  /// Returns the fix for a FUSE filesystem whose server has ended.
  ///
  /// The fix unmounts the filesystem, so that its server can mount it again.
  func abandonedFuseRemedies() -> [Remedy] {
    guard assessment.attempt?.errno == .notConnected, let mount = abandonedFuse,
      confinement.container == nil
    else { return [] }
    return [
      Remedy(
        "Remove the mount that is left, and start the program that serves it again",
        commands: ["umount -l \(mount.at.shellQuoted)"], actor: .administrator,
        assumes: "the program mounts it again when it starts")
    ]
  }
}
