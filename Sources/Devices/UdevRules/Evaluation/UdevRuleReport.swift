/// A prediction of how udevd handles an event with a set of rules.
public struct UdevRuleReport: Hashable, Sendable {
  /// A command that runs after the rules.
  public struct Command: Hashable, Sendable {
    /// The text of the command.
    public let text: UdevRuleKnown<UdevRuleText>
    /// A Boolean value that indicates whether the command is built into udevd.
    public let isBuiltin: Bool
    /// A Boolean value that indicates whether the command certainly runs.
    public let isCertain: Bool
    /// The place of the line.
    public let place: UdevRulePlace
  }

  /// The action of the event.
  public internal(set) var action: UdevRuleText = ""
  /// The outcomes of the lines, in the order of the rules.
  public internal(set) var outcomes: [UdevRuleOutcome] = []
  /// The effects of the lines, in the order in which they occur.
  public internal(set) var effects: [UdevRuleEffect] = []
  /// The owner from the rules or the kernel; a value of `nil` means that neither specifies one.
  public internal(set) var owner: UdevRuleKnown<UInt32?> = .value(nil)
  /// The group from the rules or the kernel; a value of `nil` means that neither specifies one.
  public internal(set) var group: UdevRuleKnown<UInt32?> = .value(nil)
  /// The mode from the rules or the kernel; a value of `nil` means that neither specifies one.
  ///
  /// The default mode for a node with a group is in ``node``.
  public internal(set) var mode: UdevRuleKnown<UInt32?> = .value(nil)
  /// The tags that the device certainly has, including those of former events.
  public internal(set) var tags: Set<UdevRuleText> = []
  /// The tags that the device certainly gets in this event.
  public internal(set) var currentTags: Set<UdevRuleText> = []
  /// The full paths of the links that certainly lead to the node.
  public internal(set) var links: Set<UdevRuleText> = []
  /// A Boolean value that indicates whether ``tags`` contains all tags.
  ///
  /// This can be `false` although ``currentTagsAreComplete`` is `true`. If an uncertain line adds a
  /// tag and a later line removes it, the tag is certainly not current, but it may remain among all
  /// tags.
  public internal(set) var tagsAreComplete = true
  /// A Boolean value that indicates whether ``currentTags`` contains all tags of this event.
  public internal(set) var currentTagsAreComplete = true
  /// A Boolean value that indicates whether ``links`` contains all links.
  public internal(set) var linksAreComplete = true
  /// The properties that the database stores.
  public internal(set) var recorded: [UdevRuleText: UdevRuleText] = [:]
  /// The reasons why properties cannot be predicted, keyed by name.
  public internal(set) var propertyDoubts: [UdevRuleText: UdevRuleDoubt] = [:]
  /// A Boolean value that indicates whether ``recorded`` and ``propertyDoubts`` cover all
  /// properties.
  public internal(set) var propertiesAreComplete = true
  /// The priority of the device's links.
  public internal(set) var linkPriority: UdevRuleKnown<Int32> = .value(0)
  /// The name that a network interface gets; a value of `nil` means that no line sets one.
  public internal(set) var interfaceName: UdevRuleKnown<UdevRuleText?> = .value(nil)
  /// The commands that run after the rules.
  public internal(set) var commands: [Command] = []
}

extension UdevRuleReport {
  /// The owner, group and mode that udevd gives a node.
  public struct Node: Hashable, Sendable {
    /// The owner; a value of `nil` means that udevd does not change it.
    public let owner: UdevRuleKnown<UInt32?>
    /// The group; a value of `nil` means that udevd does not change it.
    public let group: UdevRuleKnown<UInt32?>
    /// The mode; a value of `nil` means that udevd does not change it.
    public let mode: UdevRuleKnown<UInt32?>
  }

  /// The owner, group and mode of the device's node after the event.
  ///
  /// If the group is not 0, and neither a rule nor the kernel specifies a mode, udevd sets 0660.
  public var node: Node {
    guard case .value(nil) = mode else { return Node(owner: owner, group: group, mode: mode) }
    let upgraded: UdevRuleKnown<UInt32?> =
      switch group {
      case .value(let id): .value((id ?? 0) > 0 ? 0o660 : nil)
      case .unknown(let doubt): .unknown(doubt)
      }
    return Node(owner: owner, group: group, mode: upgraded)
  }
}

/// The outcome of a line for an event.
public struct UdevRuleOutcome: Hashable, Sendable {
  /// The result of evaluating a line.
  public enum Verdict: Hashable, Sendable {
    /// All matches of the line hold.
    case matched
    /// It is unknown whether all matches of the line hold.
    case undetermined([UdevRuleDoubt])
    /// A match of the line does not hold.
    case failed(UdevRuleMismatch)
    /// The `GOTO` of another line skipped the line.
    case skipped(by: UdevRulePlace)
    /// The line sets only values that do not exist for this kind of device or this action.
    case irrelevant
  }

  /// The place of the line.
  public let place: UdevRulePlace
  /// The result of evaluating the line.
  public let verdict: Verdict
}

/// The first match that does not hold in a line.
public struct UdevRuleMismatch: Hashable, Sendable {
  /// The match.
  public let token: UdevRuleToken
  /// The value that was found; `nil` if there is no value to compare.
  public let found: UdevRuleText?
  /// The index of the device that was compared: 0 is the device itself, 1 is its parent, and so on.
  ///
  /// For a match on parents, it is the device that satisfies most matches of the line before one
  /// fails.
  public let device: Int

  package init(token: UdevRuleToken, found: UdevRuleText?, device: Int) {
    self.token = token
    self.found = found
    self.device = device
  }
}

/// An effect of a line on the device or the system.
public struct UdevRuleEffect: Hashable, Sendable {
  /// The subject that an effect changes.
  public enum Subject: Hashable, Sendable {
    /// The owner of the node.
    case owner
    /// The group of the node.
    case group
    /// The mode of the node.
    case mode
    /// The label of a security module.
    case securityLabel(UdevRuleText)
    /// A tag of the device.
    case tag(UdevRuleText)
    /// A link to the node, given by its full path.
    case link(UdevRuleText)
    /// A property of the device.
    case property(UdevRuleText)
    /// The name of a network interface.
    case interfaceName
    /// An attribute of a device, given by its full path.
    case attribute(UdevRuleText)
    /// A kernel setting, given by its path below `/proc/sys`.
    case setting(UdevRuleText)
    /// A command that runs after the rules.
    case command
    /// An option.
    case option(UdevRuleText)
  }

  /// The place of the line.
  public let place: UdevRulePlace
  /// The part of the line that has the effect.
  public let token: UdevRuleToken
  /// The subject that the effect changes.
  public let subject: Subject
  /// The new value; `nil` if the effect removes the value, or sets none.
  public let value: UdevRuleKnown<UdevRuleText>?
  /// A Boolean value that indicates whether the effect certainly occurs.
  public let isCertain: Bool
  /// The later line that set the subject to another value or removed it.
  public internal(set) var overwritten: UdevRulePlace?
  /// The earlier line that made the value final with `:=`, which prevents this effect.
  public let fixed: UdevRulePlace?
}

/// The place of a line in a rules file.
public struct UdevRulePlace: Hashable, Sendable, CustomStringConvertible {
  /// The path of the file.
  public let path: String
  /// The number of the first line that the rule spans, counted from 1.
  public let line: Int

  /// Creates the place of a line.
  public init(path: String, line: Int) {
    self.path = path
    self.line = line
  }

  /// The path and the line number, separated by a colon.
  public var description: String { "\(path):\(line)" }
}
