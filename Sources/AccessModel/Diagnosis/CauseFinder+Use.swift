/// Causes that show only when a device is really used, and those of a portal.
extension CauseFinder {
  /// What refuses the call that was tried; empty where nothing was tried, or where the kernel's
  /// own check refuses as well.
  func attemptCauses(_ errno: Int32) -> [Cause] {
    guard let attempt = judgement.attempt, attempt.errno == errno, attempt.operation == .open,
      judgement.kernelErrno ?? 0 == 0
    else { return [] }
    guard attempt.isRefusal else { return [failureCause(attempt)] }
    if confinement.seccompMode == 2, let filtered = filterCauses(attempt) { return filtered }
    switch errno {
    case ErrorNumber.accessDenied: return moduleCause(attempt).map { [$0] } ?? []
    case _ where judgement.kernelErrno == 0:
      // A device policy is part of the kernel's own check, which let it pass.
      return [failureCause(attempt)]
    default: return []
    }
  }

  private func call(_ attempt: Attempt) -> String { "\(attempt.systemCall ?? "open")(2)" }

  /// What a driver answers once the permissions are passed.
  private func failureCause(_ attempt: Attempt) -> Cause {
    let name = ErrorNumber.name(attempt.errno)
    if attempt.errno == ErrorNumber.busy {
      return Cause(
        .busy, summary: "Another program uses \(path), which only one program may open (\(name)).",
        at: path)
    }
    return Cause(
      .openFailed,
      summary: """
        The permissions allow \(path), but \(call(attempt)) fails (\(name)): the driver, or a \
        rule that cannot be seen, refuses.
        """, at: path, isProven: false)
  }

  /// Under a seccomp filter: the filter where it refuses the same call on the null device, the
  /// device policy where it does not, both where nobody tried.
  private func filterCauses(_ attempt: Attempt) -> [Cause]? {
    let control = facts.attempts.last {
      $0.path == Attempt.controlPath && $0.systemCall == attempt.systemCall
        && $0.flags == attempt.flags
    }
    let name = ErrorNumber.name(attempt.errno)
    let filter = Cause(
      .seccomp,
      summary: control == nil
        ? """
        A seccomp filter is in force, and it may be what refuses \(call(attempt)) of \(path) \
        (\(name)).
        """
        : """
        A seccomp filter refuses \(call(attempt)) as the program would call it (\(name)): \
        \(Attempt.controlPath) is refused as well.
        """, at: path, isProven: false)
    if control?.errno == attempt.errno { return [filter] }
    guard attempt.errno == ErrorNumber.notPermitted, judgement.kernelErrno == nil else {
      return control == nil ? [filter] : nil
    }
    let policy = deviceCgroupCauses(at: path, isProven: false)
    return control == nil ? [filter] + policy : policy
  }

  /// The security module that refuses with `EACCES` what modes and lists allow.
  private func moduleCause(_ attempt: Attempt) -> Cause? {
    let modules = confinement.securityModules ?? []
    let open = "Modes and lists allow \(path), but \(call(attempt)) is refused (EACCES)"
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

  /// What speaks against a device that may be opened: somebody uses it, or its bus is full.
  func useCauses() -> [Cause] {
    guard judgement.verdict == .granted, let attempt = judgement.attempt else { return [] }
    switch attempt.errno {
    case ErrorNumber.busy:
      return [
        Cause(
          .busy,
          summary: "\(path) may be used, but another program is using it (EBUSY).", at: path)
      ]
    case ErrorNumber.noSpace where attempt.operation == .stream:
      return [
        Cause(
          .usbBandwidth,
          summary: "\(path) may be used, but its USB bus has no bandwidth left (ENOSPC).",
          at: path)
      ]
    default: return []
    }
  }

  /// A node without anything behind it, as open(2) found out.
  func goneCause() -> Cause? {
    guard let attempt = judgement.attempt else { return nil }
    switch attempt.errno {
    case ErrorNumber.noDevice:
      return Cause(
        .nodeNoDriver,
        summary: "\(path) exists, but no driver or device is behind its number (ENXIO).", at: path,
        isProven: confinement.seccompMode == 0)
    case ErrorNumber.noSuchDevice:
      return Cause(
        .nodeDeviceGone,
        summary: """
          \(path) exists, but its device is gone (ENODEV): it may have come back under another \
          number.
          """, at: path, isProven: confinement.seccompMode == 0)
    default: return nil
    }
  }

  /// What the camera portal answers with.
  ///
  /// It counts where the node is granted as well: a program that goes through the portal gets this
  /// answer, and no node.
  func portalCause() -> Cause? {
    guard let portal = facts.portal, facts.kind == DeviceKind.camera.name else { return nil }
    if let problem = portal.problem {
      return Cause(
        .portalService, summary: "The camera portal does not work: \(problem).", at: path)
    }
    switch portal.storedAnswer {
    case "no":
      return Cause(
        .portalStoredNo,
        summary:
          "The portal's permission store contains no for the camera, so the portal does not ask.",
        at: path)
    case "ask":
      return Cause(
        .portalStoredAsk,
        summary: "The portal's permission store contains ask, but opening accepts only yes.",
        at: path)
    default: return nil
    }
  }
}
