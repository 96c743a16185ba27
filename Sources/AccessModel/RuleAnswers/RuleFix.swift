/// What makes a rule take effect.
public struct RuleFix: Hashable, Sendable {
  /// What it does, as one imperative sentence without a full stop.
  public let title: String
  /// The commands to type into a shell, as an administrator.
  public let commands: [String]
  /// The rule as it is then; `nil` when its text stays.
  public let line: String?
  /// Whether the model shows that the rule then does what it says.
  public let isProven: Bool
  /// What the device has afterwards; `nil` where the model does not show it.
  let outcome: Outcome?

  /// What a device has after an event.
  struct Outcome: Hashable, Sendable {
    /// The owner, the group and the mode of its node.
    let node: UdevRuleReport.Node
    /// Whether it is tagged for the user of its seat.
    let isTagged: Bool
    /// The new number of a group whose members keep it, and the old one.
    var renumbered: UInt32?
    var formerGroup: UInt32?
    /// The name of the group that it made or renumbered.
    var groupName: UdevRuleText?

    init(_ report: UdevRuleReport) {
      node = report.node
      isTagged = report.currentTags.contains("uaccess")
    }
  }

  init(
    _ title: String, _ commands: [String], line: String? = nil, isProven: Bool,
    outcome: Outcome? = nil
  ) {
    self.title = title
    self.commands = commands
    self.line = line
    self.isProven = isProven
    self.outcome = outcome
  }
}

/// Makes udevd apply its rules to one device.
struct RuleEvent {
  let facts: RuleFacts
  /// What happens to the device.
  let action: String

  /// The commands.
  var commands: [String] {
    let device = facts.device.map { ($0.subsystem?.exact ?? "", $0.name.exact) }
    return ["udevadm control --reload"]
      + UdevTrigger(facts).commands(
        node: facts.device?.node?.exact, device: device, action: action)
  }

  /// The command after which udevd reads a file again that is as it was.
  ///
  /// Releases before 254 look at the time of the folder, and later ones at that of the file.
  static func renewing(_ file: RuleFile) -> String {
    "touch \(file.path.shellQuoted) \(file.folder.shellQuoted)"
  }
}
