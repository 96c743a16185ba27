/// Security modules and seccomp filters, which take effect when a device is opened.
struct PoliciesLayer: Layer {
  let assessment: Assessment
  let names: Names

  static let causes: [CauseDescription<PoliciesLayer>] = [
    CauseDescription(
      .selinux, "SELinux",
      remedies: { layer, _ in layer.policyModuleRemedies(.selinux) },
      lookups: { layer, _ in layer.moduleLookups(.selinux) },
      note: { _, _ in Self.policyNote }),
    CauseDescription(
      .appArmor, "AppArmor",
      remedies: { layer, _ in layer.policyModuleRemedies(.appArmor) },
      lookups: { layer, _ in layer.moduleLookups(.appArmor) },
      note: { _, _ in Self.policyNote }),
    CauseDescription(
      .landlock, "Landlock",
      note: { _, _ in Self.policyNote }),
    CauseDescription(
      .seccomp, "seccomp filter",
      lookups: { layer, _ in layer.filterLookups() }),
  ]

  private static let policyNote =
    "No permission of the object helps: the policy of the security module has to allow the access."

  // MARK: - Security modules

  /// Returns the cause if the kernel fails with `EACCES` although modes and ACLs allow the access.
  ///
  /// The security module that labels the subject is the probable cause. Another layer can cause the
  /// same error.
  func labelCause(_ errno: Errno) -> Cause? {
    guard errno == .permissionDenied, case .granted = assessment.decision.outcome else {
      return nil
    }
    let isTried = assessment.attempt?.errno == errno && assessment.kernelErrno ?? 0 == 0
    let isStream = assessment.attempt?.operation == .stream
    let what =
      isTried
      ? (isStream ? "streaming from it is refused" : "open(2) is refused")
      : "the kernel refuses it"
    if let enforced = confinement.enforcedLabel {
      let text = confinement.profileRule.map { " Its text contains \($0)." } ?? ""
      return Cause(
        enforced.code,
        summary: """
          Modes and ACLs allow access to \(path), but \(what) (EACCES): the \(enforced.module) policy probably \
          does not let \(enforced.name) use it.\(text)
          """, at: path, isProven: false)
    }
    guard confinement.hasLabelModule else { return nil }
    let isSELinux = confinement.securityModules?.contains("selinux") ?? false
    return Cause(
      isSELinux ? .selinux : .unknown,
      summary: """
        Modes and ACLs allow access to \(path), but \(what) (EACCES): \
        the \(isSELinux ? "SELinux policy" : "policy of the active security module") probably does not let \
        the process use it.
        """, at: path, isProven: false)
  }

  /// Returns the cause for an AppArmor profile whose text may refuse an access that is otherwise
  /// granted.
  ///
  /// The profile takes effect when the object is opened, so access(2) does not take it into
  /// account.
  func profileCause() -> Cause? {
    guard assessment.verdict == .granted, assessment.attempt == nil,
      let enforced = confinement.enforcedLabel, let rule = confinement.refusingRule
    else { return nil }
    return Cause(
      enforced.code,
      summary: """
        Modes and ACLs allow access to \(path), but \(enforced.phrase) is enforced and may refuse open(2) \
        (EACCES): its text has \(rule).
        """, at: path, isProven: false)
  }

  /// Returns the cause for a policy that only the process itself can test, with its own label.
  func unaskedCause() -> Cause? {
    guard assessment.verdict == .granted, assessment.attempt == nil, assessment.kernelErrno == nil,
      let enforced = confinement.enforcedLabel, !enforced.isUnconfined
    else { return nil }
    if enforced.code == .appArmor { return unaskedProfileCause(enforced.name) }
    return Cause(
      enforced.code,
      summary: """
        Modes and ACLs allow access to \(path), but \(enforced.module) is enforcing and the process runs as \
        \(enforced.name): the policy may refuse access, which was not tested.
        """, at: path, isProven: false)
  }

  /// Returns the cause for an AppArmor profile that may not list the object and whose text was not
  /// found.
  ///
  /// Containers and snaps are excluded: the profiles of container engines allow all files, and a
  /// snap's profile depends on its interfaces.
  private func unaskedProfileCause(_ profile: String) -> Cause? {
    guard confinement.profileRule == nil, confinement.container == nil, confinement.snapName == nil
    else { return nil }
    return Cause(
      .appArmor,
      summary: """
        Modes and ACLs allow access to \(path), but the process runs under the AppArmor profile \(profile), \
        which is enforced: unless the profile lists \(path), open(2) is refused (EACCES).
        """, at: path, isProven: false)
  }

