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
  /// The attributes, keyed by name, with trailing line breaks removed from their values.
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

/// The result of an observation.
public enum UdevRuleFact<Value: Hashable & Sendable>: Hashable, Sendable {
  /// The fact exists and has this value.
  case present(Value)
  /// The fact does not exist, or cannot be read.
  case absent

  /// The value; `nil` if the fact is absent.
  package var value: Value? {
    guard case .present(let value) = self else { return nil }
    return value
  }
}

/// The facts that rules can refer to, other than the device.
///
/// Facts that are not listed were not observed.
public struct UdevRuleEnvironment: Hashable, Sendable {
  /// The result of a program or a built-in command.
  public struct Run: Hashable, Sendable {
    /// A Boolean value that indicates whether the command succeeds.
    public var succeeds: Bool
    /// The output of a program.
    public var output: UdevRuleText
    /// The properties that a built-in command sets.
    public var properties: [UdevRuleText: UdevRuleText]

    /// Creates the result of a command.
    public init(
      succeeds: Bool, output: UdevRuleText = "", properties: [UdevRuleText: UdevRuleText] = [:]
    ) {
      self.succeeds = succeeds
      self.output = output
      self.properties = properties
    }
  }

  /// The version of systemd.
  public var version: UdevRuleVersion
  /// The command line of the kernel, or of the first process in a container.
  public var commandLine: UdevRuleText?
  /// The values of `CONST{…}`, keyed by the names in braces.
  public var constants: [UdevRuleText: UdevRuleText] = [:]
  /// The kernel settings, keyed by their paths below `/proc/sys`, without line ends.
  public var settings: [UdevRuleText: UdevRuleFact<UdevRuleText>] = [:]
  /// The modes of files including the file type, keyed by path.
  public var files: [UdevRuleText: UdevRuleFact<UInt32>] = [:]
  /// The contents of files from which rules import properties, keyed by path.
  public var contents: [UdevRuleText: UdevRuleFact<UdevRuleText>] = [:]
  /// The IDs of users, keyed by name.
  public var users: [UdevRuleText: UdevRuleFact<UInt32>] = [:]
  /// The IDs of groups, keyed by name.
  public var groups: [UdevRuleText: UdevRuleFact<UInt32>] = [:]
  /// Other devices, keyed by subsystem, a slash and the device name.
  public var devices: [UdevRuleText: UdevRuleFact<UdevRuleDevice>] = [:]
  /// The results of programs, keyed by command.
  public var programs: [UdevRuleText: Run] = [:]
  /// The results of built-in commands and of udev's own programs for this device, keyed by command.
  public var builtins: [UdevRuleText: Run] = [:]
  /// The properties that were set for udevd itself with `udevadm control --property`.
  public var properties: [UdevRuleText: UdevRuleText] = [:]

  /// A Boolean value that indicates whether a new udevd process handles the event, rather than one
  /// that waited for events.
  ///
  /// It is `nil` if that is unknown, which is almost always the case.
  public var isNewProcess: Bool?

  /// Creates an environment without observations.
  public init(version: UdevRuleVersion) {
    self.version = version
  }
}
