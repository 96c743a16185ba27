/// An event of a device, with udev's database entry from before the event.
public struct UdevRuleEvent: Hashable, Sendable {
  /// The entry of a device in udev's database.
  public struct Record: Hashable, Sendable {
    /// The properties that rules have set.
    public var properties: [UdevRuleText: UdevRuleText]
    /// All tags that the device has ever had.
    public var tags: Set<UdevRuleText>
    /// The tags that the device got in its last event; `nil` if not observed.
    public var currentTags: Set<UdevRuleText>?
    /// The full paths of the links to the node.
    public var links: Set<UdevRuleText>

    /// Creates a database entry.
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

  /// The action of the event, such as `add`, `change` or `remove`.
  public var action: UdevRuleText
  /// The device of the event.
  public var device: UdevRuleDevice
  /// The parent of the device, then its parent, and so on.
  public var parents: [UdevRuleDevice]
  /// The database entry from before the event; `nil` if not observed.
  public var record: Record?
  /// A Boolean value that indicates whether the device is a network interface.
  public var isInterface: Bool

  /// Creates an event.
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

  /// The device, followed by its parents.
  var chain: [UdevRuleDevice] { [device] + parents }
}
