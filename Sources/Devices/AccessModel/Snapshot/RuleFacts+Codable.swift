public import UdevRules

extension RuleFacts: Codable {
  private enum Keys: String, CodingKey {
    case node, version, release, files, device, parents, record, handled, environment, daemon
    case isVersionKnown = "version_known"
    case staticModule = "static_module"
  }

  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: Keys.self)
    self.init(
      node: try values.decode(String.self, forKey: .node),
      files: try values.boundedIfPresent(.files, limit: RuleLimits.files) ?? [],
      version: UdevRuleVersion(
        try values.decode(Int.self, forKey: .version),
        release: try values.decodeIfPresent(Int.self, forKey: .release)),
      isVersionKnown: try values.decodeIfPresent(Bool.self, forKey: .isVersionKnown) ?? true)
    device = try values.decodeIfPresent(UdevRuleDevice.self, forKey: .device)
    parents = try values.boundedIfPresent(.parents, limit: RuleLimits.parents) ?? []
    record = try values.decodeIfPresent(UdevRuleEvent.Record.self, forKey: .record)
    handled = try values.decodeIfPresent(Int64.self, forKey: .handled)
    if let found = try values.decodeIfPresent(EncodedRuleEnvironment.self, forKey: .environment) {
      environment = found.environment(version)
    }
    daemon = try values.decodeIfPresent(Daemon.self, forKey: .daemon) ?? Daemon()
    staticModule = try values.decodeIfPresent(String.self, forKey: .staticModule)
  }

  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: Keys.self)
    try values.encode(node, forKey: .node)
    try values.encode(version.number, forKey: .version)
    try values.encodeIfPresent(version.release, forKey: .release)
    if !isVersionKnown { try values.encode(isVersionKnown, forKey: .isVersionKnown) }
    try values.encode(files, forKey: .files)
    try values.encodeIfPresent(device, forKey: .device)
    try values.encode(parents, forKey: .parents)
    try values.encodeIfPresent(record, forKey: .record)
    try values.encodeIfPresent(handled, forKey: .handled)
    try values.encode(EncodedRuleEnvironment(environment), forKey: .environment)
    try values.encode(daemon, forKey: .daemon)
    try values.encodeIfPresent(staticModule, forKey: .staticModule)
  }
}

/// The limits of rules from an external source.
package enum RuleLimits {
  /// The maximum number of files.
  package static let files = 4096
  /// The maximum size of one file in bytes.
  package static let fileBytes = 16 << 20
  /// The maximum total size of all files in bytes.
  package static let bytes = 32 << 20
  /// The maximum number of parents of a device.
  package static let parents = 64
}

extension RuleFile: Codable {
  private enum Keys: String, CodingKey {
    case path, state, text, owner, modified, problem
  }

  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: Keys.self)
    let path = try values.decode(String.self, forKey: .path)
    // A command would interpret a relative path that starts with a hyphen as an option.
    guard path.utf8.first == UInt8(ascii: "/") else {
      throw values.invalid(.path, "a path is not absolute")
    }
    let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) ?? path.startIndex
    let text = try values.decodeIfPresent(String.self, forKey: .text) ?? ""
    self.init(
      folder: String(path[..<slash]), name: String(path[slash...].dropFirst()),
      state: try values.decodeIfPresent(State.self, forKey: .state) ?? .rules,
      bytes: ByteText(text).bytes,
      owner: try values.decodeIfPresent(UInt32.self, forKey: .owner),
      modified: try values.decodeIfPresent(Int64.self, forKey: .modified),
      problem: try values.decodeIfPresent(String.self, forKey: .problem))
  }

  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: Keys.self)
    try values.encode(path, forKey: .path)
    if state != .rules { try values.encode(state, forKey: .state) }
    try values.encodeIfPresent(owner, forKey: .owner)
    try values.encodeIfPresent(modified, forKey: .modified)
    try values.encodeIfPresent(problem, forKey: .problem)
    if state == .rules { try values.encode(ByteText(bytes: bytes).text, forKey: .text) }
  }
}

