extension Assessment {
  /// The decision that is reported to the user.
  ///
  /// If the kernel's own check decides what the model could not, the last step states this.
  var reported: Decision {
    let outcome: Outcome
    var rule = decision.rule
    switch (conclusion, decision.outcome) {
    case (.granted, .undecided):
      outcome = .granted
      rule = nil
    case (.undecided, _) where unseenDevices != nil:
      outcome = .undecided(reason: unseenDevices ?? "")
      rule = nil
    case (.undecided, .granted)
    where disagreement == nil && facts.snapHides(access.request.path):
      outcome = .undecided(reason: "the snap's profile is checked only when the object is opened")
      rule = nil
    case (.undecided, .granted) where unseenRestriction != nil:
      outcome = .undecided(reason: unseenRestriction ?? "")
      rule = nil
    case (.undecided, .granted) where withheldOpening != nil:
      outcome = .undecided(reason: withheldOpening ?? "")
      rule = nil
    case (.undecided, _) where unmetDemand != nil:
      outcome = .undecided(reason: unmetDemand?.words(facts.confinement) ?? "")
      rule = nil
    case (.refused(let errno), _) where isRefusedOutsideModel:
      outcome = .denied(errno: errno)
      let isDevice = object?.type.isDevice ?? false
      let isPolicy = errno == .notPermitted && isDevice && isRefusedByDevicePolicy
      rule = isPolicy ? .deviceCgroup : nil
    default: return decision
    }
    // The result of a call does not show which device was opened.
    let note: String? =
      if case .undecided = outcome {
        nil
      } else if let unmetDemand {
        unmetDemand.words(facts.confinement)
      } else if let attempt, let result = words(for: attempt, outcome) {
        result
      } else if kernelErrno == nil {
        nil
      } else if case .denied(let errno) = outcome {
        "faccessat2(2) failed with \(errno.name); \(reasonForKernel)"
      } else {
        "faccessat2(2) succeeded; \(reasonForKernel)"
      }
    var reported = decision
    reported.outcome = outcome
    reported.rule = rule
    reported.at = decision.at ?? access.request.path
    reported.entry = nil
    reported.allMatchingGroupsLack = false
    // The new step replaces the model's last step, because it is the same check.
    let last = reported.steps.last.flatMap { $0.action.isOnTheWay ? nil : $0 }
    if last != nil { reported.steps.removeLast() }
    reported.steps.append(
      Step(
        last?.action ?? .final, path: last?.path ?? object?.path ?? access.request.path,
        node: last?.node ?? object, mount: decidingStep?.mount, wanted: wanted, outcome: outcome,
        rule: rule, note: note))
    return reported
  }

  /// Returns the result of an attempt as a clause; `nil` if the outcome is not from the attempt.
  private func words(for attempt: Attempt, _ outcome: Outcome) -> String? {
    let call = "\(attempt.systemCall ?? "open")(2)"
    guard case .denied(let errno) = outcome else {
      // A stream starts only after a successful open.
      let isOpen = attempt.errno == 0 || attempt.operation == .stream
      return isOpen ? "\(call) was tried and succeeded" : nil
    }
    guard attempt.errno == errno else { return nil }
    let what = attempt.operation == .stream ? "streaming" : call
    return "\(what) was tried and failed with \(errno.name)"
  }

  /// The reason why the kernel's answer counts, as a clause.
  private var reasonForKernel: String {
    switch decision.outcome {
    case .undecided: "the observed permissions are not conclusive"
    case .granted: "modes, ACLs and mount options would allow it"
    case .denied(let errno):
      "modes, ACLs and mount options would refuse it with \(errno.name)"
    }
  }

  var answer: Answer { Answer(conclusion) }

