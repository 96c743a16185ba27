/// A type that receives every check that the engine makes.
///
/// The engine is generic over its recorder, so the same code computes a verdict, which records
/// nothing, and a decision, which records every step.
protocol DecisionRecorder {
  mutating func record(_ check: RecordedCheck)
}

/// A check that the engine made, and its result.
struct RecordedCheck {
  /// The object of a check; nodes are indices, or -1 for none.
  enum Matter {
    /// A node, and the permissions that the check required.
    case node(RecordedKind, Int32, Permissions)
    /// A name that does not exist, is too long, or may or may not exist.
    case name(NameReference, directory: Int32, isFinal: Bool)
    /// A name to create in a directory.
    case creation(NameReference, directory: Int32)
  }

  var matter: Matter
  var finding: Finding
  /// The missing fact that makes the result uncertain, if any.
  var doubt: MissingFact?

  /// The final object; `nil` if the walk ended before it.
  var object: Int32? {
    if case .node(.final, let node, _) = matter, node >= 0 { node } else { nil }
  }

  /// The directory in which the name would be created; `nil` if creation was not checked.
  var creationDirectory: Int32? {
    if case .creation(_, let directory) = matter { directory } else { nil }
  }
}

/// The purpose of a recorded check.
enum RecordedKind {
  case search
  case followLink
  case final
}

/// A recorder that discards every check at no cost.
struct NoRecorder: DecisionRecorder {
  @inline(__always)
  mutating func record(_ check: RecordedCheck) {}
}

/// A recorder that keeps every check, or only the last one, which is the one that decided.
///
/// A counterfactual needs only the end of a decision, so the earlier checks are not kept.
struct CheckRecorder: DecisionRecorder {
  let keepsAll: Bool
  private(set) var earlier: [RecordedCheck] = []
  private(set) var last: RecordedCheck?

  init(keepsAll: Bool) {
    self.keepsAll = keepsAll
  }

  mutating func record(_ check: RecordedCheck) {
    if keepsAll, let last { earlier.append(last) }
    last = check
  }
}

/// Checks and verdicts in words.
extension PreparedCase {
  /// Returns a check as a step of a decision.
  func step(_ check: RecordedCheck, _ request: Request) -> Step {
    switch check.matter {
    case .node(let kind, let index, let wanted):
      let node = index < 0 ? nil : access.nodes[Int(index)]
      let action: Step.Action =
        switch kind {
        case .search: .search
        case .followLink: .followLink(target: node?.target ?? "")
        case .final: .final
        }
      return Step(
        action, path: node?.path ?? request.path, node: node, mount: mountPoint(of: index),
        wanted: wanted, outcome: outcome(of: check, at: index), rule: check.finding.rule,
        note: note(check.finding, node))
    case .name(let name, let directory, let isFinal):
      return Step(
        isFinal ? .final : .search, path: path(of: name, in: directory, request), node: nil,
        mount: mountPoint(of: directory), wanted: [], outcome: outcome(of: check, at: directory),
        rule: check.finding.rule)
    case .creation(let name, let directory):
      let node = access.nodes[Int(directory)]
      let path = path(of: name, in: directory, request)
      let last = String(Substring(path.utf8.suffix(Int(name.count))))
      return Step(
        .create(name: last), path: node.path, node: node, mount: mountPoint(of: directory),
        wanted: [.write, .search], outcome: outcome(of: check, at: directory),
        rule: check.finding.rule, note: note(check.finding, node))
    }
  }

  private func mountPoint(of index: Int32) -> String? {
    guard index >= 0 else { return nil }
    let mount = Int(nodes[Int(index)].mount)
    return mount < access.mounts.count ? access.mounts[mount].at : nil
  }

  private func outcome(of check: RecordedCheck, at index: Int32) -> Outcome {
    let finding = check.finding
    if finding.isDenied { return .denied(errno: finding.errno) }
    guard let doubt = check.doubt else { return .granted }
    return .undecided(reason: reason(doubt, at: index))
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

extension PreparedCase {
  /// Returns a verdict in words, as a decision without steps and grounds.
  func decision(of verdict: Verdict, _ request: Request) -> Decision {
    let outcome: Outcome =
      switch verdict.outcome {
      case .granted: .granted
      case .denied(let errno): .denied(errno: errno)
      case .undecided(let doubt):
        .undecided(reason: reason(doubt, at: Int32(clamping: verdict.node ?? -1)))
      }
    var decision = Decision(
      outcome: outcome, rule: verdict.rule, at: location(of: verdict, request))
    decision.entry = verdict.entry
    decision.allMatchingGroupsLack = verdict.allMatchingGroupsLack
    return decision
  }

  /// Returns the canonical path at which a verdict was reached.
  func location(of verdict: Verdict, _ request: Request) -> String? {
    guard let node = verdict.node else { return nil }
    let index = Int32(truncatingIfNeeded: node)
    guard let name = verdict.name else { return path(of: index) }
    return path(of: name, in: index, request)
  }

  /// Returns the path of a name in a directory.
  func path(of name: NameReference, in directory: Int32, _ request: Request) -> String {
    let text: Substring.UTF8View
    if name.source < 0 {
      text = request.path.utf8.dropFirst(Int(name.start)).prefix(Int(name.count))
    } else {
      let target = access.nodes[Int(name.source)].target ?? ""
      text = target.utf8.dropFirst(Int(name.start)).prefix(Int(name.count))
    }
    let parent = path(of: directory)
    return (parent == "/" ? "/" : parent + "/") + String(Substring(text))
  }

  /// Returns a missing fact as one clause that names the object.
  func reason(_ doubt: MissingFact, at index: Int32) -> String {
    guard index >= 0 else { return doubt.reason }
    let place = path(of: index)
    if doubt == .filesystem {
      let mount = Int(nodes[Int(index)].mount)
      guard mount < access.mounts.count, !access.mounts[mount].isUnknown else {
        return "the mount was not observed that \(place) is on"
      }
      return "\(doubt.reason): \(place) is on \(access.mounts[mount].fstype)"
    }
    return "\(doubt.reason): \(place)"
  }

  /// Returns every rule that would by itself grant the permissions that were requested on the
  /// object.
  func grounds(_ index: Int32, _ progress: Progress) -> [Rule] {
    guard index >= 0 else { return [] }
    if progress.finding.rule == .openPathNoCheck { return [.openPathNoCheck] }
    let node = nodes[Int(index)]
    var rules: [Rule] = []
    let result = discretionaryAccess(node, progress.wanted, progress.credentials)
    if !result.canDeny, let rule = result.finding.rule { rules.append(rule) }
    for rule in [Rule.readAndSearch, .overrideFileAccess]
    where isSufficient(rule, node, progress.wanted, progress.credentials) == .yes {
      rules.append(rule)
    }
    return rules
  }
}

extension ACLEntry {
  /// The entry in the format of getfacl(1) with numeric IDs, such as `user:1000:rw-`.
  public var text: String {
    "\(tag.word):\(id.map { String($0) } ?? ""):\(permissions)"
  }
}
