/// Causes that show only when a device is really used, and those of a portal.
extension CauseFinder {
  /// What refuses open(2) although the kernel's own check grants; `nil` where nothing was tried
  /// or the check refuses as well.
  func attemptCause(_ errno: Int32) -> Cause? {
    guard let attempt = judgement.attempt, attempt.errno == errno, attempt.operation == .open,
      judgement.kernelErrno ?? 0 == 0, errno == ErrorNumber.accessDenied
    else { return nil }
    let modules = confinement.securityModules ?? []
    let open = "Modes and lists allow \(path), and open(2) is refused (EACCES)"
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
          summary: "\(path) may be used, and another program uses it now (EBUSY).", at: path)
      ]
    case ErrorNumber.noSpace where attempt.operation == .stream:
      return [
        Cause(
          .usbBandwidth,
          summary: "\(path) may be used, and its USB bus has no bandwidth left (ENOSPC).",
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
        .nodeAbsentNoDriver,
        summary: "\(path) exists, and its number has no driver or no device behind it (ENXIO).",
        at: path)
    case ErrorNumber.noSuchDevice:
      return Cause(
        .nodeRenumbered,
        summary: "\(path) exists, and its device is gone (ENODEV): it may be back under another.",
        at: path, isProven: false)
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
        summary: "The permission store of the portal holds no for the camera, so nobody is asked.",
        at: path)
    case "ask":
      return Cause(
        .portalStoredAsk,
        summary: "The permission store of the portal holds ask, and opening takes yes alone.",
        at: path)
    default: return nil
    }
  }
}
