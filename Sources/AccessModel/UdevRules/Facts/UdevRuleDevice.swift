/// A device as rules see it: one that has an event, a parent of it, or another one that is named.
public struct UdevRuleDevice: Hashable, Sendable {
  /// Where it is below `/sys`, such as `/devices/virtual/mem/null`.
  public var path: UdevRuleText
  /// Its subsystem.
  public var subsystem: UdevRuleText?
  /// The driver that it is bound to.
  public var driver: UdevRuleText?
  /// Its node, such as `/dev/null`.
  public var node: UdevRuleText?
  /// The number of its node.
  public var number: DeviceNumber?
  /// Its attributes by name, without the line ends at the end of their values.
  public var attributes: [UdevRuleText: UdevRuleFact<UdevRuleText>]
  /// Whether an attribute that is not listed does not exist.
  public var attributesAreComplete: Bool
  /// Its properties: of a device with an event those that came with it, of others those of the
  /// kernel and of udev's database.
  public var properties: [UdevRuleText: UdevRuleText]
  /// All tags that it ever had, of udev's database.
  public var tags: Set<UdevRuleText>
  /// Those that it got in its last event; `nil` when they were not observed.
  public var currentTags: Set<UdevRuleText>?

  /// Describes a device.
  public init(
    path: UdevRuleText, subsystem: UdevRuleText? = nil, driver: UdevRuleText? = nil,
    node: UdevRuleText? = nil,
    number: DeviceNumber? = nil, attributes: [UdevRuleText: UdevRuleFact<UdevRuleText>] = [:],
    attributesAreComplete: Bool = false, properties: [UdevRuleText: UdevRuleText] = [:],
    tags: Set<UdevRuleText> = [], currentTags: Set<UdevRuleText>? = nil
  ) {
    self.path = path
    self.subsystem = subsystem
    self.driver = driver
    self.node = node
    self.number = number
    self.attributes = attributes
    self.attributesAreComplete = attributesAreComplete
    self.properties = properties
    self.tags = tags
    self.currentTags = currentTags
  }

  /// Its name in the kernel: the last part of its path, with slashes for exclamation marks.
  public var name: UdevRuleText {
    UdevRuleText(path.lastComponent.bytes.map { $0 == UInt8(ascii: "!") ? .slash : $0 })
  }

  /// The digits at the end of its name, unless it is all digits.
  var instance: UdevRuleText? {
    let name = name.bytes
    let digits = name.reversed().prefix(while: \.isDecimal).count
    return digits == 0 || digits == name.count ? nil : UdevRuleText(Array(name.suffix(digits)))
  }

  /// An attribute; `nil` when it was not observed.
  func attribute(_ name: UdevRuleText) -> UdevRuleFact<UdevRuleText>? {
    attributes[name] ?? (attributesAreComplete ? .absent : nil)
  }
}
