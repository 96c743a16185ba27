/// A recorder that stores every check as a ``Step``.
struct StepRecorder: DecisionRecorder {
  let prepared: PreparedCase
  let request: Request
  var steps: [Step] = []

  mutating func record(
    _ kind: RecordedKind, node index: Int32, wanted: Permissions, finding: Finding,
    doubt: MissingFact?
  ) {
    let node = index < 0 ? nil : prepared.access.nodes[Int(index)]
    let action: Step.Action =
      switch kind {
      case .search: .search
      case .followLink: .followLink(target: node?.target ?? "")
      case .final: .final
      }
    steps.append(
      Step(
        action, path: node?.path ?? request.path, node: node, mount: mountPoint(of: index),
        wanted: wanted, outcome: outcome(finding, doubt, at: index), rule: finding.rule,
        note: note(finding, node)))
  }

  mutating func recordName(
    _ name: NameReference, in directory: Int32, isFinal: Bool, finding: Finding, doubt: MissingFact?
  ) {
    steps.append(
      Step(
        isFinal ? .final : .search, path: prepared.path(of: name, in: directory, request),
        node: nil, mount: mountPoint(of: directory), wanted: [],
        outcome: outcome(finding, doubt, at: directory), rule: finding.rule))
  }

  mutating func recordCreation(
    _ name: NameReference, in directory: Int32, finding: Finding, doubt: MissingFact?
  ) {
    let node = prepared.access.nodes[Int(directory)]
    let path = prepared.path(of: name, in: directory, request)
    let last = String(Substring(path.utf8.suffix(Int(name.count))))
    steps.append(
      Step(
        .create(name: last), path: node.path, node: node, mount: mountPoint(of: directory),
        wanted: [.write, .search], outcome: outcome(finding, doubt, at: directory),
        rule: finding.rule, note: note(finding, node)))
  }

  /// Returns a decision that contains the recorded steps.
  func decision(of progress: Progress, _ verdict: Verdict) -> Decision {
    let outcome: Outcome =
      switch verdict.outcome {
      case .granted: .granted
      case .denied(let errno): .denied(errno: errno)
      case .undecided(let doubt):
        .undecided(reason: prepared.reason(doubt, at: progress.doubtNode))
      }
    var decision = Decision(
      outcome: outcome, rule: verdict.rule, at: prepared.location(of: verdict, request))
    decision.entry = verdict.entry
    decision.allMatchingGroupsLack = verdict.allMatchingGroupsLack
    decision.steps = steps
    if decision.isGranted {
      decision.grounds = prepared.grounds(progress.node, progress)
    }
    return decision
  }

  private func mountPoint(of index: Int32) -> String? {
    guard index >= 0 else { return nil }
    let mount = Int(prepared.nodes[Int(index)].mount)
    return mount < prepared.access.mounts.count ? prepared.access.mounts[mount].at : nil
  }

  private func outcome(_ finding: Finding, _ doubt: MissingFact?, at index: Int32) -> Outcome {
    if finding.isDenied { return .denied(errno: finding.errno) }
    guard let doubt else { return .granted }
    return .undecided(reason: prepared.reason(doubt, at: index))
  }

  /// Returns the facts that the rule used, with numeric IDs.
  private func note(_ finding: Finding, _ node: Node?) -> String? {
    guard let node, let rule = finding.rule else { return nil }
    switch rule {
    case .modeOwner: return "the subject owns it and the owner has \(node.mode.class(6))"
    case .modeGroup:
      return "the subject is in group \(node.gid), which has \(node.mode.class(3))"
    case .modeOther:
      return
        "the subject is neither user \(node.uid) nor in group \(node.gid); "
        + "others have \(node.mode.class(0))"
    case .aclUser, .aclGroup, .aclMask, .aclOther:
      guard let list = node.acl, finding.entry >= 0, Int(finding.entry) < list.count else {
        return nil
      }
      let entry = list[Int(finding.entry)]
      let text = "entry \(entry.text) of the access control list"
      if rule == .aclMask { return "\(text) is cut down by mask \(node.mode.class(3))" }
      return finding.allMatchingGroupsLack ? "\(text) and other group entries match" : text
    default: return nil
    }
  }
}

extension UInt16 {
  /// Returns one class of a mode, such as `rw-`.
  fileprivate func `class`(_ shift: UInt16) -> String {
    Permissions(rawValue: UInt8(truncatingIfNeeded: (self >> shift) & 7)).description
  }
}
