internal import UdevRules

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
    if title.isEmpty { title = "Reload the udev rules, and have udev process the device again" }
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
    case .absent: return correctText(&state)
    case .failed(let mismatch):
      if let later = proof.laterCause(of: mismatch),
        let title = rename(&state, "so that udev reads it after \(later.path)")
      {
        return title
      }
      if let title = copy(&state, mismatch, proof) { return title }
      return correct(&state, mismatch, proof)
    case .skipped(let by):
      guard separate(&state) else { return nil }
      state.folder = "/etc/udev/rules.d"
      state.name = freeName(Self.stem(state.name) + "-own.rules", state)
      return "put the rule into a new file, \(state.name), because \(by) skips it"
    case .overwritten(_, let by): return rename(&state, "so that udev reads it after \(by.path)")
    case .fixed(let effect, let by): return fix(&state, effect, before: by)
    case .tooLate(_, let after): return rename(&state, "so that udev reads it before \(after.path)")
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

/// Fixes that change the folder or the name of a rules file.
extension RuleFixer {
  /// The beginning of the title of a new name.
  static let renaming = "rename "

  /// Moves or renames the file to a path that udevd reads.
  func place(_ state: inout RuleFileState, _ titles: inout [String]) {
    let folder = "/etc/udev/rules.d"
    if !UdevRuleFileChoice.isRead(state.folder, by: facts.version) {
      state.folder = folder
      titles.append("put the file into \(folder)")
      let name = freeName(state.name, state)
      if name != state.name, state.name == Self.readableName(state.name) {
        state.name = name
        titles.append("name it \(name), because another file has its name")
      }
    }
    if !state.name.hasSuffix(".rules") || state.name.begins(with: ".") {
      state.name = freeName(Self.readableName(state.name), state)
      titles.append("\(Self.renaming)\(state.original.name) to \(state.name)")
    }
    let after = state.applied(to: facts)
    guard let reason = after.choice.excluded.first(where: { $0.file.path == state.path })?.reason
    else { return }
    switch reason {
    case .masked(let mask):
      state.mask = mask
      titles.append("remove \(mask), which hides the file")
    case .replaced(let other)
    where state.isOfPackage && hasNothingElse(other, than: state.original):
      state.mask = other
      titles.append(
        "remove \(other), which overrides the package's file and lacks its rule")
    case .replaced(let other):
      // New files belong to the administrator.
      if state.isOfPackage { state.folder = folder }
      state.name = freeName(Self.stem(state.name) + "-local.rules", state)
      titles.append(
        "\(Self.renaming)\(state.original.name) to \(state.name), because \(other) overrides it")
    case .suffix, .empty: break
    }
  }

  /// Returns whether another file contains all lines of a file, apart from comments.
  private func hasNothingElse(_ path: String, than other: RuleFile) -> Bool {
    guard let file = facts.file(at: path), file.state == .rules else { return false }
    let lines = { (file: RuleFile) in
      Set(file.bytes.split { $0 == 10 }.filter { $0.first != UInt8(ascii: "#") }.map(Array.init))
    }
    return lines(file).isSubset(of: lines(other))
  }

  /// Returns the name, or if another file in any folder has it, the first unused name with a
  /// number.
  ///
  /// A renamed file may keep its name. A rule that moves to another file must not use the name of
  /// its former file.
  func freeName(_ name: String, _ state: RuleFileState) -> String {
    Self.freeName(name, besides: state.isAlone ? nil : state.original, facts)
  }

  static func freeName(_ name: String, besides file: RuleFile? = nil, _ facts: RuleFacts) -> String
  {
    let taken = Set(facts.files.filter { $0.path != file?.path }.map(\.name))
    var free = name
    var number = 2
    while taken.contains(free) {
      free = "\(stem(name))-\(number).rules"
      number += 1
    }
    return free
  }

  /// Returns a name with the suffix that udevd requires, derived from the given name.
  static func readableName(_ name: String) -> String {
    if name.begins(with: ".") { return readableName(String(Substring(name.utf8.dropFirst()))) }
    if name.hasSuffix(".rules") { return name }
    if let end = name.utf8.firstPlace(of: ".rules.".utf8)?.lowerBound {
      return String(name[..<end]) + ".rules"
    }
    for ending in [".rule", ".conf", ".txt", ".udev", ".rules~", "~"] where name.hasSuffix(ending) {
      return String(name.dropLast(ending.count)) + ".rules"
    }
    return name + ".rules"
  }

  static func stem(_ name: String) -> String {
    name.hasSuffix(".rules") ? String(name.dropLast(6)) : name
  }

  /// Renames the file to make the line effective, or moves the rule to a separate file.
  ///
  /// - Returns: The description of the change; `nil` if no name makes the line effective.
  func rename(_ state: inout RuleFileState, _ purpose: String) -> String? {
    let stem = Self.stem(state.name)
    let rest = stem.drop { $0.isASCII && $0.isNumber }.drop { $0 == "-" || $0 == "_" }
    let word = rest.isEmpty ? "local" : String(rest)
    let hasOthers =
      facts.rules.files.first { $0.path == state.original.path }
      .map { $0.lines.count > 1 } ?? false
    let numbers = ["72", "71", "70", "65", "60", "80", "90", "99", "40", "20", "05", "00"]
    for number in numbers + [lastPrefix] {
      var next = state
      if hasOthers, !next.isAlone {
        guard separate(&next) else { return nil }
      }
      next.folder = "/etc/udev/rules.d"
      next.name = freeName("\(number)-\(word).rules", next)
      guard
        let proof = RuleProof(next.applied(to: facts), action: action, next.place),
        proof.obstacleToAccess == nil
      else { continue }
      state = next
      return next.isAlone
        ? "put the rule into a new file, \(next.name), \(purpose)"
        : "\(Self.renaming)\(next.original.name) to \(next.name), \(purpose)"
    }
    return nil
  }

  /// A prefix of letters that sorts after the names of all other files.
  private var lastPrefix: String {
    let most = facts.rules.files.map { file in
      file.path.split(separator: "/").last?.prefix { $0 == "z" }.count ?? 0
    }.max()
    return String(repeating: "z", count: max(2, (most ?? 0) + 1))
  }
}

extension Collection where Element: Equatable {
  /// Returns the range where a sequence first occurs.
  func firstPlace(of other: some Collection<Element>) -> Range<Index>? {
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
