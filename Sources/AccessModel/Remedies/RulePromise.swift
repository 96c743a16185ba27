/// What a rule that is added is to do for a device at its next events.
enum RulePromise {
  /// The device gets a tag, in time for the line that acts on it.
  case tag(UdevRuleText)
  /// A command runs.
  case command
  /// The device gets a property.
  case property(UdevRuleText, UdevRuleText)
  /// The node gets a mode and a group.
  case node(mode: UInt16, group: UInt32)
  /// The node gets a mode and a group, by its name.
  case group(String, mode: UInt16)

  /// The name of a file in which the rule keeps the promise, with all other rules in place.
  ///
  /// It is tried for the event that `udevadm trigger` makes, and for the device's arrival.
  ///
  /// - Parameters:
  ///   - rule: The text of the rule.
  ///   - name: The name that the file has if that does.
  ///   - facts: The rules and the device.
  /// - Returns: The name; `nil` when the rule keeps its promise in none.
  func fileName(for rule: String, named name: String, in facts: RuleFacts) -> String? {
    let stem = name.split(separator: "-", maxSplits: 1).last.map(String.init) ?? name
    let numbers =
      switch self {
      case .tag: ["72", "71", "70", "65", "60"]
      case .command, .property, .node, .group: ["99", "zz"]
      }
    return ([name] + numbers.map { "\($0)-\(stem)" }).first { isKept(by: rule, in: $0, facts) }
  }

  private func isKept(by rule: String, in name: String, _ facts: RuleFacts) -> Bool {
    let folder = "/etc/udev/rules.d"
    // The rule is added to what the file holds.
    let old = facts.file(at: "\(folder)/\(name)")
    guard old == nil || old?.state == .rules || old?.state == .empty else { return false }
    var bytes = old?.bytes ?? []
    guard bytes.last == nil || bytes.last == 10 else { return false }
    let line = bytes.count { $0 == 10 } + 1
    bytes += Array(rule.utf8) + [10]
    var after = facts.replacing(with: RuleFile(folder: folder, name: name, bytes: bytes))
    if case .group(let group, _) = self {
      let group = UdevRuleText(group)
      after.environment.groups[group] = after.environment.groups[group] ?? .present(999)
    }
    let place = UdevRulePlace(path: "\(folder)/\(name)", line: line)
    return ["change", "add"].allSatisfy { action in
      guard let proof = RuleProof(after, action: action, place), proof.obstacle == nil else {
        return false
      }
      return isKept(proof.report)
    }
  }

  private func isKept(_ report: UdevRuleReport) -> Bool {
    switch self {
    case .tag(let tag): report.currentTags.contains(tag)
    case .command: true
    case .group(_, let mode): report.node.mode.known == UInt32(mode)
    case .property(let name, let value): report.recorded[name] == value
    case .node(let mode, let group):
      report.node.mode.known == UInt32(mode) && report.node.group.known == group
    }
  }
}
