internal import UdevRules

/// Finds rules that match a device by its identity but have had no effect on it.
struct IneffectiveRules {
  let search: RuleSearch
  let review: RuleReview
  /// The current tags of the device; `nil` if unknown.
  let tags: Set<UdevRuleText>?
  /// The kernel names of other devices.
  ///
  /// A rule that names one of them is for that device.
  let others: Set<UdevRuleText>

  /// A rule for another model of the same vendor.
  struct Sibling: Hashable, Sendable {
    let place: UdevRulePlace
    /// The match with the ID of the other model.
    let match: UdevRuleToken
  }

  /// The rules in order of relevance, and the nearest rule for another model.
  struct Result {
    var verdicts: [RuleVerdict] = []
    var sibling: Sibling?
  }

  private struct Candidate {
    let file: String
    let line: Int
    /// The rank; lower ranks come first.
    let rank: Int
    /// A Boolean value that indicates whether to report the rule even if one of its matches fails.
    let mayFail: Bool
    var isPending = false
    /// The number of matches that do not hold; matches on another kind of node count more.
    var distance = 0
  }

  /// The maximum number of rules to report.
  private static let most = 4

  private var facts: RuleFacts { search.facts }
  private var report: UdevRuleReport? { search.report }
  private var node: Node? { review.node }

  /// Examines the rules.
  ///
  /// If no daemon runs, the result is empty.
  func result() -> Result {
    var result = Result()
    guard facts.daemon.isReachable != false, search.action != "remove" else { return result }
    let identity = RuleIdentity(facts, others: others)
    var candidates = read(identity, &result.sibling)
    candidates += unread(identity, &result.sibling)
    candidates += replaced(identity)
    let order = candidates.indices.sorted {
      (candidates[$0].rank, candidates[$0].distance, $0)
        < (candidates[$1].rank, candidates[$1].distance, $1)
    }
    for index in order {
      guard result.verdicts.count < Self.most else { break }
      if let verdict = verdict(candidates[index]) { result.verdicts.append(verdict) }
    }
    return result
  }

  // MARK: - Files that udevd reads

  private func read(_ identity: RuleIdentity, _ sibling: inout Sibling?) -> [Candidate] {
    var outcomes: [UdevRulePlace: UdevRuleOutcome.Verdict] = [:]
    for outcome in report?.outcomes ?? [] { outcomes[outcome.place] = outcome.verdict }
    var found: [Candidate] = []
    for file in facts.rules.files {
      let isOwn = RuleFile.isOwn(file.path)
      for line in file.lines where line.grants {
        let place = UdevRulePlace(path: file.path, line: line.number)
        guard file.cut(ofLine: line.number) == nil else { continue }
        let tie = identity.tie(of: line)
        if case .sibling(let match) = tie {
          sibling = sibling ?? Sibling(place: place, match: match)
          continue
        }
        guard let rank = Self.rank(tie),
          let concern = concern(outcomes[place], tie, place, line, identity),
          concern.isLate || !isFulfilled(line)
        else { continue }
        found.append(
          Candidate(
            file: file.path, line: line.number, rank: rank + (isOwn ? 0 : 20) + concern.rank,
            mayFail: true, isPending: concern.isPending, distance: distance(of: line)))
      }
      found += broken(file, identity, rank: isOwn ? 1 : 21)
    }
    return found
  }

  /// Returns the number of the line's matches that do not hold; matches on another kind of node
  /// count more.
  private func distance(of line: UdevRuleLine) -> Int {
    guard let device = facts.device else { return 0 }
    return line.tokens.reduce(0) { sum, token in
      let devices: [UdevRuleDevice]
      switch token.key {
      case .subsystem, .kernel, .attribute: devices = [device]
      case .parentSubsystem, .parentKernel, .parentAttribute: devices = facts.chain
      default: return sum
      }
      if devices.contains(where: { $0.isAccepted(by: token) }) { return sum }
      // A line for another kind of node of the same hardware correctly ignores this node.
      return sum + ([.subsystem, .kernel].contains(token.key) ? 10 : 1)
    }
  }

  private static func rank(_ tie: RuleIdentity.Tie) -> Int? {
    switch tie {
    case .own: 0
    case .kind: 4
    case .subsystem: 6
    case .former: 7
    case .sibling, .other: nil
    }
  }

  /// A reason to report a line.
  private struct Concern {
    /// The rank; lower ranks come first.
    let rank: Int
    /// A Boolean value that indicates whether the line takes effect at the next event.
    var isPending = false
    /// A Boolean value that indicates whether the line sets the tag after the line that acts on it.
    var isLate = false
  }

