extension Assessment {
  /// The layers that could still refuse what is granted here and of which the facts show a sign, as
  /// noun phrases such as `a seccomp filter`, the most specific first.
  ///
  /// A kernel that merely lists Landlock or BPF is no sign: every process on it would carry the same
  /// doubt. Empty for anything but a predicted grant.
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
  /// The loaded BPF programs that act in security hooks and can concern the subject.
  ///
  /// systemd loads one for `RestrictFileSystems=`, which refuses nothing to processes outside the units
  /// with that setting.
  fileprivate var activePrograms: [String] {
    (securityPrograms ?? []).filter { serviceUnit != nil || $0 != "restrict_filesy" }
  }
}
