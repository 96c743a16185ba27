/// Excludes one device from rules whose commands change its node after udev has set the
/// permissions.
struct RuleExemption {
  let facts: RuleFacts
  let action: String

  /// The maximum number of lines to change.
  private static let most = 4

  /// Returns the last command of a rule that changes nodes.
  static func changing(_ report: UdevRuleReport) -> UdevRuleReport.Command? {
    report.commands.last { command in
      guard !command.isBuiltin, let text = command.text.known else { return false }
      // udevd does not run such a command without a path.
      return text.changesNodes && !RuleProof.nodePrograms.contains(text.programName ?? "")
    }
  }

  /// A fix that excludes the device from the lines that run such commands.
  ///
  /// It is `nil` if these lines do more than that, or cannot be changed one by one.
  var fix: RuleFix? {
    guard let name = facts.device?.plainName, let before = facts.report(action) else { return nil }
    var after = facts
    var commands: [String] = []
    var places: [String] = []
    for _ in 0..<Self.most {
      guard let report = after.report(action), let command = Self.changing(report) else { break }
      guard let state = exempted(name, at: command.place, after) else { return nil }
      after = state.applied(to: after)
      commands += state.commands
      places.append("\(command.place)")
    }
    guard !places.isEmpty, let report = after.report(action), Self.changing(report) == nil,
      report.node == before.node
    else { return nil }
    let isSame = after.report("change").map {
      $0.node == report.node && Self.changing($0) == nil
    }
    return RuleFix(
      "Except \(name) from \(places.joined(separator: " and "))",
      commands + RuleEvent(facts: after, action: isSame == true ? "change" : action).commands,
      isProven: true)
  }

  private func exempted(
    _ name: String, at place: UdevRulePlace, _ facts: RuleFacts
  ) -> RuleFileState? {
    guard let file = facts.file(at: place.path),
      let line = facts.rules.files.first(where: { $0.path == place.path })?.lines
        .first(where: { $0.number == place.line }),
      // The exclusion would also prevent any other effect of the line.
      line.jump == nil, line.label == nil,
      !line.tokens.contains(where: \.key.changesEvent),
      line.tokens.filter({ !$0.key.isMatch }).map(\.key) == [.runProgram]
    else { return nil }
    var state = RuleFileState(file, numbers: line.numbers)
    guard let bytes = state.line, var text = RuleLineText(bytes) else { return nil }
    guard let match = RuleLineText(Array(#"KERNEL!="\#(name)""#.utf8)) else { return nil }
    text.parts.insert(contentsOf: match.parts, at: 0)
    state.rewrite(text)
    return state
  }
}

extension UdevRuleDevice {
  /// The kernel name of the device; `nil` if a pattern with the name would have another meaning.
  var plainName: String? {
    let text = name.description
    let isPlain = text.utf8.allSatisfy {
      $0.isLatinLetter || $0.isDecimal || [0x2D, 0x2E, 0x3A, 0x5F].contains($0)
    }
    return isPlain && !text.isEmpty ? text : nil
  }
}
