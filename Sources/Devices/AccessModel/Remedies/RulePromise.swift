/// The effect that a new rule must have at the next events of a device.
enum RulePromise {
  /// Sets a tag on the device, early enough for the rule that acts on the tag.
  case tag(UdevRuleText)
  /// Runs a command.
  case command
  /// Sets a property of the device to a value.
  case property(UdevRuleText, UdevRuleText)
  /// Sets the mode and the group of the node.
  case node(mode: UInt16, group: UInt32)
  /// Sets the mode of the node, and its group by name.
  case group(String, mode: UInt16)

  /// Returns the name of a file in which a rule has this effect together with all existing rules.
  ///
  /// The effect is checked for the event from `udevadm trigger` and for the arrival of the device.
  ///
  /// - Parameters:
  ///   - rule: The text of the rule.
  ///   - name: The preferred name of the file.
  ///   - facts: The rules and the device.
  /// - Returns: The name; `nil` if the rule does not have the effect in any file.
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
    // The rule is appended to the existing content of the file.
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
