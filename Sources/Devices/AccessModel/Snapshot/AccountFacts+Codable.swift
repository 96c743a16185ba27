extension AccountFacts {
  private enum Keys: String, CodingKey {
    case user
    case home
    case loginGroups = "login_groups"
    case moduleGroups = "module_groups"
    case userNames = "user_names"
    case groupNames = "group_names"
  }

  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: Keys.self)
    user = try values.decodeIfPresent(String.self, forKey: .user)
    home = try values.decodeIfPresent(String.self, forKey: .home)
    loginGroups = try values.boundedIfPresent(.loginGroups, limit: CaseLimits.groups)
    moduleGroups = try values.boundedIfPresent(.moduleGroups, limit: CaseLimits.groups) ?? []
    userNames = try values.names(.userNames)
    groupNames = try values.names(.groupNames)
  }

  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: Keys.self)
    try values.encodeIfPresent(user, forKey: .user)
    try values.encodeIfPresent(home, forKey: .home)
    try values.encodeIfPresent(loginGroups, forKey: .loginGroups)
    if !moduleGroups.isEmpty { try values.encode(moduleGroups, forKey: .moduleGroups) }
    try values.encode(names: userNames, forKey: .userNames)
    try values.encode(names: groupNames, forKey: .groupNames)
  }
}

/// An ID as the key of a member of a JSON object, such as `"1000"`.
private struct IDKey: CodingKey {
  let id: UInt32

  init(_ id: UInt32) {
    self.id = id
  }

  /// Creates a key from decimal digits; any other text fails.
  init?(stringValue: String) {
    guard stringValue.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
      let id = UInt32(stringValue)
    else { return nil }
    self.id = id
  }

  init?(intValue: Int) {
    guard let id = UInt32(exactly: intValue) else { return nil }
    self.id = id
  }

  var stringValue: String { String(id) }
  var intValue: Int? { nil }
}

extension KeyedDecodingContainer {
  /// Decodes the names of IDs, or none if the member is absent.
  ///
  /// Keys that are not IDs are ignored.
  fileprivate func names(_ key: Key) throws -> [UInt32: String] {
    guard contains(key), try !decodeNil(forKey: key) else { return [:] }
    let object = try nestedContainer(keyedBy: IDKey.self, forKey: key)
    guard object.allKeys.count <= SnapshotLimits.names else {
      throw invalid(key, "more than \(SnapshotLimits.names) names")
    }
    var names: [UInt32: String] = [:]
    for id in object.allKeys { names[id.id] = try object.decode(String.self, forKey: id) }
    return names
  }
}

extension KeyedEncodingContainer {
  fileprivate mutating func encode(names: [UInt32: String], forKey key: Key) throws {
    guard !names.isEmpty else { return }
    var object = nestedContainer(keyedBy: IDKey.self, forKey: key)
    for (id, name) in names.sorted(by: { $0.key < $1.key }) {
      try object.encode(name, forKey: IDKey(id))
    }
  }
}
