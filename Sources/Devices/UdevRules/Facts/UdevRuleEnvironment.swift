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
