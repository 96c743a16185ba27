/// What a part of a line does, in the order in which udevd does it.
///
/// The parts of a line take effect in this order, however they are written.
public enum UdevRuleKey: UInt8, Hashable, Sendable, CaseIterable, Comparable {
  // Matches against the device itself.
  case action, devicePath, kernel, link, name, property, constant, tag, subsystem, driver, waitFor
  case attribute, sysctl
  // Matches against the device and its parents.
  case parentKernel, parentSubsystem, parentDriver, parentAttribute, parentTag
  // Matches that look outside, or do something.
  case test, program, importFile, importProgram, importBuiltin, importDatabase, importCommandLine
  case importParent, result
  // Assignments.
  case dump, escapeNone, escapeReplace, persist, watch, linkPriority, logLevel
  case owner, group, mode, ownerID, groupID, modeID
  case addTag, staticNode, securityLabel, setProperty, setName, addLink, setAttribute, setSysctl
  case runBuiltin, runProgram

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
