internal import AccessModel

/// Facts that are observed after the path and the kernel's answers are known.
extension LinuxObservation {
  /// Adds the device policies of the calling process, if the kernel's answer indicates that one
  /// refuses.
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

  /// Returns the crossed mount points at which later mounts of the host do not appear.
  ///
  /// These are private mounts that show a part of the host. Outside of a container or service, only
  /// automounts are included.
  func privateMounts(of facts: AccessFacts) -> [String] {
    let isApart = facts.confinement.container != nil || facts.confinement.serviceUnit != nil
    return facts.access.mounts.filter { isApart || $0.fstype == "autofs" }.map(\.at).filter { at in
      guard let entry = view.mounts.last(at: at), entry.isPrivate else {
        return false
      }
      return !Self.ownTypes.contains(entry.fstype) && (entry.fstype != "tmpfs" || entry.root != "/")
    }
  }

  /// The types of filesystems that are mounted only for a container, or on which nothing is
  /// mounted.
  private static let ownTypes: Set<String> = [
    "overlay", "proc", "sysfs", "devpts", "mqueue", "cgroup", "cgroup2", "devtmpfs",
    "securityfs", "debugfs", "tracefs", "configfs", "hugetlbfs", "binfmt_misc", "bpf",
  ]
}
