extension Assessment {
  /// The layers that could still refuse a predicted grant, as noun phrases such as `a seccomp
  /// filter`.
  ///
  /// The list contains only layers for which there is evidence in the facts, the most specific
  /// first. A kernel that merely lists Landlock or BPF is not evidence, because every process on it
  /// would have the same doubt. The list is empty unless the verdict is a predicted grant.
  var doubts: [String] {
    guard isGranted, certainty == .predicted else { return [] }
    let confinement = facts.confinement
    var doubts = [confinement.enforcedLabel.flatMap { $0.isUnconfined ? nil : $0.phrase }]
      .compactMap(\.self)
    if let name = confinement.snapName {
      doubts.append("the snap \(name)")
    } else if let container = confinement.container {
      let isSandbox = ["flatpak", "bubblewrap", "firejail"].contains(container)
      doubts.append("the \(container) \(isSandbox ? "sandbox" : "container")")
    }
    if let mode = confinement.seccompMode, mode != 0 { doubts.append("a seccomp filter") }
    if subject.noNewPrivileges, confinement.securityModules?.contains("landlock") ?? true {
      doubts.append("a Landlock domain (no_new_privs is set)")
    }
    doubts += confinement.activePrograms.map { "the BPF program \($0)" }
    if confinement.container == nil, subject.userNamespace != nil {
      doubts.append("the user namespace")
    }
    return doubts
  }
}

extension ConfinementFacts {
  /// The loaded BPF programs in security hooks that may affect the subject.
  ///
  /// systemd loads one for `RestrictFileSystems=`, which does not affect processes outside the
  /// units with that setting.
  fileprivate var activePrograms: [String] {
    (securityPrograms ?? []).filter { serviceUnit != nil || $0 != "restrict_filesy" }
  }
}
