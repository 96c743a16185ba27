/// How a rule is written.
extension RuleFixer {
  /// The rule as it is written now; `nil` where its lines cannot be changed one by one.
  func text(of state: RuleFileState) -> RuleLineText? {
    state.text ?? state.line.flatMap { RuleLineText($0) }
  }

  /// Writes a line that udevd ignores so that it can be read.
  func mendText(_ state: inout RuleFileState) -> String? {
    guard state.text == nil, let line = state.line else { return nil }
    var titles: [String] = []
    var text = RuleLineText(line)
    if text == nil {
      text = RuleLineText(mending: line)
      titles.append("write the line so that udevd can read it")
    }
    guard let text else { return nil }
    let renamed = text.renamingKeys(facts.version)
    for (old, new) in zip(text.parts, renamed.parts) where old.key != new.key {
      titles.append("write \(words(new.key)) in the place of \(words(old.key))")
    }
    let changed = renamed.comparing.assigning
    if changed.text != renamed.text { titles.append("compare with ==, and assign with = or +=") }
    guard !titles.isEmpty else { return nil }
    state.rewrite(changed)
    return titles.joined(separator: "; ")
  }

  private func words(_ key: [UInt8]) -> String { ByteText(bytes: key).text }

  /// Makes a group that the line names; who belongs to it, the administrator decides.
  func addGroup(_ state: inout RuleFileState, _ effect: UdevRuleEffect) -> String? {
    let name = effect.token.value
    guard effect.subject == .group, state.group == nil, name.isAccountName else { return nil }
    state.group = name
    return "make the group \(name), to which nobody belongs yet"
  }

  func writeMode(_ state: inout RuleFileState, _ effect: UdevRuleEffect) -> String? {
    guard let text = text(of: state), let mode = RuleMode.octal(effect.token.value) else {
      return nil
    }
    let part = "MODE\(effect.token.comparison.rawValue)\"\(mode)\""
    guard let changed = text.replacing(effect.token, with: part) else { return nil }
    state.rewrite(changed)
    return "write \(part) in the place of \(effect.token)"
  }

  func mend(
    _ state: inout RuleFileState, _ mismatch: UdevRuleMismatch, _ proof: RuleProof
  ) -> String? {
    guard let text = text(of: state) else { return nil }
    var best: (state: RuleFileState, title: String)?
    let candidates = RuleMend(facts: facts, report: proof.report).candidates(for: mismatch)
    for candidate in candidates where candidate != mismatch.token.description {
      guard let changed = text.replacing(mismatch.token, with: candidate) else { continue }
      var next = state
      next.rewrite(changed)
      let title =
        candidate.map { "write \($0) in the place of \(mismatch.token)" }
        ?? "leave out \(mismatch.token)"
      let obstacle = RuleProof(next.applied(to: facts), action: action, next.place)?.obstacle
      switch obstacle {
      case nil:
        state = next
        return title
      case .failed(let other)
      where other.token == mismatch.token || other.token.description == candidate: continue
      case .absent: continue
      default: best = best ?? (next, title)
      }
    }
    guard let best else { return leaveOut(&state, text, mismatch, proof) }
    state = best.state
    return best.title
  }

  /// Leaves out a match that another parent satisfies than the one that has the attributes.
  private func leaveOut(
    _ state: inout RuleFileState, _ text: RuleLineText, _ mismatch: UdevRuleMismatch,
    _ proof: RuleProof
  ) -> String? {
    guard mismatch.token.key.isOfParents else { return nil }
    let others: Set<UdevRuleKey> = [.parentKernel, .parentSubsystem, .parentDriver]
    for token in proof.line(at: state.place)?.tokens ?? [] where others.contains(token.key) {
      guard let changed = text.replacing(token, with: nil) else { continue }
      var next = state
      next.rewrite(changed)
      let after = RuleProof(next.applied(to: facts), action: action, next.place)
      guard let after, after.obstacle == nil else { continue }
      state = next
      return "leave out \(token), which another parent has than the one of \(mismatch.token)"
    }
    return nil
  }

  /// What a line fixes with := only an earlier line can decide, which fixes it as well.
  func fix(
    _ state: inout RuleFileState, _ effect: UdevRuleEffect, before place: UdevRulePlace
  ) -> String? {
    guard [.owner, .group, .mode].contains(effect.subject), let text = text(of: state),
      let changed = text.replacing(
        effect.token, with: "\(effect.token.key.word):=\"\(effect.token.value)\"")
    else { return nil }
    state.rewrite(changed)
    return rename(&state, "so that it comes before \(place)")
  }
}

extension UdevRuleText {
  /// Whether groupadd(8) takes it.
  fileprivate var isAccountName: Bool {
    guard let first = bytes.first, bytes.count <= 32, !first.isDecimal else { return false }
    return bytes.allSatisfy {
      (0x61...0x7A).contains($0) || $0.isDecimal || $0 == .underscore || $0 == UInt8(ascii: "-")
    } && first != UInt8(ascii: "-")
  }
}
