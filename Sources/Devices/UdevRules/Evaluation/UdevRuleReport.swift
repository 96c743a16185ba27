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