  /// The snap's policy, if the node does not have the snap's tag.
  ///
  /// udev tags each node that a connected plug gives access to.
  private var snapLayer: Unobserved? {
    guard facts.confinement.container == "snap", let name = facts.confinement.snapName,
      let device, object?.type.isDevice == true,
      !device.snapTags.contains(where: { $0.hasPrefix("snap_\(name)_") })
    else { return nil }
    let interface = SnapInterface.name(for: device, at: access.request.path) ?? "its interface"
    return Unobserved(
      "snap",
      reason: """
        the node has no tag of the \(name) snap, so \(interface) is not connected and the snap's \
        own policy could refuse access
        """)
  }

  /// The layers with an unknown result, which are the reasons why a grant is not proven.
  var unseenLayers: [Unobserved] {
    guard isGranted, certainty == .predicted, facts.confinement.canRefuseUnseen else { return [] }
    let confinement = facts.confinement
    let labelled = [confinement.labelLayer, snapLayer].compactMap(\.self)
    guard let modules = confinement.securityModules else {
      let others = labelled.isEmpty ? "" : " besides"
      return labelled
        + [Unobserved("security-modules", reason: "which are active\(others) is not known")]
    }
    var layers = modules.filter {
      ["apparmor", "landlock", "tomoyo", "bpf", "selinux", "smack"].contains($0)
    }
    .filter { $0 != "apparmor" || confinement.label?.hasPrefix("unconfined") != true }
    .filter { $0 != "selinux" || confinement.hasLabelModule }
    .filter { module in !labelled.contains { $0.layer == module } }
    if confinement.seccompMode != 0 { layers.append("seccomp") }
    return labelled
      + layers.map {
        Unobserved(
          $0,
          reason:
            "it is checked only when the device is opened, so its answer cannot be known in advance"
        )
      }
  }
}

