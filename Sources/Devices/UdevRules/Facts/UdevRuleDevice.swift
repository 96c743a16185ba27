/// A device as rules see it: the device of an event, one of its parents, or another device that a
/// rule names.
public struct UdevRuleDevice: Hashable, Sendable {
  /// A device number, split into its two parts.
  public struct Number: Hashable, Sendable {
    /// The major number, which identifies the driver.
    public let major: UInt32
    /// The minor number, which identifies the device within its driver.
    public let minor: UInt32

    /// Creates a device number from its two parts.
    public init(major: UInt32, minor: UInt32) {
      self.major = major
      self.minor = minor
    }
  }

  /// The path of the device below `/sys`, such as `/devices/virtual/mem/null`.
  public var path: UdevRuleText
  /// The subsystem of the device.
  public var subsystem: UdevRuleText?
  /// The driver that the device is bound to.
  public var driver: UdevRuleText?
  /// The node of the device, such as `/dev/null`.
  public var node: UdevRuleText?
  /// The device number of the node.
  public var number: Number?
  /// The attributes, keyed by name, without line ends at the end of their values.
  public var attributes: [UdevRuleText: UdevRuleFact<UdevRuleText>]
  /// A Boolean value that indicates whether an attribute that is not listed does not exist.
  public var attributesAreComplete: Bool
  /// The properties of the device.
  ///
  /// For the device of an event, these are the properties that came with the event. For any other
  /// device, they come from the kernel and from udev's database.
  public var properties: [UdevRuleText: UdevRuleText]
  /// All tags that the device has ever had, from udev's database.
  public var tags: Set<UdevRuleText>
  /// The tags that the device got in its last event; `nil` if not observed.
  public var currentTags: Set<UdevRuleText>?

  /// Creates a device.
  public init(
    path: UdevRuleText, subsystem: UdevRuleText? = nil, driver: UdevRuleText? = nil,
    node: UdevRuleText? = nil,
    number: Number? = nil, attributes: [UdevRuleText: UdevRuleFact<UdevRuleText>] = [:],
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

  /// The kernel name of the device, which is the last part of its path with `/` instead of `!`.
  public var name: UdevRuleText {
    UdevRuleText(path.lastComponent.bytes.map { $0 == UInt8(ascii: "!") ? .slash : $0 })
  }

  /// The digits at the end of the name; `nil` if there are none, or if the name has only digits.
  var instance: UdevRuleText? {
    let name = name.bytes
    let digits = name.reversed().prefix(while: \.isDecimal).count
    return digits == 0 || digits == name.count ? nil : UdevRuleText(Array(name.suffix(digits)))
  }

  /// Returns an attribute; `nil` if it was not observed.
  package func attribute(_ name: UdevRuleText) -> UdevRuleFact<UdevRuleText>? {
    attributes[name] ?? (attributesAreComplete ? .absent : nil)
  }
}
