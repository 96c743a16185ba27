/// What a part of a line does, in the order in which udevd does it.
///
/// The parts of a line take effect in this order, however they are written.
public enum UdevRuleKey: UInt8, Hashable, Sendable, CaseIterable, Comparable {
  // Matches against the device itself.

  /// What happened to the device.
  case action
  /// Its path below `/sys`.
  case devicePath
  /// Its name in the kernel.
  case kernel
  /// One of its links.
  case link
  /// The name that a line gave a network interface.
  case name
  /// A property.
  case property
  /// A constant of the machine.
  case constant
  /// One of its tags.
  case tag
  /// Its subsystem.
  case subsystem
  /// Its driver.
  case driver
  /// A file that udevd waits for.
  case waitFor
  /// An attribute.
  case attribute
  /// A setting of the kernel.
  case sysctl

  // Matches against the device and its parents.

  /// The name in the kernel.
  case parentKernel
  /// The subsystem.
  case parentSubsystem
  /// The driver.
  case parentDriver
  /// An attribute.
  case parentAttribute
  /// One of the tags.
  case parentTag

  // Matches that look outside, or do something.

  /// Whether a file exists.
  case test
  /// Whether a program succeeds.
  case program
  /// Takes properties from a file.
  case importFile
  /// Takes properties from what a program prints.
  case importProgram
  /// Takes properties from a command inside udevd.
  case importBuiltin
  /// Takes a property from the database.
  case importDatabase
  /// Takes a property from the kernel's command line.
  case importCommandLine
  /// Takes properties from the parent.
  case importParent
  /// What the last program printed.
  case result

  // Assignments.

  /// Prints the state of the event.
  case dump
  /// Lets names have any characters.
  case escapeNone
  /// Replaces characters in names and properties.
  case escapeReplace
  /// Keeps the entry of the database.
  case persist
  /// Watches the node for writers.
  case watch
  /// The priority of the links.
  case linkPriority
  /// How much udevd logs.
  case logLevel
  /// An owner with substitutions.
  case owner
  /// A group with substitutions.
  case group
  /// A mode with substitutions.
  case mode
  /// An owner.
  case ownerID
  /// A group.
  case groupID
  /// A mode.
  case modeID
  /// A tag.
  case addTag
  /// A node that gets mode, owner and group without an event.
  case staticNode
  /// The label of a security module.
  case securityLabel
  /// A property.
  case setProperty
  /// The name of a network interface.
  case setName
  /// A link.
  case addLink
  /// Writes an attribute.
  case setAttribute
  /// Writes a setting of the kernel.
  case setSysctl
  /// A command inside udevd that runs afterwards.
  case runBuiltin
  /// A program that runs afterwards.
  case runProgram

  /// Whether it asks, and does not assign.
  public var isMatch: Bool { self <= .result }

  /// Whether it is asked of the device and its parents; all of a line need the same one.
  public var isOfParents: Bool { self >= .parentKernel && self <= .parentTag }

  /// Whether the value is split at its bars.
  var isSplit: Bool { self < .test || self == .result }

  /// Whether it changes an event although it is a match.
  var changesEvent: Bool { self >= .program && self <= .importParent }

  /// Whether it concerns only devices that have a node.
  var concernsNode: Bool {
    self == .addLink || (self >= .owner && self <= .modeID)
  }

  /// Compares by the order of processing.
  public static func < (left: UdevRuleKey, right: UdevRuleKey) -> Bool {
    left.rawValue < right.rawValue
  }

  /// The key as it is written, without what is in braces; matches of all kinds of `OPTIONS` are one.
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
