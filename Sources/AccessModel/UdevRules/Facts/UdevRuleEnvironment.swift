/// What rules can ask besides the device.
///
/// What is not listed was not observed.
public struct UdevRuleEnvironment: Hashable, Sendable {
  /// What a program or a built-in command would do.
  public struct Run: Hashable, Sendable {
    /// Whether it succeeds.
    public var succeeds: Bool
    /// What it prints, of a program.
    public var output: UdevRuleText
    /// What it sets, of a command of udev's own.
    public var properties: [UdevRuleText: UdevRuleText]

    /// Describes a run.
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
  /// The command line of the kernel, or of the container's first process.
  public var commandLine: UdevRuleText?
  /// The values of `CONST{…}`.
  public var constants: [UdevRuleText: UdevRuleText] = [:]
  /// Settings of the kernel by their path below `/proc/sys`, without the ends of lines.
  public var settings: [UdevRuleText: UdevRuleFact<UdevRuleText>] = [:]
  /// The modes of files, with their types.
  public var files: [UdevRuleText: UdevRuleFact<UInt32>] = [:]
  /// What files hold from which properties are imported.
  public var contents: [UdevRuleText: UdevRuleFact<UdevRuleText>] = [:]
  /// The IDs of users.
  public var users: [UdevRuleText: UdevRuleFact<UInt32>] = [:]
  /// The IDs of groups.
  public var groups: [UdevRuleText: UdevRuleFact<UInt32>] = [:]
  /// Other devices, by subsystem, a slash and name.
  public var devices: [UdevRuleText: UdevRuleFact<UdevRuleDevice>] = [:]
  /// What programs do, by their command.
  public var programs: [UdevRuleText: Run] = [:]
  /// What built-in commands, and programs that come with udev, do for this device, by their command.
  public var builtins: [UdevRuleText: Run] = [:]
  /// Properties that somebody gave udevd itself with `udevadm control --property`.
  public var properties: [UdevRuleText: UdevRuleText] = [:]

  /// Whether the process of udevd that handles the event is new, or waited for events; `nil` when
  /// that is not known, as it hardly ever is.
  public var isNewProcess: Bool?

  /// Describes an environment in which nothing was observed.
  public init(version: UdevRuleVersion) {
    self.version = version
  }
}
