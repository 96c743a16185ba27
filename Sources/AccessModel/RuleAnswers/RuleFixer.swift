/// Looks for the smallest change that makes a line take effect, and proves it with the model.
struct RuleFixer {
  let facts: RuleFacts
  let action: String

  /// Changes are tried one after the other; each must bring the line further.
  private static let steps = 8

  /// Looks for what makes a line take effect.
  ///
  /// - Parameters:
  ///   - numbers: The lines that it is written on.
  ///   - file: The file, which need not be one that udevd reads.
  /// - Returns: The fix; `nil` where no change is found that helps.
  func fix(_ numbers: ClosedRange<Int>, of file: RuleFile) -> RuleFix? {
    guard file.state == .rules, facts.device != nil else { return nil }
    var state = RuleFileState(file, numbers: numbers)
    var titles: [String] = []
    place(&state, &titles)
    for _ in 0..<Self.steps {
      let after = state.applied(to: facts)
      guard let proof = RuleProof(after, action: action, state.place) else { return nil }
      guard let obstacle = proof.obstacle else { return finished(state, after, titles) }
      guard let title = step(&state, past: obstacle, proof) else { return nil }
      titles.append(title)
    }
    return nil
  }

  private func finished(
    _ state: RuleFileState, _ after: RuleFacts, _ titles: [String]
  ) -> RuleFix {
    let works = RuleProof(after, action: "change", state.place)?.obstacle == nil
    let event = RuleEvent(facts: after, action: works ? "change" : action)
    var title = titles.joined(separator: "; ")
    if title.isEmpty { title = "Let udev read its rules again and handle the device" }
    return RuleFix(
      title.prefix(1).uppercased() + title.dropFirst(), state.commands + event.commands,
      line: state.text?.text, isProven: true)
  }

  // MARK: - Where the file lies

  /// Puts the file where udevd reads it.
  private func place(_ state: inout RuleFileState, _ titles: inout [String]) {
    let folder = "/etc/udev/rules.d"
    if !UdevRuleFileChoice.folders.contains(state.folder) {
      state.folder = folder
      titles.append("put the file into \(folder)")
    }
    if !state.name.hasSuffix(".rules") || state.name.hasPrefix(".") {
      state.name = Self.readableName(state.name)
      titles.append("name the file \(state.name)")
    }
    let after = state.applied(to: facts)
    guard let reason = after.choice.excluded.first(where: { $0.file.path == state.path })?.reason
    else { return }
    switch reason {
    case .masked(let mask):
      state.mask = mask
      titles.append("remove \(mask), which hides the file")
    case .replaced(let other):
      state.name = Self.stem(state.name) + "-local.rules"
      titles.append("name the file \(state.name), because \(other) takes its place")
    case .suffix, .empty: break
    }
  }

  /// The name with the ending that udevd wants.
  static func readableName(_ name: String) -> String {
    if name.hasPrefix(".") { return readableName(String(name.dropFirst())) }
    if name.hasSuffix(".rules") { return name }
    if let end = name.utf8.firstPlace(of: ".rules.".utf8)?.lowerBound {
      return String(name[..<end]) + ".rules"
    }
    for ending in [".rule", ".conf", ".txt", ".udev", ".rules~", "~"] where name.hasSuffix(ending) {
      return String(name.dropLast(ending.count)) + ".rules"
    }
    return name + ".rules"
  }

  private static func stem(_ name: String) -> String {
    name.hasSuffix(".rules") ? String(name.dropLast(6)) : name
  }

  // MARK: - One step

