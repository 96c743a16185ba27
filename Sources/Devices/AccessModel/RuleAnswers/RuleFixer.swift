/// Finds the smallest change that makes a line take effect, and proves it with the model.
struct RuleFixer {
  let facts: RuleFacts
  let action: String

  /// The maximum number of successive changes; each must remove an obstacle.
  private static let steps = 8

  /// A fix, with the facts after it has been applied.
  struct Result {
    let fix: RuleFix
    let facts: RuleFacts
    /// The file that contains the neighboring lines after the fix.
    let file: RuleFile
  }

  /// Returns the fix that makes a line take effect.
  ///
  /// - Parameters:
  ///   - numbers: The numbers of the lines that the rule spans.
  ///   - file: The file; udevd need not read it.
  /// - Returns: The fix; `nil` if no change is found that helps.
  func fix(_ numbers: ClosedRange<Int>, of file: RuleFile) -> RuleFix? {
    result(numbers, of: file)?.fix
  }

  /// Returns the fix and its result, as a basis for further fixes.
  func result(_ numbers: ClosedRange<Int>, of file: RuleFile) -> Result? {
    guard file.state == .rules, facts.device != nil else { return nil }
    var state = RuleFileState(file, numbers: numbers)
    state.written = text(of: state)
    // A line that only jumps has no effect on a device. If it took effect, the lines up to its
    // label would be skipped.
    guard state.written?.onlyJumps != true else { return nil }
    state.meant = state.written
    var titles: [String] = []
    place(&state, &titles)
    for _ in 0..<Self.steps {
      let after = state.applied(to: facts)
      guard let proof = RuleProof(after, action: action, state.place) else { return nil }
      guard let obstacle = obstacle(proof, titles) else { return finished(state, titles) }
      guard let title = step(&state, past: obstacle, proof) else { return nil }
      // Only the last of several names counts.
      if title.hasPrefix(Self.renaming) { titles.removeAll { $0.hasPrefix(Self.renaming) } }
      titles.append(title)
    }
    return nil
  }

  /// Returns the obstacle that still prevents a line from taking effect.
  private func obstacle(_ proof: RuleProof, _ titles: [String]) -> RuleProof.Obstacle? {
    let file = proof.facts.rules.files.first { $0.path == proof.place.path }
    if file?.cut(ofLine: proof.place.line) != nil { return .absent }
    return titles.isEmpty ? proof.obstacleButNames : proof.obstacleToAccess
  }

  private func finished(_ state: RuleFileState, _ titles: [String]) -> Result? {
    var titles = titles
    var state = state
    guard bound(&state, &titles) else { return nil }
    let after = state.applied(to: facts)
    guard let proof = RuleProof(after, action: action, state.place),
      obstacle(proof, titles) == nil
    else { return nil }
    let change = RuleProof(after, action: "change", state.place)
    let works = change.map { obstacle($0, titles) == nil } ?? true
    let event = RuleEvent(facts: after, action: works ? "change" : action)
    if state.isOnlyRenewed {
      titles.append("reload the udev rules")
    }
    var title = titles.joined(separator: "; ")
    if title.isEmpty { title = "Reload the udev rules, and have udev handle the device" }
    var outcome = RuleFix.Outcome(proof.report)
    outcome.groupName = state.renumbered?.group ?? state.group
    if let (group, id) = state.renumbered {
      outcome.renumbered = id
      outcome.formerGroup = facts.environment.groups[group]?.value
    }
    let fix = RuleFix(
      title.prefix(1).uppercased() + title.dropFirst(), state.commands + event.commands,
      line: state.text?.text, isProven: proof.obstacle == nil,
      outcome: outcome)
    let file = (state.isAlone ? nil : after.file(at: state.path)) ?? state.original
    return Result(fix: fix, facts: after, file: file)
  }

  // MARK: - One step

  /// Removes an obstacle and returns the title of the change; `nil` if no change is known to help.
  private func step(
    _ state: inout RuleFileState, past obstacle: RuleProof.Obstacle, _ proof: RuleProof
  ) -> String? {
    switch obstacle {
    case .absent: return mendText(&state)
    case .failed(let mismatch):
      if let later = proof.laterCause(of: mismatch),
        let title = rename(&state, "so that udev reads it after \(later)")
      {
        return title
      }
      if let title = copy(&state, mismatch, proof) { return title }
      return mend(&state, mismatch, proof)
    case .skipped(let by):
      guard separate(&state) else { return nil }
      state.folder = "/etc/udev/rules.d"
      state.name = freeName(Self.stem(state.name) + "-own.rules", state)
      return "put the rule into a new file, \(state.name), because \(by) skips it"
    case .overwritten(_, let by): return rename(&state, "so that udev reads it after \(by)")
    case .fixed(let effect, let by): return fix(&state, effect, before: by)
    case .tooLate(_, let after): return rename(&state, "so that udev reads it before \(after)")
    case .noSuchName(let effect): return addGroup(&state, effect) ?? tagInstead(&state, effect)
    case .ordinaryAccount(let effect, _):
      return renumberGroup(&state, effect) ?? tagInstead(&state, effect)
    case .invalidMode(let effect): return writeMode(&state, effect)
    case .missingProgram(let effect, let name): return writePath(&state, effect, name)
    case .nodeName(let token): return writeLink(&state, token)
    case .irrelevant, .undetermined: return nil
    }
  }
}
