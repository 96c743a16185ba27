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
      number: try values.decodeIfPresent(DeviceNumber.self, forKey: .number),
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
    try values.encodeIfPresent(number, forKey: .number)
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
