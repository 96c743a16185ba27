/// What udevd would make of an event with a set of rules.
public struct UdevRuleReport: Hashable, Sendable {
  /// A command that a rule runs afterwards.
  public struct Command: Hashable, Sendable {
    /// The command.
    public let text: UdevRuleKnown<UdevRuleText>
    /// Whether udevd contains it.
    public let isBuiltin: Bool
    /// Whether it surely runs.
    public let isCertain: Bool
    /// The line.
    public let place: UdevRulePlace
  }

  /// What happened to the device.
  public internal(set) var action: UdevRuleText = ""
  /// What became of each line, in the order of the rules.
  public internal(set) var outcomes: [UdevRuleOutcome] = []
  /// What the lines set, in the order in which they did.
  public internal(set) var effects: [UdevRuleEffect] = []
  /// The owner of the node that rules ask for; `nil` when they leave it as it is.
  public internal(set) var owner: UdevRuleKnown<UInt32?> = .value(nil)
  /// The group of the node that rules ask for; `nil` when they leave it as it is.
  public internal(set) var group: UdevRuleKnown<UInt32?> = .value(nil)
  /// The mode of the node that rules ask for; `nil` when they leave it as it is.
  ///
  /// With a group and without a mode udevd sets 0660.
  public internal(set) var mode: UdevRuleKnown<UInt32?> = .value(nil)
  /// Tags that the device surely has, those of earlier events among them.
  public internal(set) var tags: Set<UdevRuleText> = []
  /// Tags that the device surely got in this event.
  public internal(set) var currentTags: Set<UdevRuleText> = []
  /// Links to the node that it surely has, with their whole paths.
  public internal(set) var links: Set<UdevRuleText> = []
  /// Whether these are all tags, those of earlier events among them.
  ///
  /// A line may undo for this event what an undetermined one before it did, and leave it open
  /// whether the tag stays among all: then the tags of this event are complete, and these are not.
  public internal(set) var tagsAreComplete = true
  /// Whether these are all tags of this event.
  public internal(set) var currentTagsAreComplete = true
  /// Whether these are all links.
  public internal(set) var linksAreComplete = true
  /// The properties that the database keeps.
  public internal(set) var recorded: [UdevRuleText: UdevRuleText] = [:]
  /// Properties that cannot be predicted.
  public internal(set) var propertyDoubts: [UdevRuleText: UdevRuleDoubt] = [:]
  /// Whether these are all properties.
  public internal(set) var propertiesAreComplete = true
  /// The priority of the device's links.
  public internal(set) var linkPriority: UdevRuleKnown<Int32> = .value(0)
  /// The name that a network interface is given.
  public internal(set) var interfaceName: UdevRuleKnown<UdevRuleText?> = .value(nil)
  /// The commands that run afterwards.
  public internal(set) var commands: [Command] = []
}
