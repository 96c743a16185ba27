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
