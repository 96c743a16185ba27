/// What happened to a device, and what udev knew of it before.
public struct UdevRuleEvent: Hashable, Sendable {
  /// What udev's database says of a device.
  public struct Record: Hashable, Sendable {
    /// The properties that rules set.
    public var properties: [UdevRuleText: UdevRuleText]
    /// All tags that it ever had.
    public var tags: Set<UdevRuleText>
    /// Those that it got in its last event; `nil` when they were not observed.
    public var currentTags: Set<UdevRuleText>?
    /// The links to its node, with their whole paths.
    public var links: Set<UdevRuleText>

    /// Describes an entry of the database.
    public init(
      properties: [UdevRuleText: UdevRuleText] = [:], tags: Set<UdevRuleText> = [],
      currentTags: Set<UdevRuleText>? = nil, links: Set<UdevRuleText> = []
    ) {
      self.properties = properties
      self.tags = tags
      self.currentTags = currentTags
      self.links = links
    }
  }

  /// What happened: `add`, `change`, `remove` and so on.
  public var action: UdevRuleText
  /// The device.
  public var device: UdevRuleDevice
  /// The device's parent, the parent of that, and so on.
  public var parents: [UdevRuleDevice]
  /// What the database said before; `nil` when it was not observed.
  public var record: Record?
  /// Whether the device is a network interface.
  public var isInterface: Bool

  /// Describes an event.
  public init(
    action: UdevRuleText, device: UdevRuleDevice, parents: [UdevRuleDevice],
    record: Record? = Record(),
    isInterface: Bool = false
  ) {
    self.action = action
    self.device = device
    self.parents = parents
    self.record = record
    self.isInterface = isInterface
  }

  /// The device and its parents.
  var chain: [UdevRuleDevice] { [device] + parents }
}
