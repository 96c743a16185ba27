/// Finds the changes of modes, lists, groups, mounts and flags that lead from a refusal to a
/// grant.
///
/// It walks as the decision does: it takes the check that refuses, tries each change that could
/// help there, decides again, and goes on where another check refuses. Every plan that it returns
/// ends in a grant.
struct RemedyPlanner {
  /// One step of a plan.
  struct Step {
    var title: String
    var step: Remedy.Step
    var scope: String?
    var takesEffect: String?
    var lasts: String?
    var assumes: String?
  }

  let names: Names
  let device: DeviceFacts?
  /// The judgement of the question as it was asked.
  let judgement: Judgement

  init(_ judgement: Judgement, names: Names) {
    self.judgement = judgement
    self.names = names
    device = judgement.device
  }

  /// The checks that one plan may have to pass: directories, links, mounts, flags, the object.
  private static let depth = 6
  /// The decisions that one search may cost.
  private static let budget = 160

  /// The plans that lead to a grant from these facts, in the order in which they were tried.
  func plans(from facts: AccessFacts, limit: Int = 8) -> [[Step]] {
    var budget = Self.budget
    return plans(from: facts, depth: Self.depth, limit: limit, &budget)
  }

  private func plans(
    from facts: AccessFacts, depth: Int, limit: Int, _ budget: inout Int
  ) -> [[Step]] {
    guard budget > 0 else { return [] }
    budget -= 1
    let decision = facts.access.withoutDeviceProgramDoubt.decide()
    if decision.isGranted { return [[]] }
    if case .undecided = decision.outcome, depth < Self.depth {
      // The way is open as far as it was seen: what lies behind it decides the rest.
      let place = decision.at ?? decision.steps.last?.path ?? facts.access.request.path
      return [
        [
          Step(
            title: "", step: Remedy.Step(.program),
            assumes: "what could not be seen behind \(place) lets the user in")
        ]
      ]
    }
    guard depth > 0, case .denied = decision.outcome else { return [] }
    var found: [[Step]] = []
    for candidate in candidates(for: decision, in: facts) {
      guard found.count < limit, budget > 0 else { break }
      guard let after = facts.applying(candidate.step.changes), after.access != facts.access else {
        continue
      }
      // Beyond the first step the least change is enough, except at the object itself.
      let rest = plans(
        from: after, depth: depth - 1, limit: depth == Self.depth ? 3 : 2, &budget)
      found += rest.map { [candidate] + $0 }
    }
    return Array(found.prefix(limit))
  }

  /// What could help at the check that refuses, the least first.
  private func candidates(for decision: Decision, in facts: AccessFacts) -> [Step] {
    guard let rule = decision.rule, let step = decision.steps.last else { return [] }
    let own = ownCandidates(facts)
    switch rule {
    case .modeOwner, .modeGroup, .modeOther, .aclUser, .aclGroup, .aclMask, .aclOther:
      guard let node = step.node else { return own }
      return own + permissionCandidates(at: node, step.wanted, rule, facts)
    case .mountNodev, .mountReadOnly, .superblockReadOnly, .mountNoexec:
      return own + mountCandidates(rule, step, facts)
    case .inodeImmutable, .inodeAppendOnly:
      return requestCandidates(rule, step, facts) + flagCandidates(rule, step, facts)
    case .symlinkProtected, .symlinkNoSymfollow, .symlinkNoFollow, .openNoAccessTime,
      .openExists, .createSticky:
      return requestCandidates(rule, step, facts) + mountCandidates(rule, step, facts)
    default: return []
    }
  }

  // MARK: - What the process can do itself

  /// Raising what it is permitted, or taking another identifier of its own; only as a first step.
  private func ownCandidates(_ facts: AccessFacts) -> [Step] {
    guard facts.access.subject == judgement.subject, facts.access == judgement.access else {
      return []
    }
    let capabilities = judgement.raisableCapabilities
    if let first = capabilities.first {
      let name = "CAP_" + first.name.uppercased()
      return [
        Step(
          title: "Raise \(name), which the process is permitted, for the one open",
          step: Remedy.Step(.program, changes: [.raise([first])]),
          scope: nil, takesEffect: nil, lasts: nil)
      ]
    }
    guard judgement.couldRaise else { return [] }
    let subject = facts.access.subject
    let permitted = subject.permitted.subtracting(subject.effective)
    for user in [subject.fsuid, subject.euid, subject.ruid, subject.suid] {
      for group in [subject.fsgid, subject.egid, subject.rgid, subject.sgid] {
        for capabilities in [CapabilitySet(), permitted] {
          var changes: [FactsChange] = [.takeIDs(user: user, group: group)]
          if !capabilities.isEmpty { changes.append(.raise(capabilities)) }
          guard let after = facts.applying(changes),
            after.access.withoutDeviceProgramDoubt.decide().isGranted
          else { continue }
          let what = capabilities.isEmpty ? "" : " and raise its permitted capabilities"
          return [
            Step(
              title: """
                Take \(names.user(user)) and \(names.group(group)), identifiers of the process's \
                own,\(what) for the one open
                """, step: Remedy.Step(.program, changes: changes))
          ]
        }
      }
    }
    return []
  }

  // MARK: - The request

