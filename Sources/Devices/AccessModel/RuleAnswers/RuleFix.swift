/// A change that makes a rule take effect.
public struct RuleFix: Hashable, Sendable {
  /// The description, as one imperative sentence without a period.
  public let title: String
  /// The shell commands, which must run as root.
  public let commands: [String]
  /// The new text of the rule; `nil` if it does not change.
  public let line: String?
  /// A Boolean value that indicates whether the model proves that the rule then takes effect.
  public let isProven: Bool
  /// The resulting permissions of the device; `nil` if the model does not predict them.
  let outcome: Outcome?

  /// The permissions of a device after an event.
  struct Outcome: Hashable, Sendable {
    /// The owner, group and mode of the node.
    let node: UdevRuleReport.Node
    /// A Boolean value that indicates whether the device is tagged for the user of its seat.
    let isTagged: Bool
    /// The new ID of a group that keeps its members; ``formerGroup`` is the old ID.
    var renumbered: UInt32?
    var formerGroup: UInt32?
    /// The name of the group that the fix creates or renumbers.
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

/// The commands that make udevd apply its rules to one device.
struct RuleEvent {
  let facts: RuleFacts
  /// The action of the event, such as `add`.
  let action: String

  var commands: [String] {
    let device = facts.device.map { ($0.subsystem?.exact ?? "", $0.name.exact) }
    return ["udevadm control --reload"]
      + UdevTrigger(facts).commands(
        node: facts.device?.node?.exact, device: device, action: action)
  }

  /// Returns the command that makes udevd read an unchanged file again.
  ///
  /// Before version 254, udevd compares the modification time of the folder. Later versions compare
  /// the modification time of the file.
  static func renewing(_ file: RuleFile) -> String {
    "touch \(file.path.shellQuoted) \(file.folder.shellQuoted)"
  }
}
