internal import AccessModel

/// What is looked for around the subject once the path and the kernel's answer are known.
extension LinuxObservation {
  /// Which device policies hold for the calling process, once the kernel has said that one refuses.
  func addPolicies(to facts: inout AccessFacts) {
    let path = facts.access.request.path
    guard view.origin == nil, facts.confinement.container == nil,
      facts.confinement.service == nil, let group = facts.confinement.cgroup,
      facts.access.object(at: path)?.type.isDevice ?? false,
      facts.kernelChecks.contains(where: { $0.path == path && $0.errno == .notPermitted })
    else { return }
    let policies = DeviceProgramEvidence(roots: roots)
      .observe(group, unit: facts.confinement.unit).policies
    guard !policies.isEmpty else { return }
    var service = ServiceFacts()
    service.isRunning = true
    service.policies = policies
    facts.confinement.service = service
  }
}
