/// Keeps commands of rules from changing the node of one device after udevd has set it.
struct RuleExemption {
  let facts: RuleFacts
  let action: String

  /// As many lines are changed.
  private static let most = 4

  /// A command of a rule that changes nodes.
  static func changing(_ report: UdevRuleReport) -> UdevRuleReport.Command? {
    report.commands.last { command in
      guard !command.isBuiltin, let text = command.text.known else { return false }
      // One without a path is not run.
      return text.changesNodes && !RuleProof.nodePrograms.contains(text.programName ?? "")
    }
  }

  /// Excepts the device from the lines that run such commands; `nil` where they do more, or cannot
  /// be changed one by one.
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
      // What else the line does would not be done either.
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
  /// The name of the device in the kernel; `nil` where a pattern would not mean just that.
  var plainName: String? {
    let text = name.description
    let isPlain = text.utf8.allSatisfy {
      $0.isLatinLetter || $0.isDecimal || [0x2D, 0x2E, 0x3A, 0x5F].contains($0)
    }
    return isPlain && !text.isEmpty ? text : nil
  }
}