  /// Asking in another way, which changes nothing on the machine.
  private func requestCandidates(
    _ rule: Rule, _ step: AccessModel.Step, _ facts: AccessFacts
  ) -> [Step] {
    let request = facts.access.request
    guard case .open(let path, var flags) = request else {
      return linkCandidates(rule, step, facts)
    }
    let title: String
    switch rule {
    case .inodeAppendOnly:
      flags.insert(.append)
      flags.remove(.truncate)
      title = "Open the file for appending (O_APPEND, without O_TRUNC)"
    case .openNoAccessTime:
      flags.remove(.noAccessTime)
      title = "Open it without O_NOATIME"
    case .openExists:
      flags.remove(.exclusive)
      title = "Open the existing file, without O_EXCL"
    case .createSticky:
      flags.subtract([.create, .exclusive])
      title = "Open it without O_CREAT"
    default: return linkCandidates(rule, step, facts)
    }
    return [
      Step(
        title: title,
        step: Remedy.Step(.program, changes: [.ask(.open(path: path, flags: flags))]))
    ]
  }

  /// Naming what a link leads to instead of the link.
  private func linkCandidates(
    _ rule: Rule, _ step: AccessModel.Step, _ facts: AccessFacts
  ) -> [Step] {
    guard [.symlinkProtected, .symlinkNoSymfollow, .symlinkNoFollow].contains(rule) else {
      return []
    }
    let path = facts.access.request.path
    // Where a directory must come out, the object does not tell what else is asked for.
    guard path.utf8.last != UInt8(ascii: "/"), let object = facts.access.object(at: path),
      object.path != path, object.type != .symbolicLink
    else { return [] }
    return [
      Step(
        title: "Open \(object.path), which the link leads to",
        step: Remedy.Step(.program, changes: [.ask(facts.access.request.at(object.path))]))
    ]
  }

  // MARK: - Mounts and flags

  private func mountCandidates(
    _ rule: Rule, _ step: AccessModel.Step, _ facts: AccessFacts
  ) -> [Step] {
    guard let mount = facts.access.mount(of: step.path) else { return [] }
    let option: FactsChange.MountOption
    let scope: String
    switch rule {
    case .mountNodev where !mount.superblockNodev:
      option = .devices
      scope = "every device node on \(mount.at) then works"
    case .mountReadOnly, .superblockReadOnly:
      option = .readWrite
      scope = "everything on \(mount.at) then becomes writable for those whom its modes allow"
    case .mountNoexec:
      option = .programs
      scope = "every program on \(mount.at) can then run"
    case .symlinkNoSymfollow:
      option = .symbolicLinks
      scope = "every symbolic link on \(mount.at) is then followed"
    default: return []
    }
    if let container = facts.confinement.container {
      return containerMountCandidates(container, mount, option, rule)
    }
    let unit = rule == .mountReadOnly ? facts.confinement.serviceUnit : nil
    return [
      Step(
        title: "Remount \(mount.at) with the option \(option.rawValue)",
        step: Remedy.Step(
          .administrator,
          commands: [mount.remountCommand(option)],
          changes: [.remount(place: mount.at, option: option)]),
        scope: scope, lasts: "until it is mounted again; /etc/fstab or its unit sets the options",
        assumes: unit.map { "\($0) sees the mounts of the machine, without any of its own" })
    ]
  }

  /// Who is in a container cannot mount again what its engine mounted.
  private func containerMountCandidates(
    _ container: String, _ mount: Mount, _ option: FactsChange.MountOption, _ rule: Rule
  ) -> [Step] {
    guard option == .readWrite || option == .programs else { return [] }
    let word = option == .readWrite ? "writable" : "with the option \(option.rawValue)"
    let title: String
    switch container {
    case "flatpak", "snap", "firejail", "bubblewrap": return []
    case _ where rule == .superblockReadOnly:
      title = "Mount the filesystem behind \(mount.at) writable, outside the container"
    case _ where mount.at == "/":
      title = "Start the container with its root filesystem \(word)"
    case "docker", "podman":
      title =
        "Start the container with the volume at \(mount.at) \(word)"
        + (option == .readWrite ? ": its option without \":ro\"" : "")
    case "kubernetes":
      title =
        "Start the pod with the volume at \(mount.at) \(word)"
        + (option == .readWrite ? ": its volumeMount without \"readOnly: true\"" : "")
    default: title = "Start the container with the mount at \(mount.at) \(word)"
    }
    return [
      Step(
        title: title,
        step: Remedy.Step(
          .packager, changes: [.remount(place: mount.at, option: option)]),
        takesEffect: "in a new container")
    ]
  }

  private func flagCandidates(
    _ rule: Rule, _ step: AccessModel.Step, _ facts: AccessFacts
  ) -> [Step] {
    guard let node = step.node else { return [] }
    let flag: Node.Flag = rule == .inodeImmutable ? .immutable : .append
    let letter = flag == .immutable ? "i" : "a"
    var edit = NodeEdit(facts.access, node, staysOpen: true)
    edit.clear(flag, letter)
    return [
      Step(
        title: """
          Take the \(flag == .immutable ? "immutable" : "append-only") flag off \(node.path)
          """,
        step: Remedy.Step(.administrator, commands: edit.commands, changes: edit.changes),
        scope: "everyone whom its mode and list let write can then write it")
    ]
  }
}

extension AccessFacts {
  /// The facts after all changes in turn; `nil` when one of them would fail.
  func applying(_ changes: [FactsChange]) -> AccessFacts? {
    var facts = self
    for change in changes {
      guard let after = change.applied(to: facts) else { return nil }
      facts = after
    }
    return facts
  }
}

extension Mount {
  /// The command that remounts it with an option.
  ///
  /// mount(8) before 2.39 hands the word "idmapped" of the mount table on to the filesystem, which
  /// refuses it; changing the mount alone hands nothing on.
  func remountCommand(_ option: FactsChange.MountOption) -> String {
    let bind = idmap == nil ? "" : "bind,"
    return "mount -o remount,\(bind)\(option.rawValue) \(at.shellQuoted)"
  }
}
