extension UdevRuleOutcome.Verdict {
  fileprivate var isUndetermined: Bool {
    if case .undetermined = self { true } else { false }
  }
}

extension UdevRuleRun {
  /// Applies the lines of a file.
  mutating func apply(_ file: UdevRuleFile) {
    var index = 0
    // A jump may have skipped the lines before this index.
    var open = 0
    var jumper = place
    let lines = file.lines
    while index < lines.count {
      let line = lines[index]
      place = UdevRulePlace(path: file.path, line: line.number)
      certainty = index < open ? .maybe : .yes
      doubts = index < open ? [.line(jumper)] : []
      escaping = .usual
      let verdict = apply(line)
      if !isBrief || verdict.isUndetermined {
        report.outcomes.append(UdevRuleOutcome(place: place, verdict: verdict))
      }
      index += 1
      guard let target = line.target, unknownAccount(in: line) == nil else { continue }
      switch verdict {
      case .matched:
        for skipped in index..<target where !isBrief {
          report.outcomes.append(
            UdevRuleOutcome(
              place: UdevRulePlace(path: file.path, line: lines[skipped].number),
              verdict: .skipped(by: place)))
        }
        index = target
      case .undetermined:
        open = max(open, target)
        jumper = place
      default:
        break
      }
    }
  }

  private mutating func apply(_ line: UdevRuleLine) -> UdevRuleOutcome.Verdict {
    let concernsNode = !isRemoval && event.device.number != nil && line.concernsNode
    let namesInterface = !isRemoval && event.isInterface && line.namesInterface
    guard line.jump != nil || line.changesAnything || concernsNode || namesInterface else {
      return .irrelevant
    }
    let refused = unknownAccount(in: line)
    var isParentDone = false
    for token in line.tokens {
      if let refused, !token.key.isMatch || token.key.changesEvent {
        if token == refused { assign(token) }
      } else if token.key.isOfParents {
        guard !isParentDone else { continue }
        isParentDone = true
        if let mismatch = matchParents(line.tokens.filter(\.key.isOfParents)) {
          return .failed(mismatch)
        }
      } else if token.key.isMatch {
        let match = match(token, at: 0)
        if match.result == .no {
          return .failed(UdevRuleMismatch(token: token, found: match.found, device: 0))
        }
        weaken(match)
      } else {
        assign(token)
      }
    }
    return certainty == .yes ? .matched : .undetermined(doubts)
  }

  /// Returns the part with a user or group that makes udevd ignore the whole line.
  private func unknownAccount(in line: UdevRuleLine) -> UdevRuleToken? {
    let version = environment.version
    guard version.ignoresLinesWithUnknownAccounts else { return nil }
    return line.tokens.first { token in
      guard token.number == nil, token.value != "root" else { return false }
      let fact: UdevRuleFact<UInt32>?
      switch token.key {
      case .ownerID: fact = environment.users[token.value]
      case .groupID: fact = environment.groups[token.value]
      default: return false
      }
      return fact.map { fact in fact.value.map(version.ignores) ?? true } ?? false
    }
  }

  private mutating func weaken(_ match: UdevRuleMatch) {
    guard match.result == .maybe else { return }
    certainty = .maybe
    if let doubt = match.doubt, !doubts.contains(doubt) { doubts.append(doubt) }
  }

  /// Finds the nearest device that satisfies all of a line's matches on parents.
  ///
  /// - Returns: The match that fails; `nil` if a device satisfies all matches, or may do so.
  private mutating func matchParents(_ tokens: [UdevRuleToken]) -> UdevRuleMismatch? {
    let before = parent
    let reached = certainty
    var mismatch: UdevRuleMismatch?
    var most = -1
    var doubtful: UdevRuleMatch?
    var found: UdevRuleKnown<Int?> = .value(nil)
    search: for device in chain.indices {
      parent = .value(device)
      var count = 0
      var worst = UdevRuleMatch(.yes)
      for token in tokens {
        let match = match(token, at: device)
        if match.result == .no {
          if count > most {
            most = count
            mismatch = UdevRuleMismatch(token: token, found: match.found, device: device)
          }
          continue search
        }
        count += 1
        if match.result == .maybe { worst = match }
      }
      if worst.result == .maybe {
        doubtful = doubtful ?? worst
        continue
      }
      found = .value(device)
      if let doubt = doubtful?.doubt { found = .unknown(doubt) }
      parent = reached == .yes ? found : before.joined(found, lineDoubt)
      return nil
    }
    if let doubtful {
      parent = .unknown(doubtful.doubt ?? lineDoubt)
      weaken(doubtful)
      return nil
    }
    parent = reached == .yes ? found : before.joined(found, lineDoubt)
    return mismatch
  }
}
