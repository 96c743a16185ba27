/// The kinds of parts that a rule line can have, in the order in which udevd processes them.
///
/// The parts of a line take effect in this order, regardless of the order in which they are
/// written.
public enum UdevRuleKey: UInt8, Hashable, Sendable, CaseIterable, Comparable {
  // Matches against the device itself.

  /// The action of the event.
  case action
  /// The path of the device below `/sys`.
  case devicePath
  /// The kernel name of the device.
  case kernel
  /// A link to the node.
  case link
  /// The name that a line has given to a network interface.
  case name
  /// A property of the device.
  case property
  /// A constant of the machine.
  case constant
  /// A tag of the device.
  case tag
  /// The subsystem of the device.
  case subsystem
  /// The driver of the device.
  case driver
  /// A file that udevd waits for.
  case waitFor
  /// An attribute of the device.
  case attribute
  /// A kernel setting.
  case sysctl

  // Matches against the device and its parents.

  /// The kernel name of the device or a parent.
  case parentKernel
  /// The subsystem of the device or a parent.
  case parentSubsystem
  /// The driver of the device or a parent.
  case parentDriver
  /// An attribute of the device or a parent.
  case parentAttribute
  /// A tag of the device or a parent.
  case parentTag

  // Matches that refer to something other than the device, or that have an effect.

  /// Matches if a file exists.
  case test
  /// Matches if a program succeeds.
  case program
  /// Imports properties from a file.
  case importFile
  /// Imports properties from the output of a program.
  case importProgram
  /// Imports properties from a built-in command.
  case importBuiltin
  /// Imports a property from the database.
  case importDatabase
  /// Imports a property from the kernel command line.
  case importCommandLine
  /// Imports properties from the parent.
  case importParent
  /// The output of the last program.
  case result

  // Assignments.

  /// Prints the state of the event.
  case dump
  /// Allows any characters in names.
  case escapeNone
  /// Replaces disallowed characters in names and properties.
  case escapeReplace
  /// Keeps the database entry.
  case persist
  /// Determines whether udevd watches the node for writes.
  case watch
  /// Sets the priority of the links.
  case linkPriority
  /// Sets the log level for the event.
  case logLevel
  /// Sets the owner to a value with substitutions.
  case owner
  /// Sets the group to a value with substitutions.
  case group
  /// Sets the mode to a value with substitutions.
  case mode
  /// Sets the owner to a fixed value.
  case ownerID
  /// Sets the group to a fixed value.
  case groupID
  /// Sets the mode to a fixed value.
  case modeID
  /// Adds or removes a tag.
  case addTag
  /// Sets the mode, owner and group of a node without an event.
  case staticNode
  /// Sets the label of a security module.
  case securityLabel
  /// Sets a property.
  case setProperty
  /// Sets the name of a network interface.
  case setName
  /// Adds or removes a link.
  case addLink
  /// Writes an attribute.
  case setAttribute
  /// Writes a kernel setting.
  case setSysctl
  /// Runs a built-in command after the rules.
  case runBuiltin
  /// Runs a program after the rules.
  case runProgram

  /// A Boolean value that indicates whether the key is a match, not an assignment.
  public var isMatch: Bool { self <= .result }

  /// A Boolean value that indicates whether the key is compared with the device and its parents.
  ///
  /// The same device must satisfy all such matches of a line.
  public var isOfParents: Bool { self >= .parentKernel && self <= .parentTag }

  /// A Boolean value that indicates whether bars in the value separate alternatives.
  var isSplit: Bool { self < .test || self == .result }

  /// A Boolean value that indicates whether the key changes the event although it is a match.
  package var changesEvent: Bool { self >= .program && self <= .importParent }

  /// A Boolean value that indicates whether the key affects only devices that have a node.
  var concernsNode: Bool {
    self == .addLink || (self >= .owner && self <= .modeID)
  }

  /// Compares keys by the order in which udevd processes them.
  public static func < (left: UdevRuleKey, right: UdevRuleKey) -> Bool {
    left.rawValue < right.rawValue
  }

  /// The key as it is written, without the part in braces.
  ///
  /// All kinds of options have the key `OPTIONS`.
  public var word: String {
    switch self {
    case .action: "ACTION"
    case .devicePath: "DEVPATH"
    case .kernel: "KERNEL"
    case .link, .addLink: "SYMLINK"
    case .name, .setName: "NAME"
    case .property, .setProperty: "ENV"
    case .constant: "CONST"
    case .tag, .addTag: "TAG"
    case .subsystem: "SUBSYSTEM"
    case .driver: "DRIVER"
    case .waitFor: "WAIT_FOR"
    case .attribute, .setAttribute: "ATTR"
    case .sysctl, .setSysctl: "SYSCTL"
    case .parentKernel: "KERNELS"
    case .parentSubsystem: "SUBSYSTEMS"
    case .parentDriver: "DRIVERS"
    case .parentAttribute: "ATTRS"
    case .parentTag: "TAGS"
    case .test: "TEST"
    case .program: "PROGRAM"
    case .importFile, .importProgram, .importBuiltin, .importDatabase, .importCommandLine,
      .importParent:
      "IMPORT"
    case .result: "RESULT"
    case .dump, .escapeNone, .escapeReplace, .persist, .watch, .linkPriority, .logLevel,
      .staticNode:
      "OPTIONS"
    case .owner, .ownerID: "OWNER"
    case .group, .groupID: "GROUP"
    case .mode, .modeID: "MODE"
    case .securityLabel: "SECLABEL"
    case .runBuiltin, .runProgram: "RUN"
    }
  }
}