/// The snapshot form of a `UdevRuleEnvironment`.
struct EncodedRuleEnvironment: Codable {
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

extension UdevRuleDevice: Codable {
  private enum Keys: String, CodingKey {
    case path, subsystem, driver, node, number, attributes, properties, tags
    case currentTags = "current_tags"
  }

  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: Keys.self)
    func text(_ key: Keys) throws -> UdevRuleText? {
      try values.decodeIfPresent(String.self, forKey: key).map { UdevRuleText(exact: $0) }
    }
    let attributes =
      try values.decodeIfPresent([String: String?].self, forKey: .attributes) ?? [:]
    let properties =
      try values.decodeIfPresent([String: String].self, forKey: .properties) ?? [:]
    let tags = try values.decodeIfPresent([String].self, forKey: .tags) ?? []
    self.init(
      path: UdevRuleText(exact: try values.decode(String.self, forKey: .path)),
      subsystem: try text(.subsystem), driver: try text(.driver), node: try text(.node),
      number: try values.decodeIfPresent(DeviceNumber.self, forKey: .number).map {
        Number(major: $0.major, minor: $0.minor)
      },
      attributes: RuleMembers.facts(attributes) { UdevRuleText(exact: $0) },
      properties: RuleMembers.values(properties), tags: Set(tags.map { UdevRuleText(exact: $0) }),
      currentTags: try values.decodeIfPresent([String].self, forKey: .currentTags).map { tags in
        Set(tags.map { UdevRuleText(exact: $0) })
      })
  }

  /// Encodes the device; attributes that were not observed are unknown after decoding.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: Keys.self)
    try values.encode(path.exact, forKey: .path)
    try values.encodeIfPresent(subsystem?.exact, forKey: .subsystem)
    try values.encodeIfPresent(driver?.exact, forKey: .driver)
    try values.encodeIfPresent(node?.exact, forKey: .node)
    try values.encodeIfPresent(
      number.map { DeviceNumber(major: $0.major, minor: $0.minor) }, forKey: .number)
    if !attributes.isEmpty {
      try values.encode(sorted: RuleMembers.members(attributes) { $0.exact }, forKey: .attributes)
    }
    try values.encode(sorted: RuleMembers.texts(properties), forKey: .properties)
    if !tags.isEmpty { try values.encode(tags.sorted().map(\.exact), forKey: .tags) }
    try values.encodeIfPresent(currentTags?.sorted().map(\.exact), forKey: .currentTags)
  }
}

extension UdevRuleEvent.Record: Codable {
  private enum Keys: String, CodingKey {
    case properties, tags, links
    case currentTags = "current_tags"
  }

  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: Keys.self)
    func texts(_ key: Keys) throws -> Set<UdevRuleText> {
      Set(
        (try values.decodeIfPresent([String].self, forKey: key) ?? []).map {
          UdevRuleText(exact: $0)
        })
    }
    self.init(
      properties: RuleMembers.values(
        try values.decodeIfPresent([String: String].self, forKey: .properties) ?? [:]),
      tags: try texts(.tags),
      currentTags: values.contains(.currentTags) ? try texts(.currentTags) : nil,
      links: try texts(.links))
  }

  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: Keys.self)
    try values.encode(sorted: RuleMembers.texts(properties), forKey: .properties)
    try values.encode(tags.sorted().map(\.exact), forKey: .tags)
    try values.encodeIfPresent(currentTags?.sorted().map(\.exact), forKey: .currentTags)
    try values.encode(links.sorted().map(\.exact), forKey: .links)
  }
}

/// Converts facts to members of a JSON object and back, with `null` for an absent value.
enum RuleMembers {
  static func members<Value, Encoded>(
    _ facts: [UdevRuleText: UdevRuleFact<Value>], _ encoded: (Value) -> Encoded
  ) -> [String: Encoded?] {
    Dictionary(
      facts.map { ($0.key.exact, $0.value.value.map(encoded)) },
      uniquingKeysWith: { first, _ in first })
  }

  static func facts<Value, Encoded>(
    _ members: [String: Encoded?], _ decoded: (Encoded) -> Value
  ) -> [UdevRuleText: UdevRuleFact<Value>] {
    Dictionary(
      members.map {
        (UdevRuleText(exact: $0.key), $0.value.map { .present(decoded($0)) } ?? .absent)
      },
      uniquingKeysWith: { first, _ in first })
  }

  static func texts(_ values: [UdevRuleText: UdevRuleText]) -> [String: String] {
    Dictionary(
      values.map { ($0.key.exact, $0.value.exact) }, uniquingKeysWith: { first, _ in first })
  }

  static func values(_ texts: [String: String]) -> [UdevRuleText: UdevRuleText] {
    Dictionary(
      texts.map { (UdevRuleText(exact: $0.key), UdevRuleText(exact: $0.value)) },
      uniquingKeysWith: { first, _ in first })
  }
}