  /// Returns the reason to report a line, or `nil` if there is none.
  private func concern(
    _ outcome: UdevRuleOutcome.Verdict?, _ tie: RuleIdentity.Tie, _ place: UdevRulePlace,
    _ line: UdevRuleLine, _ identity: RuleIdentity
  ) -> Concern? {
    let isOwn = RuleFile.isOwn(place.path)
    guard facts.device != nil else {
      return facts.staticModule != nil && identity.holds(for: line) ? Concern(rank: 0) : nil
    }
    switch outcome {
    case .failed(let mismatch):
      return isUnexpected(mismatch, tie, isOwn: isOwn) ? Concern(rank: 2) : nil
    case .skipped: return tie == .own && isOwn ? Concern(rank: 2) : nil
    case .matched:
      guard let report else { return nil }
      let proof = RuleProof(facts, report, place)
      switch proof.obstacleButNames {
      case nil: return isMissing(proof.lasting) ? Concern(rank: 0, isPending: true) : nil
      case .overwritten, .fixed: return isOwn ? Concern(rank: 1) : nil
      case .noSuchName, .ordinaryAccount, .invalidMode:
        // The tag of the line gives the access that the group was meant to give.
        return tags?.contains("uaccess") == true ? nil : Concern(rank: 1)
      case .tooLate: return Concern(rank: 1, isLate: true)
      case .missingProgram, .nodeName: return isOwn ? Concern(rank: 1) : nil
      case .absent, .failed, .skipped, .irrelevant, .undetermined: return nil
      }
    case .undetermined, .irrelevant, nil: return nil
    }
  }

  /// Returns whether the line is for this device, which makes its failing match a mistake.
  private func isUnexpected(
    _ mismatch: UdevRuleMismatch, _ tie: RuleIdentity.Tie, isOwn: Bool
  ) -> Bool {
    let key = mismatch.token.key
    switch tie {
    case .own: return isOwn || key != .action
    case .kind:
      return isOwn && [.subsystem, .parentSubsystem, .driver, .parentDriver].contains(key)
    case .former: return isOwn
    case .subsystem, .sibling, .other: return false
    }
  }

  // MARK: - Lines and files that udevd does not read

  private func broken(
    _ file: UdevRuleFile, _ identity: RuleIdentity, rank offset: Int
  ) -> [Candidate] {
    let numbers = Set(
      file.problems.filter { $0.consequence == .ignoresLine }.map(\.line)
    ).subtracting(file.lines.map(\.number))
      .union(file.lines.map(\.number).filter { file.cut(ofLine: $0) != nil })
    guard !numbers.isEmpty, let bytes = facts.file(at: file.path)?.bytes else { return [] }
    var found: [Candidate] = []
    var reader = UdevRuleLineReader(bytes)
    while let item = reader.next(), found.count < Self.most {
      guard case .line(let line) = item, numbers.contains(line.numbers.lowerBound),
        let meant = RuleFixer.corrected(line.text, facts.version)?.text.text
      else { continue }
      let corrected = UdevRuleFile(
        path: file.path, bytes: Array(meant.utf8), version: facts.version)
      guard let rule = corrected.lines.first, rule.grants, !isFulfilled(rule),
        let rank = Self.rank(identity.tie(of: rule))
      else { continue }
      found.append(
        Candidate(
          file: file.path, line: line.numbers.lowerBound, rank: rank + offset,
          mayFail: rank == 0))
    }
    return found
  }

  private func unread(_ identity: RuleIdentity, _ sibling: inout Sibling?) -> [Candidate] {
    let read = Set(facts.choice.read.map(\.name))
    let suffixed = Set(
      facts.choice.excluded.filter { $0.reason == .suffix }.map(\.file.path).map(PathKey.init))
    let files = facts.files.filter { file in
      file.state == .rules
        && (suffixed.contains(PathKey(file.path)) || file.name.begins(with: ".")
          || !UdevRuleFileChoice.isRead(file.folder, by: facts.version))
        && !file.folder.hasPrefix("/usr/lib/") && !file.folder.hasPrefix("/lib/")
        // Skip a copy of a file that udevd reads, such as an editor's backup.
        && !read.contains(RuleFixer.readableName(file.name))
    }
    var found: [Candidate] = []
    for file in files.prefix(64) {
      let parsed = UdevRuleFile(path: file.path, bytes: file.bytes, version: facts.version)
      for line in parsed.lines where line.grants && !isFulfilled(line) {
        let tie = identity.tie(of: line)
        guard let rank = Self.rank(tie) else { continue }
        found.append(
          Candidate(file: file.path, line: line.number, rank: rank, mayFail: tie == .own))
      }
    }
    return found
  }