extension Assessment {
  /// The layers that could still refuse a predicted grant, as noun phrases such as `a seccomp
  /// filter`.
  ///
  /// The list contains only layers for which there is evidence in the facts, the most specific
  /// first. A kernel that merely lists Landlock or BPF is not evidence, because every process on it
  /// would have the same doubt. The list is empty unless a grant is predicted.
  var doubts: [String] {
    guard isGranted, certainty == .predicted else { return [] }
    let confinement = facts.confinement
    var doubts = [confinement.enforcedLabel.flatMap { $0.isUnconfined ? nil : $0.phrase }]
      .compactMap(\.self)
    if let name = confinement.snapName {
      doubts.append("the \(name) snap")
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

extension Assessment {
  /// The use of the device by other programs; `nil` if it was not observed.
  var use: DeviceUse? {
    guard let all = facts.use, var own = use(in: all) else { return nil }
    if own.device == nil { own.device = device }
    return own
  }

  /// Returns the use of this device; `nil` if it was not observed.
  ///
  /// The nodes in `all` are those in udev's database.
  private func use(in all: UseFacts) -> DeviceUse? {
    if let device, device.systemNode != nil, let own = all.use(of: device) { return own }
    // The same path in another process's view of `/dev` may be a different device for the caller.
    if device?.systemNode != nil, !facts.isOfCaller { return nil }
    return all.use(ofNode: object?.path ?? access.request.path)
      ?? device.flatMap(all.use(of:))
      ?? all.devices.first { $0.askedAs.contains(access.request.path) }
  }

  /// The occupation of the device by other users; `nil` if it was not observed.
  var occupation: Occupation? {
    use.flatMap { use in
      facts.use?.occupation(of: use, besides: facts.origin?.pid)
    }
  }

  /// The other processes that use the device, starting with those that block the subject.
  var otherHolders: [DeviceHolder] {
    guard let use else { return [] }
    let others = use.holders.filter { $0.process.id != facts.origin?.pid }
    let blocking = others.filter { use.occupation(by: $0) == .busy }
    return blocking + others.filter { use.occupation(by: $0) != .busy }
  }

  /// A Boolean value that indicates whether another program is known to block the device.
  var isBusy: Bool { attempt?.errno == .busy || occupation == .busy }

  /// Returns whether the subject can use this device instead of another one.
  ///
  /// An infrared camera does not replace an ordinary one. A virtual camera replaces a real one only
  /// if a program is using it and may be feeding it.
  func canReplace(_ other: Assessment) -> Bool {
    guard isGranted, let device, let wanted = other.device else { return false }
    if device.isInfrared, !wanted.isInfrared { return false }
    guard VideoDriver(of: device) == .loopback, device.subsystem == "video4linux",
      VideoDriver(of: wanted) != .loopback
    else { return true }
    return use.map { $0.isHeld && $0.isFed != false } ?? false
  }

  /// A rank for choosing among equivalent devices by their current use; lower is better.
  var crowding: Int {
    switch occupation {
    case .busy: 3
    case _ where isBusy: 3
    case .held: 2
    // A device that is known to be free is a better choice.
    case .unknown, nil: 1
    case .free, .open: 0
    }
  }
}

extension AccessFacts {
  /// The devices whose current users affect the answer: cameras and sound devices.
  ///
  /// These devices serve one program at a time. A device that does not exist or has no node is not
  /// included.
  public var targetsOfUse: [Question.Target] {
    if let kind = kind.flatMap(DeviceKind.named) {
      let isUsed = kind.servesOneProgram && !kind.usedDevices(in: devices).isEmpty
      return isUsed ? [.kind(kind)] : []
    }
    guard let device = device(at: access.request.path), let node = device.node,
      device.subsystem == DeviceKind.camera.subsystem || device.isStream
    else { return [] }
    if device.role == .pipeline {
      // Programs use the parts of a pipeline together, so all of them matter.
      let parts = devices.filter { $0.role == .pipeline }.compactMap(\.udevNode)
      return ([node] + parts.filter { $0 != node }).prefix(16).map { .path($0) }
    }
    // Users are searched for by the names in the caller's view of `/dev`.
    return [.path(isOfCaller ? node : device.udevNode ?? node)]
  }

  /// A Boolean value that indicates whether the subject is the calling process, possibly with a
  /// variation, and therefore sees the caller's `/dev`.
  fileprivate var isOfCaller: Bool { origin.map { $0.kind == .ownProcess } ?? true }
}

extension Assessment {
  /// A Boolean value that indicates whether the subject has, or may have, a session on the device's
  /// seat.
  var isOnSeat: Bool {
    guard canHaveSeat, let session = facts.session else { return canHaveSeat }
    return session.activeUsers[device?.seat ?? "seat0"] == subject.fsuid || session.seat != nil
      || session.sessionClass != "manager" || !session.userSeats.isEmpty
  }

  /// A Boolean value that indicates whether the tag `uaccess` could give the subject access.
  ///
  /// Services, remote sessions and users without a session are never active on a seat. Without a
  /// login manager, no user is.
  var canHaveSeat: Bool {
    if facts.session?.activeUsers[device?.seat ?? "seat0"] == subject.fsuid { return true }
    // If the question is about a system account, the account does not log in.
    if facts.origin?.kind == .user, (1..<1000).contains(subject.fsuid) { return false }
    guard let session = facts.session else { return true }
    // The tag has an effect only with a login manager, which may be hidden in a container.
    guard session.isLogindRunning || facts.confinement.container != nil else { return false }
    if session.isRemote || (session.id != nil && session.seat == nil) { return false }
    // A lingering user has a user manager, but no session that could become active.
    if session.id == nil, facts.confinement.isUserService, session.userSeats.isEmpty {
      return false
    }
    return session.id != nil || facts.confinement.serviceUnit == nil
  }
}

extension AccessFacts {
  /// A clause about the login manager, for use if it was not observed to be running.
  ///
  /// A container or a sandbox usually hides the files of a login manager. A system without systemd
  /// has elogind or no login manager.
  var unseenLogind: String {
    let hasLogind = confinement.hasSystemd != false
    let name = hasLogind ? "systemd-logind" : "a login manager, such as elogind,"
    if session == nil { return "\(name) was not asked" }
    guard confinement.container == nil else { return "\(name) cannot be seen from here" }
    return hasLogind ? "\(name) is not running" : "no login manager, such as elogind, is running"
  }
}
