/// The snapshot form of a `UdevRuleEnvironment`.
struct RuleSurroundings: Codable {
  /// The result of a built-in command or a program of udev.
  struct Run: Codable {
    var succeeds: Bool
    var properties: [String: String]

    private enum CodingKeys: String, CodingKey {
      case succeeds, properties
    }

    func encode(to encoder: any Encoder) throws {
      var values = encoder.container(keyedBy: CodingKeys.self)
      try values.encode(succeeds, forKey: .succeeds)
      try values.encode(sorted: properties, forKey: .properties)
    }
  }

  private var commandLine: String?
  private var settings: [String: String?]
  private var files: [String: UInt32?]
  private var users: [String: UInt32?]
  private var groups: [String: UInt32?]
  private var devices: [String: UdevRuleDevice?]
  private var builtins: [String: Run]

  private enum CodingKeys: String, CodingKey {
    case commandLine = "command_line"
    case settings, files, users, groups, devices, builtins
  }

  init(_ environment: UdevRuleEnvironment) {
    commandLine = environment.commandLine?.exact
    settings = RuleMembers.members(environment.settings) { $0.exact }
    files = RuleMembers.members(environment.files) { $0 }
    users = RuleMembers.members(environment.users) { $0 }
    groups = RuleMembers.members(environment.groups) { $0 }
    devices = RuleMembers.members(environment.devices) { $0 }
    builtins = Dictionary(
      environment.builtins.map {
        (
          $0.key.exact,
          Run(succeeds: $0.value.succeeds, properties: RuleMembers.texts($0.value.properties))
        )
      }, uniquingKeysWith: { first, _ in first })
  }

  func environment(_ version: UdevRuleVersion) -> UdevRuleEnvironment {
    var environment = UdevRuleEnvironment(version: version)
    environment.commandLine = commandLine.map { UdevRuleText(exact: $0) }
    environment.settings = RuleMembers.facts(settings) { UdevRuleText(exact: $0) }
    environment.files = RuleMembers.facts(files) { $0 }
    environment.users = RuleMembers.facts(users) { $0 }
    environment.groups = RuleMembers.facts(groups) { $0 }
    environment.devices = RuleMembers.facts(devices) { $0 }
    for (command, run) in builtins {
      environment.builtins[UdevRuleText(exact: command)] = UdevRuleEnvironment.Run(
        succeeds: run.succeeds, properties: RuleMembers.values(run.properties))
    }
    return environment
  }

  init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    commandLine = try values.decodeIfPresent(String.self, forKey: .commandLine)
    settings = try values.decodeIfPresent([String: String?].self, forKey: .settings) ?? [:]
    files = try values.decodeIfPresent([String: UInt32?].self, forKey: .files) ?? [:]
    users = try values.decodeIfPresent([String: UInt32?].self, forKey: .users) ?? [:]
    groups = try values.decodeIfPresent([String: UInt32?].self, forKey: .groups) ?? [:]
    devices =
      try values.decodeIfPresent([String: UdevRuleDevice?].self, forKey: .devices) ?? [:]
    builtins = try values.decodeIfPresent([String: Run].self, forKey: .builtins) ?? [:]
  }

  func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encodeIfPresent(commandLine, forKey: .commandLine)
    // Most machines have few of these members.
    if !settings.isEmpty { try values.encode(sorted: settings, forKey: .settings) }
    if !files.isEmpty { try values.encode(sorted: files, forKey: .files) }
    if !users.isEmpty { try values.encode(sorted: users, forKey: .users) }
    if !groups.isEmpty { try values.encode(sorted: groups, forKey: .groups) }
    if !devices.isEmpty { try values.encode(sorted: devices, forKey: .devices) }
    if !builtins.isEmpty { try values.encode(sorted: builtins, forKey: .builtins) }
  }
}
