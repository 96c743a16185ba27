internal import UdevRules

/// Determines whether a rule takes effect, and if not, why.
struct RuleSearch {
  let facts: RuleFacts
  let report: UdevRuleReport?
  let action: String

  /// The maximum number of lines of one file to report.
  private static let mostLines = 256
  /// The maximum number of ineffective lines to correct; if there are more, none is corrected.
  private static let mostFixes = 3

  /// Returns the verdict of each line, and the problems of the file.
  func answer(_ rule: RuleReference) -> ([RuleVerdict], [RuleFinding]) {
    guard let file = rule.file(in: facts) else { return ([], []) }
    let ofFile = findings(of: file)
    guard file.state == .rules else { return ([], ofFile) }
    let isRead = facts.choice.read.contains { $0.path == file.path }
    // A file that udevd does not read is evaluated as well, to find its other problems.
    let parsed = UdevRuleFile(path: file.path, bytes: file.bytes, version: facts.version)
    let texts = texts(of: file)
    let lines = chosen(rule.line, of: parsed, texts)
    let trial = trial(of: file, isRead: isRead)
    var verdicts: [RuleVerdict] = []
    for numbers in lines {
      verdicts.append(verdict(numbers, texts[numbers.lowerBound]?.text ?? "", file, parsed, trial))
    }
    let fix = correct(&verdicts, of: file, lines)
    let findings = ofFile.map { finding in
      var finding = finding
      finding.fix = finding.fix ?? fix
      return finding
    }
    return (verdicts, findings + parsed.misspeltLabels)
  }

  // MARK: - The file

  private func findings(of file: RuleFile) -> [RuleFinding] {
    let place = UdevRulePlace(path: file.path, line: 1)
    var findings: [RuleFinding] = []
    switch file.state {
    case .hidden:
      return [RuleFinding(.unreadable, at: place, "\(file.path) could not be read: \(why(file)).")]
    case .other:
      return [
        RuleFinding(.noRules, at: place, "udevd reads no rules from \(file.path): \(why(file)).")
      ]
    case .empty:
      return [RuleFinding(.noRules, at: place, "\(file.path) is empty, or a link to nothing.")]
    case .rules: break
    }
    if let problem = file.problem {
      findings.append(RuleFinding(.unreadable, at: place, "Of \(file.path), \(problem)."))
    }
    guard UdevRuleFileChoice.isRead(file.folder, by: facts.version) else {
      let release =
        UdevRuleFileChoice.folders.contains(file.folder)
        ? " (systemd \(facts.version.number))" : ""
      let text = "udevd\(release) does not look for rules in \(file.folder) itself."
      return findings + [RuleFinding(.wrongFolder, at: place, text)]
    }
    if file.name.begins(with: ".") {
      let text = "udevd does not read \(file.path): its name begins with a dot."
      findings.append(RuleFinding(.wrongName, at: place, text))
    }
    switch facts.choice.excluded.first(where: { $0.file.path == file.path })?.reason {
    case .suffix:
      let text = "udevd does not read \(file.path): its name does not end in .rules."
      findings.append(RuleFinding(.wrongName, at: place, text))
    case .masked(let mask):
      let text = "udevd does not read \(file.path): \(mask), which is empty, hides it."
      findings.append(RuleFinding(.masked, at: place, text))
    case .replaced(let other):
      let text = "udevd does not read \(file.path): \(other) overrides it."
      findings.append(RuleFinding(.replaced, at: place, text))
    case .empty, nil: break
    }
    return findings
  }

  private func why(_ file: RuleFile) -> String { file.problem ?? "it is not a regular file" }

  /// A rule as written.
  private struct Written {
    let text: String
    /// The lines of the file that the rule spans.
    let numbers: ClosedRange<Int>
  }

  /// Returns each line that is not a comment, keyed by its first line number.
  private func texts(of file: RuleFile) -> [Int: Written] {
    var texts: [Int: Written] = [:]
    var reader = UdevRuleLineReader(file.bytes)
    while let item = reader.next() {
      guard case .line(let line) = item else { continue }
      texts[line.numbers.lowerBound] = Written(
        text: ByteText(bytes: line.text).text, numbers: line.numbers)
    }
    return texts
  }

