extension IDMapping: Codable {
  private enum Keys: String, CodingKey {
    case users = "uid_map"
    case groups = "gid_map"
  }

  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: Keys.self)
    users = try values.decode(IDMap.self, forKey: .users)
    groups = try values.decode(IDMap.self, forKey: .groups)
  }

  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: Keys.self)
    try values.encode(users, forKey: .users)
    try values.encode(groups, forKey: .groups)
  }
}

/// An array of ranges.
extension IDMap: Codable {
  public init(from decoder: any Decoder) throws {
    var list = try decoder.unkeyedContainer()
    ranges = try list.bounded(limit: CaseLimits.ranges)
  }

  public func encode(to encoder: any Encoder) throws {
    var list = encoder.unkeyedContainer()
    for range in ranges { try list.encode(range) }
  }
}

/// An array of three numbers: `[inside, outside, length]`.
extension IDMap.Range: Codable {
  public init(from decoder: any Decoder) throws {
    var parts = try decoder.unkeyedContainer()
    inside = try parts.decode(UInt32.self)
    outside = try parts.decode(UInt32.self)
    length = try parts.decode(UInt32.self)
    guard parts.isAtEnd else {
      throw DecodingError.dataCorruptedError(
        in: parts, debugDescription: "a range has three parts")
    }
    // 4294967295 is not an ID, so the last ID of a range can be at most 4294967294.
    let room = UInt32.max - max(inside, outside)
    guard length <= room else {
      throw DecodingError.dataCorruptedError(
        in: parts, debugDescription: "a range goes beyond the last id")
    }
  }

  public func encode(to encoder: any Encoder) throws {
    var parts = encoder.unkeyedContainer()
    try parts.encode(inside)
    try parts.encode(outside)
    try parts.encode(length)
  }
}