  /// Changes what keeps the line from its effect; `nil` where nothing is known to.
  private func step(
    _ state: inout RuleFileState, past obstacle: RuleProof.Obstacle, _ proof: RuleProof
  ) -> String? {
    switch obstacle {
    case .absent: return mendText(&state)
    case .failed(let mismatch):
      if let later = proof.laterCause(of: mismatch),
        let title = rename(&state, "so that it comes after \(later)")
      {
        return title
      }
      return mend(&state, mismatch, proof)
    case .skipped(let by):
      guard let text = text(of: state) else { return nil }
      state.separate(text)
      state.folder = "/etc/udev/rules.d"
      state.name = Self.stem(state.name) + "-own.rules"
      return "put the rule into a file of its own, \(state.name), because \(by) leads past it"
    case .overwritten(_, let by): return rename(&state, "so that it comes after \(by)")
    case .fixed(let effect, let by): return fix(&state, effect, before: by)
    case .tooLate(_, let after): return rename(&state, "so that it comes before \(after)")
    case .noSuchName(let effect): return addGroup(&state, effect)
    case .invalidMode(let effect): return writeMode(&state, effect)
    case .irrelevant, .undetermined: return nil
    }
  }

  /// The rule as it is written now; `nil` where its lines cannot be changed one by one.
  private func text(of state: RuleFileState) -> RuleLineText? {
    state.text ?? state.line.flatMap { RuleLineText($0) }
  }

  /// Writes a line that udevd ignores so that it can be read.
  private func mendText(_ state: inout RuleFileState) -> String? {
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
  private func addGroup(_ state: inout RuleFileState, _ effect: UdevRuleEffect) -> String? {
    let name = effect.token.value
    guard effect.subject == .group, state.group == nil, name.isAccountName else { return nil }
    state.group = name
    return "make the group \(name), to which nobody belongs yet"
  }

  private func writeMode(_ state: inout RuleFileState, _ effect: UdevRuleEffect) -> String? {
    guard let text = text(of: state), let mode = RuleMode.octal(effect.token.value) else {
      return nil
    }
    let part = "MODE\(effect.token.comparison.rawValue)\"\(mode)\""
    guard let changed = text.replacing(effect.token, with: part) else { return nil }
    state.rewrite(changed)
    return "write \(part) in the place of \(effect.token)"
  }

  private func mend(
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
  private func fix(
    _ state: inout RuleFileState, _ effect: UdevRuleEffect, before place: UdevRulePlace
  ) -> String? {
    guard [.owner, .group, .mode].contains(effect.subject), let text = text(of: state),
      let changed = text.replacing(
        effect.token, with: "\(effect.token.key.word):=\"\(effect.token.value)\"")
    else { return nil }
    state.rewrite(changed)
    return rename(&state, "so that it comes before \(place)")
  }

  // MARK: - Its number

  /// Gives the file a number with which the line takes effect, or the rule a file of its own.
  private func rename(_ state: inout RuleFileState, _ purpose: String) -> String? {
    let stem = Self.stem(state.name)
    let rest = stem.drop { $0.isASCII && $0.isNumber }.drop { $0 == "-" || $0 == "_" }
    let word = rest.isEmpty ? "local" : String(rest)
    let hasOthers =
      facts.rules.files.first { $0.path == state.original.path }
      .map { $0.lines.count > 1 } ?? false
    for number in ["72", "71", "70", "65", "60", "80", "90", "99", "40", "20", "05", "zz"] {
      var next = state
      if hasOthers, !next.isAlone {
        guard let text = text(of: next) else { return nil }
        next.separate(text)
      }
      next.folder = "/etc/udev/rules.d"
      next.name = "\(number)-\(word).rules"
      guard facts.file(at: next.path) == nil,
        let proof = RuleProof(next.applied(to: facts), action: action, next.place),
        proof.obstacle == nil
      else { continue }
      state = next
      return next.isAlone
        ? "put the rule into a file of its own, \(next.name), \(purpose)"
        : "name the file \(next.name), \(purpose)"
    }
    return nil
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

extension Collection where Element: Equatable {
  /// Where a sequence first occurs.
  fileprivate func firstPlace(of other: some Collection<Element>) -> Range<Index>? {
    var start = startIndex
    while start != endIndex {
      if self[start...].starts(with: other) {
        return start..<index(start, offsetBy: other.count)
      }
      formIndex(after: &start)
    }
    return nil
  }
}
