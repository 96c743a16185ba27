extension Assessment {
  /// The decision that is reported to the user.
  ///
  /// If the kernel's own check decides what the model could not, the last step states this.
  var reported: Decision {
    let outcome: Outcome
    var rule = decision.rule
    switch (verdict, decision.outcome) {
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

  var answer: Answer { Answer(verdict) }

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
        the node has no tag of the snap \(name), so \(interface) is not connected and the snap's \
        own policy could refuse access
        """)
  }

  /// The layers with an unknown verdict, which are the reasons why a grant is not proven.
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
        Unobserved($0, reason: "it acts when the device is opened, and its verdict cannot be read")
      }
  }
}