  /// Returns the lines of package files that are replaced by other files with the same name.
  private func replaced(_ identity: RuleIdentity) -> [Candidate] {
    var found: [Candidate] = []
    for excluded in facts.choice.excluded.prefix(64) {
      guard case .replaced(let other) = excluded.reason, RuleFile.isOwn(other),
        let file = facts.file(at: excluded.file.path), !file.isOwn
      else { continue }
      let parsed = UdevRuleFile(path: file.path, bytes: file.bytes, version: facts.version)
      for line in parsed.lines where line.grants && !isFulfilled(line) {
        let tie = identity.tie(of: line)
        guard tie == .own || tie == .kind || tie == .subsystem, let rank = Self.rank(tie) else {
          continue
        }
        found.append(
          Candidate(file: file.path, line: line.number, rank: rank + 10, mayFail: false))
      }
    }
    return found
  }

  // MARK: - Verdicts

  private func verdict(_ candidate: Candidate) -> RuleVerdict? {
    let rule = RuleReference(file: candidate.file, line: candidate.line)
    let (verdicts, ofFile) = search.answer(rule)
    guard var verdict = verdicts.first else { return nil }
    if candidate.isPending {
      let finding = review.pending(rule, at: verdict.place)
      return RuleVerdict(
        place: verdict.place, text: verdict.text, effect: .ineffective, mismatch: nil,
        finding: finding)
    }
    guard candidate.mayFail || verdict.finding?.code != .mismatch else { return nil }
    if verdict.isPartial, let report {
      let proof = RuleProof(facts, report, verdict.place)
      if case .noSuchName(let effect) = proof.obstacle, isMissing(proof.lasting) {
        // The device contradicts the version that was assumed.
        let kind = effect.subject == .owner ? "user" : "group"
        verdict.isPartial = false
        verdict.finding = RuleFinding(
          .noSuchName, at: verdict.place,
          """
          udevd seems to ignore the whole line, because there is no \(kind) \
          \(effect.token.value.exact): the device lacks what the other parts set.
          """, fix: verdict.finding?.fix)
      }
    }
    if let first = ofFile.first {
      var finding = first
      finding.fix = finding.fix ?? verdict.finding?.fix
      verdict.finding = finding
    }
    return verdict.finding == nil ? nil : verdict
  }

  // MARK: - The node

  /// Returns whether the node already has everything that a line sets.
  private func isFulfilled(_ line: UdevRuleLine) -> Bool {
    guard let node else { return false }
    let environment = facts.environment
    func has(_ id: UInt32, _ fact: UdevRuleFact<UInt32>?, _ token: UdevRuleToken) -> Bool {
      if let number = token.number { return number == Int64(id) }
      // A name whose ID is unknown may belong to any account except root.
      guard let fact else { return (token.value == "root") == (id == 0) }
      return fact.value == id
    }
    return line.tokens.allSatisfy { token in
      switch token.key {
      case .mode, .modeID:
        guard let mode = token.number else { return false }
        return review.isSame(UInt16(truncatingIfNeeded: mode), node)
      case .owner, .ownerID: return has(node.uid, environment.users[token.value], token)
      case .group, .groupID: return has(node.gid, environment.groups[token.value], token)
      case .addTag where token.value == "uaccess": return tags?.contains("uaccess") ?? false
      case .runProgram: return false
      default: return true
      }
    }
  }

  /// Returns whether the node lacks a value that a line sets.
  private func isMissing(_ effects: [UdevRuleEffect]) -> Bool {
    guard let node, let made = report?.node, node.unobserved.isDisjoint(with: [.status, .acl])
    else { return false }
    return effects.contains { effect in
      switch effect.subject {
      case .mode:
        (made.mode.known ?? nil).map {
          !review.isSame(UInt16(truncatingIfNeeded: $0), node)
        } ?? false
      case .group: (made.group.known ?? nil).map { $0 != node.gid } ?? false
      case .owner: (made.owner.known ?? nil).map { $0 != node.uid } ?? false
      case .tag(let tag) where tag == "uaccess": tags.map { !$0.contains(tag) } ?? false
      default: false
      }
    }
  }
}

extension UdevRuleLine {
  /// A Boolean value that indicates whether the line can give access to users other than root.
  var grants: Bool {
    tokens.contains { token in
      switch token.key {
      case .owner, .ownerID, .group, .groupID: token.number != 0 && token.value != "root"
      case .mode, .modeID: token.number.map { $0 & 0o066 != 0 } ?? true
      case .addTag: token.value == "uaccess" && token.comparison != .remove
      case .runProgram: token.value.changesNodes
      default: false
      }
    }
  }
}

extension UdevRuleText {
  /// A Boolean value that indicates whether a command runs a program that changes node permissions.
  var changesNodes: Bool {
    exact.split { " /'\"".contains($0) }.contains { RuleProof.nodePrograms.contains(String($0)) }
  }
}
