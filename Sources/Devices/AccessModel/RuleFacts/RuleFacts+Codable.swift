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
    if let found = try values.decodeIfPresent(RuleSurroundings.self, forKey: .environment) {
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
    try values.encode(RuleSurroundings(environment), forKey: .environment)
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
