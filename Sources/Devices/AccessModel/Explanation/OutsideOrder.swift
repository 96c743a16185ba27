/// Finds the causes of a refusal that only the kernel reports, because of a rule outside the model.
struct OutsideOrder: AssessmentReader {
  let layers: Layers

  var assessment: Assessment { layers.assessment }
  var names: Names { layers.names }

  /// Returns the causes of a refusal with the given error.
  func causes(_ errno: Errno) -> [Cause] {
    if let demand = assessment.unmetDemand { return [layers.use.demandCause(demand)] }
    if assessment.decision.creationError(access) == errno {
      return [layers.paths.plainCause(.createUnsupported, at: path)]
    }
    if errno == .readOnlyFilesystem {
      return [layers.mounts.readOnlyCause(at: assessment.decidingStep?.path ?? path)]
    }
    if errno == .permissionDenied, let fuse = layers.mounts.fuseCause() { return [fuse] }
    if let shown = layers.mounts.shownModeCause(errno) {
      return [shown] + [layers.mounts.serverCause()].compactMap(\.self)
    }
    if let nodev = layers.mounts.hiddenNodevCause(errno) { return [nodev] }
    if let automount = layers.mounts.automountCause(errno) { return [automount] }
    if let abandoned = layers.mounts.abandonedFuseCause(errno) { return [abandoned] }
    if let removed = layers.containers.removedNodeCause() { return [removed] }
    if let snap = layers.sandboxes.snapCauses(errno) { return snap }
    if let label = layers.policies.labelCause(errno) {
      let isOfSnap = confinement.container == "snap" && confinement.enforcedLabel != nil
      return (isOfSnap ? [layers.sandboxes.snapCause(at: path)] : []) + [label]
    }
    let attempted = attemptCauses(errno)
    if !attempted.isEmpty { return attempted }
    let isDevice = assessment.object?.type.isDevice ?? false
    if errno == .notPermitted, isDevice {
      // A seccomp filter can return EPERM instead of the kernel, and to the kernel check too.
      return deviceCgroupCauses(
        at: path, isProven: confinement.seccompMode != nil && facts.isCheckUnfiltered)
    }
    if let server = layers.mounts.serverCause() { return [server] }
    if errno == .permissionDenied, let member = layers.permissions.unknownOwnerCause() {
      return [member] + [layers.policies.hostNodeCause(errno)].compactMap(\.self)
    }
    if case .undecided = assessment.decision.outcome,
      let cause = layers.containers.overflowCause(errno)
    {
      let causes = layers.containers.namespaceCauses(cause)
      guard let label = layers.policies.hostNodeCause(errno) else { return causes }
      // A process without the host's groups is refused regardless of its label.
      return causes.contains { $0.code == .groupsDropped } ? causes + [label] : [label] + causes
    }
    if let label = layers.policies.hostNodeCause(errno) { return [label] }
    return [
      Cause(
        .unknown,
        summary: """
          The kernel refuses \(path) (\(errno.name)), and nothing that was observed explains why.
          """, at: path, isProven: false)
    ]
  }

  // MARK: - Attempts

  /// Returns the causes of the refusal of an attempted call.
  ///
  /// The result is empty if nothing was tried, or if the kernel's own check refuses as well.
  private func attemptCauses(_ errno: Errno) -> [Cause] {
    guard let attempt = assessment.attempt, attempt.errno == errno, attempt.operation == .open,
      assessment.kernelErrno ?? 0 == 0
    else { return [] }
    guard attempt.isRefusal else { return [layers.use.failureCause(attempt)] }
    if confinement.seccompMode == 2, let filtered = filterCauses(attempt) { return filtered }
    switch errno {
    case .permissionDenied: return layers.policies.moduleCause(attempt).map { [$0] } ?? []
    case _ where assessment.kernelErrno == 0:
      // A device policy is part of the kernel's own check, which passed.
      return [layers.use.failureCause(attempt)]
    default: return []
    }
  }

  /// Returns the causes of a refusal under a seccomp filter.
  ///
  /// The cause is the filter if the same call on the null device is refused as well, and the device
  /// policy if it is not. Without that call, both are possible.
  private func filterCauses(_ attempt: Attempt) -> [Cause]? {
    let control = layers.policies.controlAttempt(of: attempt)
    let filter = layers.policies.filterCause(attempt, control: control)
    if control?.errno == attempt.errno { return [filter] }
    guard attempt.errno == .notPermitted, assessment.kernelErrno == nil else {
      return control == nil ? [filter] : nil
    }
    let policy = deviceCgroupCauses(at: path, isProven: false)
    return control == nil ? [filter] + policy : policy
  }

  // MARK: - The device control group

  /// Returns the device control group as a cause, with the unit or the container behind it.
  func deviceCgroupCauses(at path: String, isProven: Bool) -> [Cause] {
    let group = layers.containers.groupCause(at: path, isProven: isProven)
    // A sandbox has no device list, so the list of the surrounding unit applies.
    if let container = confinement.container, container == "snap" || !confinement.isSandbox,
      !isOfUnit || assessment.isRefusedOutsideModel
    {
      if container == "snap" { return [layers.sandboxes.snapCause(at: path), group] }
      if let policies = layers.units.policyCauses(at: path, isProven: isProven) {
        return confinement.isUnitOfHost ? policies : policies + [group]
      }
      return [group] + [layers.containers.newNumberCause(at: path)].compactMap(\.self)
    }
    let units = layers.units
    let causes =
      units.policyCauses(at: path, isProven: isProven)
      ?? [units.devicePolicyCause(at: path)].compactMap(\.self)
    return causes + [group]
  }
}