  /// Returns the requested lines: those that set something, and those that udevd ignores.
  private func chosen(
    _ wanted: Int?, of file: UdevRuleFile, _ texts: [Int: Written]
  ) -> [ClosedRange<Int>] {
    var lines = file.lines.filter { line in line.tokens.contains { !$0.key.isMatch } }
      .map(\.numbers)
    let known = Set(file.lines.map(\.number))
    let ignored = Set(
      file.problems.filter { $0.consequence != .none && $0.consequence != .ignoresPart }
        .map(\.line)
    ).subtracting(known)
    lines += ignored.map { texts[$0]?.numbers ?? $0...$0 }
    lines.sort { $0.lowerBound < $1.lowerBound }
    guard let wanted else { return Array(lines.prefix(Self.mostLines)) }
    if let line = (file.lines.map(\.numbers) + lines).first(where: { $0.contains(wanted) }) {
      return [line]
    }
    return texts[wanted] == nil ? [] : [wanted...wanted]
  }

  // MARK: - A line

  /// The rules with the file at its current path, or at a path that udevd would read.
  private struct Trial {
    let facts: RuleFacts
    let report: UdevRuleReport?
    /// The path of the file in this trial.
    let path: String
    /// A Boolean value that indicates whether udevd reads the file as it is.
    let isRead: Bool
  }

  private func trial(of file: RuleFile, isRead: Bool) -> Trial {
    if isRead { return Trial(facts: facts, report: report, path: file.path, isRead: true) }
    var state = RuleFileState(file, numbers: 1...1)
    state.folder = "/etc/udev/rules.d"
    let name = RuleFixer.readableName(file.name)
    // If another file hides the file, it is evaluated at the same position.
    state.name = name == file.name ? name : RuleFixer.freeName(name, besides: file, facts)
    let placed = state.applied(to: facts)
    return Trial(
      facts: placed, report: placed.report(action), path: state.path, isRead: false)
  }

  private func verdict(
    _ numbers: ClosedRange<Int>, _ text: String, _ file: RuleFile, _ parsed: UdevRuleFile,
    _ trial: Trial
  ) -> RuleVerdict {
    let place = UdevRulePlace(path: file.path, line: numbers.lowerBound)
    func verdict(
      _ effect: RuleVerdict.Effect, _ finding: RuleFinding?, _ mismatch: RuleVerdict.Mismatch? = nil
    ) -> RuleVerdict {
      RuleVerdict(place: place, text: text, effect: effect, mismatch: mismatch, finding: finding)
    }
    let line = parsed.lines.first { $0.numbers == numbers }
    if line == nil {
      let problem = parsed.problems.first { $0.line == numbers.lowerBound }
      var what = problem?.clause
      if place.line == 1, file.bytes.starts(with: RuleLineText.byteOrderMark) {
        what = "the file begins with a byte order mark, which is not seen in an editor"
      }
      var fix: RuleFix?
      if let continuation = RuleContinuation(file, at: place.line) {
        what = "a blank follows the backslash at its end, so the next line is a separate rule"
        fix = trial.isRead ? continuation.fix(facts, action) : nil
      }
      let text = "udevd ignores the line, because \(what ?? "it does nothing")."
      return verdict(.ineffective, RuleFinding(.invalid, at: place, text, fix: fix))
    }
    guard facts.device != nil else {
      let node = RuleStaticNode(facts: facts)
      // The file of a package belongs where it is.
      let isMisplaced = !trial.isRead && file.isOwn && trial.path != file.path
      let renaming = "mv \(file.path.shellQuoted) \(trial.path.shellQuoted)"
      return verdict(
        .ineffective, node.pending(at: place, renaming: isMisplaced ? renaming : nil))
    }
    let judged = UdevRulePlace(path: trial.path, line: place.line)
    let proof = trial.report.map { RuleProof(trial.facts, $0, judged) }
    if let cut = parsed.cut(ofLine: place.line), proof?.obstacle?.isOfPart ?? true {
      let text = """
        udevd ignores the rest of the line, beginning with \(cut.subject.exact), because \(cut.title).
        """
      var partial = verdict(.ineffective, RuleFinding(.invalid, at: place, text))
      partial.isPartial = true
      return partial
    }
    guard let proof, let obstacle = proof.obstacle else {
      return verdict(trial.isRead ? .effective : .ineffective, nil)
    }
    let words = RuleWords(facts: trial.facts)
    let (code, sentence) = words.sentence(obstacle, line, proof)
    let lasting = trial.isRead && obstacle.isOfPart ? proof.lasting : []
    if !lasting.isEmpty {
      let list = lasting.prefix(8).map { "\($0.token)" }.joined(separator: ", ")
      let verb = lasting.count == 1 ? "takes" : "take"
      let text = "\(sentence) Only \(list) \(verb) effect."
      var partial = verdict(.ineffective, RuleFinding(code, at: place, text))
      partial.isPartial = true
      return partial
    }
    let finding = RuleFinding(code, at: place, sentence)
    switch obstacle {
    case .failed(let mismatch):
      return verdict(.ineffective, finding, words.mismatch(mismatch, proof.report))
    case .undetermined: return verdict(trial.isRead ? .undetermined : .ineffective, finding)
    default: return verdict(.ineffective, finding)
    }
  }

