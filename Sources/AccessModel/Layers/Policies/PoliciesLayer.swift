/// Security modules and seccomp filters, which act when a device is really opened.
struct PoliciesLayer: Layer {
  let assessment: Assessment
  let names: Names

  func remedies(for cause: Cause) -> [Remedy] { policyModuleRemedies(cause.code) }

  func lookups(for cause: Cause) -> [Lookup] {
    cause.code == .seccomp ? filterLookups() : moduleLookups(cause.code)
  }

  func note(for cause: Cause) -> String? {
    switch cause.code {
    case .selinux, .appArmor, .landlock:
      "No permission of the object helps: the policy of the security module has to allow it."
    default: nil
    }
  }

  // MARK: - Security modules

  /// The security module whose label the subject has, for EACCES where modes and lists allow.
  ///
  /// Another layer can answer so, too.
  func labelCause(_ errno: Errno) -> Cause? {
    guard errno == .permissionDenied, case .granted = assessment.decision.outcome else {
      return nil
    }
    let isTried = assessment.attempt?.errno == errno && assessment.kernelErrno ?? 0 == 0
    let isStream = assessment.attempt?.operation == .stream
    let who =
      isTried
      ? (isStream ? "streaming from it is refused" : "open(2) is refused")
      : "the kernel still refuses"
    if let enforced = confinement.enforcedLabel {
      let text = confinement.profileRule.map { " Its text contains \($0)." } ?? ""
      return Cause(
        enforced.code,
        summary: """
          Modes and lists allow \(path), but \(who) (EACCES), as the policy of \
          \(enforced.module) for \(enforced.name) may.\(text)
          """, at: path, isProven: false)
    }
    guard confinement.hasLabelModule else { return nil }
    let isSELinux = confinement.securityModules?.contains("selinux") ?? false
    return Cause(
      isSELinux ? .selinux : .unknown,
      summary: """
        Modes and lists allow \(path), but \(who) (EACCES), as the policy of \
        \(isSELinux ? "SELinux" : "the active security module") may.
        """, at: path, isProven: false)
  }

  /// That the text of the AppArmor profile speaks against what is granted: the profile acts when the
  /// object is opened, which the kernel's own check does not reach.
  func profileCause() -> Cause? {
    guard assessment.verdict == .granted, assessment.attempt == nil,
      let enforced = confinement.enforcedLabel, let rule = confinement.refusingRule
    else { return nil }
    return Cause(
      enforced.code,
      summary: """
        Modes and lists allow \(path), but \(enforced.phrase) is enforced and may refuse open(2) \
        (EACCES): its text has \(rule).
        """, at: path, isProven: false)
  }

  /// That a policy which is part of the kernel's own check was not asked, because the check cannot be made
  /// with another process's label.
  func unaskedCause() -> Cause? {
    guard assessment.verdict == .granted, assessment.attempt == nil, assessment.kernelErrno == nil,
      let enforced = confinement.enforcedLabel, enforced.actsInChecks, !enforced.isUnconfined
    else { return nil }
    return Cause(
      enforced.code,
      summary: """
        Modes and lists allow \(path), but \(enforced.module) is enforced and the process runs as \
        \(enforced.name): whether its policy allows it can only be asked in the process itself.
        """, at: path, isProven: false)
  }

  /// The security module that refuses with `EACCES` what modes and lists allow.
  func moduleCause(_ attempt: Attempt) -> Cause? {
    let modules = confinement.securityModules ?? []
    let open = "Modes and lists allow \(path), but \(attempt.call) is refused (EACCES)"
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
          "Read which access SELinux refused", commands: ["ausearch -m avc -ts recent"],
          isPrivileged: true)
      ]
    case .appArmor:
      [
        Lookup(
          "Read which access AppArmor refused",
          commands: [kernelLog("apparmor=.DENIED")], isPrivileged: true)
      ]
    default: []
    }
  }

  /// Has the engine of a container give a volume the label of its containers, which keeps the policy as it
  /// is.
  private func relabelRemedies() -> [Remedy] {
    guard ["docker", "podman", "containerd"].contains(confinement.container),
      let object = assessment.object ?? access.object(at: path),
      [.regular, .directory].contains(object.type), let mount = access.mount(of: object.path),
      mount.at != "/"
    else { return [] }
    return [
      Remedy(
        """
        Start the container with the volume relabelled (:z; :Z for a volume that no other container \
        uses)
        """, options: ["--volume=SOURCE:\(mount.at.shellQuoted):z"], actor: .packager,
        takesEffect: "in a new container",
        assumes: """
          SOURCE is the directory on the host, and only containers use it
          """)
    ]
  }

  /// Adds to the policy of a security module what its log says was refused.
  func policyModuleRemedies(_ code: CauseCode) -> [Remedy] {
    // What may only refuse is looked up first.
    if assessment.isGranted, code == .selinux { return [] }
    return switch code {
    case .selinux:
      relabelRemedies() + [
        Remedy(
          "Allow what SELinux refused, by a policy module made from its log",
          commands: [
            "ausearch -m avc -ts recent | audit2allow -M devaccess", "semodule -i devaccess.pp",
          ], actor: .administrator,
          scope: "everything else that the log says was refused in the last ten minutes",
          assumes: "devaccess.te, to be read before it is loaded, holds this access alone")
      ]
    case .appArmor where confinement.isDenied:
      // The log does not hold what such a line refuses.
      [
        Remedy(
          """
          Take out of the profile's text \(confinement.profileRule ?? ""), and load it again with \
          apparmor_parser -r
          """, actor: .administrator,
          assumes: "the profile that is loaded has that line, and another one allows the access")
      ]
    case .appArmor where confinement.container == nil:
      [
        Remedy(
          "Add what AppArmor refused to the profile, as aa-logprof(8) proposes",
          commands: ["aa-logprof"], actor: .administrator,
          assumes: "the log holds the refusal, and only that line is accepted")
      ]
    default: []
    }
  }

  // MARK: - seccomp

  /// The same call on the null device, which a filter cannot tell from the device.
  func controlAttempt(of attempt: Attempt) -> Attempt? {
    facts.attempts.last {
      $0.path == Attempt.controlPath && $0.systemCall == attempt.systemCall
        && $0.flags == attempt.flags
    }
  }

  /// The filter that refuses, or may refuse, the call that was tried.
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

  /// Where systemd says what a unit's filter holds.
  private func filterLookups() -> [Lookup] {
    guard let unit = confinement.serviceUnit else { return [] }
    return [
      Lookup(
        "Read the filter of the unit",
        commands: ["systemctl show -p SystemCallFilter,SystemCallErrorNumber \(unit.shellOperand)"])
    ]
  }
}