  /// Returns the cause for a security module that may have refused the attempt with `EACCES`.
  func moduleCause(_ attempt: Attempt) -> Cause? {
    let modules = confinement.securityModules ?? []
    let open = "Modes and ACLs allow access to \(path), but \(attempt.call) is refused (EACCES)"
    if modules.contains("apparmor"), let label = confinement.label, label != "unconfined",
      !label.hasSuffix("(complain)")
    {
      return Cause(
        .appArmor, summary: "\(open): the AppArmor profile \(label) does not list it.", at: path,
        isProven: !(modules.contains("landlock") && subject.noNewPrivileges))
    }
    if modules.contains("landlock"), subject.noNewPrivileges {
      return Cause(
        .landlock,
        summary: """
          \(open): a Landlock domain may do that, which cannot be read; no_new_privs is set, as \
          it requires.
          """, at: path, isProven: false)
    }
    return nil
  }

  func moduleLookups(_ code: CauseCode) -> [Lookup] {
    switch code {
    case .selinux:
      [
        Lookup(
          "\(isInContainer ? "On the host, look up" : "Look up") which access SELinux denied",
          commands: ["ausearch -m avc -ts recent"],
          isPrivileged: true)
      ]
    case .appArmor:
      [
        Lookup(
          "Look up which access AppArmor denied",
          commands: [kernelLog("apparmor=.DENIED")], isPrivileged: true)
      ]
    default: []
    }
  }

  /// Returns a fix that relabels a volume for containers without changing the policy.
  private func relabelRemedies() -> [Remedy] {
    guard confinement.takesRunOptions,
      let object = assessment.object ?? access.object(at: path),
      [.regular, .directory].contains(object.type), let mount = access.mount(of: object.path),
      mount.at != "/"
    else { return [] }
    return [
      Remedy(
        """
        Start the container with the volume relabelled (:z; :Z for a volume that no other container \
        uses), and replace SOURCE with the directory on the host
        """, options: ["--volume=SOURCE:\(mount.at.shellQuoted):z"], actor: .packager,
        takesEffect: "in a new container",
        caution: "only containers use the directory")
    ]
  }

  /// Returns the fixes that extend the policy of a security module by the logged refusals.
  func policyModuleRemedies(_ code: CauseCode) -> [Remedy] {
    // If the refusal is only possible, the policy should not be extended without reading the log.
    if assessment.isGranted, code == .selinux { return contentRemedies() }
    return switch code {
    case .selinux:
      contentRemedies() + relabelRemedies() + hostNodeRemedies() + [
        Remedy(
          """
          \(isInContainer ? "On the host, build" : "Build") a policy module from the log of what SELinux \
          refused, and load it
          """,
          commands: [
            "ausearch -m avc -ts recent | audit2allow -M devaccess", "semodule -i devaccess.pp",
          ], actor: .administrator,
          scope: """
            every other access in devaccess.te, which lists what was refused in the last ten minutes
            """,
          caution: "devaccess.te contains only rules that you accept (read it before you load it)")
      ]
    case .appArmor where confinement.isDenied:
      // AppArmor does not log refusals by such a line.
      [
        Remedy(
          """
          Remove \(confinement.profileRule ?? "") from the text of the profile, and reload the profile \
          with apparmor_parser -r
          """, actor: .administrator,
          assumes: "the profile that is loaded has that line, and another one allows the access")
      ]
    case .appArmor where confinement.container == nil:
      machineRemedies() ?? [
        Remedy(
          "Add to the AppArmor profile the rule that aa-logprof(8) proposes",
          commands: ["aa-logprof"], actor: .administrator,
          caution: "the proposed rule is for this refusal")
      ]
    default: []
    }
  }

  // MARK: - seccomp

  /// Returns the attempt of the same call on the null device.
  ///
  /// A filter cannot distinguish the null device from the requested device.
  func controlAttempt(of attempt: Attempt) -> Attempt? {
    facts.attempts.last {
      $0.path == Attempt.controlPath && $0.systemCall == attempt.systemCall
        && $0.flags == attempt.flags
    }
  }

  /// Returns the cause for a seccomp filter that refuses, or may refuse, the attempted call.
  func filterCause(_ attempt: Attempt, control: Attempt?) -> Cause {
    let name = attempt.errno.name
    return Cause(
      .seccomp,
      summary: control == nil
        ? """
        A seccomp filter is in force, and it may be what refuses \(attempt.call) of \(path) \
        (\(name)).
        """
        : """
        A seccomp filter refuses \(attempt.call) as the program would call it (\(name)): \
        \(Attempt.controlPath) is refused as well.
        """, at: path, isProven: false)
  }

  /// Returns the command that shows the seccomp filter of the unit.
  private func filterLookups() -> [Lookup] {
    guard let unit = confinement.serviceUnit else { return [] }
    return [
      Lookup(
        "Read the filter of the unit",
        commands: ["systemctl show -p SystemCallFilter,SystemCallErrorNumber \(unit.shellOperand)"])
    ]
  }
}