  /// Adds fixes if no line takes effect, and returns the first.
  private func correct(
    _ verdicts: inout [RuleVerdict], of file: RuleFile, _ lines: [ClosedRange<Int>]
  ) -> RuleFix? {
    let isKnown = verdicts.indices.filter { verdicts[$0].effect == .ineffective }
    // In a file for many devices, it is unknown which line is for this one.
    guard !verdicts.contains(where: { $0.effect == .effective || $0.finding?.fix != nil }),
      isKnown.count <= Self.mostFixes
    else { return nil }
    var first: RuleFix?
    // Each fix applies to the files after the previous fixes.
    var facts = facts
    var file = file
    for index in isKnown {
      let fixer = RuleFixer(facts: facts, action: action)
      guard let result = fixer.result(lines[index], of: file) else { continue }
      facts = result.facts
      file = result.file
      verdicts[index].finding?.fix = result.fix
      first = first ?? result.fix
    }
    return first
  }
}

/// A rule that ends too early, because a blank follows the backslash at the end of a line.
///
/// udevd then ignores its first line, and reads the next one as a separate rule.
struct RuleContinuation {
  let file: RuleFile
  /// The numbers of the lines that are meant to end with a backslash, counted from 1.
  let numbers: ClosedRange<Int>

  /// Creates the rule that starts at a line; fails if no blank follows a backslash.
  init?(_ file: RuleFile, at first: Int) {
    let lines = Self.lines(file)
    var last = first - 1
    while last < lines.count, lines[last].trimmingEnd.last == .backslash { last += 1 }
    guard first > 0, last >= first,
      lines[(first - 1)..<last].contains(where: { $0.last != .backslash })
    else { return nil }
    self.file = file
    numbers = first...last
  }

  private static func lines(_ file: RuleFile) -> [[UInt8]] {
    file.bytes.split(omittingEmptySubsequences: false, whereSeparator: { $0 == 10 }).map(Array.init)
  }

  /// Returns a fix that removes the blanks; `nil` if the whole rule would still have no effect.
  func fix(_ facts: RuleFacts, _ action: String) -> RuleFix? {
    guard file.isOwn, !file.bytes.contains(where: { $0 == 0 || $0 == 13 }) else { return nil }
    var lines = Self.lines(file)
    for index in (numbers.lowerBound - 1)..<numbers.upperBound {
      lines[index] = lines[index].trimmingEnd
    }
    let after = facts.replacing(
      with: RuleFile(
        folder: file.folder, name: file.name, bytes: Array(lines.joined(separator: [10])),
        owner: file.owner, modified: file.modified))
    let place = UdevRulePlace(path: file.path, line: numbers.lowerBound)
    guard let proof = RuleProof(after, action: action, place), proof.obstacle == nil else {
      return nil
    }
    let works = RuleProof(after, action: "change", place)?.obstacle == nil
    let range =
      numbers.count == 1
      ? "\(numbers.lowerBound)" : "\(numbers.lowerBound),\(numbers.upperBound)"
    return RuleFix(
      "Remove the blank after the backslash",
      [#"sed -i '\#(range)s/\\[[:blank:]]*$/\\/' \#(file.path.shellQuoted)"#]
        + RuleEvent(facts: after, action: works ? "change" : action).commands, isProven: true)
  }
}

extension UdevRuleFile {
  /// The findings about each `GOTO` whose label is missing, if a later line has a similar one.
  var misspeltLabels: [RuleFinding] {
    problems.compactMap { problem in
      guard problem.code == .missingLabel else { return nil }
      let wanted = problem.subject
      let label = lines.lazy.filter { $0.number > problem.line }.compactMap(\.label).first {
        RuleTargets.isSame($0, wanted) || LetterDistance.isAtMostOne($0.bytes, wanted.bytes)
      }
      guard let label else { return nil }
      let place = UdevRulePlace(path: path, line: problem.line)
      return RuleFinding(
        .invalid, at: place,
        """
        udevd ignores the GOTO of \(place): no later line has the label \(wanted.exact), and one has \
        \(label.exact).
        """)
    }
  }
}
