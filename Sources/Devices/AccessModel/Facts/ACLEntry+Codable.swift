/// An array of the tag, the ID or null, and the permissions, such as `["u", 1000, 6]`.
extension ACLEntry: Codable {
  public init(from decoder: any Decoder) throws {
    var parts = try decoder.unkeyedContainer()
    guard let tag = Tag(rawValue: try parts.decode(String.self)) else {
      throw DecodingError.dataCorruptedError(
        in: parts, debugDescription: "the tag of an entry is u, g, m or o")
    }
    self.tag = tag
    id = try parts.decodeNil() ? nil : try parts.decode(UInt32.self)
    if id != nil && (tag == .mask || tag == .other) {
      throw DecodingError.dataCorruptedError(
        in: parts, debugDescription: "only users and groups have an id")
    }
    let bits = try parts.decode(UInt8.self)
    guard bits <= 7 else {
      throw DecodingError.dataCorruptedError(
        in: parts, debugDescription: "permissions are 0 to 7")
    }
    permissions = Permissions(rawValue: bits)
    guard parts.isAtEnd else {
      throw DecodingError.dataCorruptedError(
        in: parts, debugDescription: "an entry has three parts")
    }
  }

  public func encode(to encoder: any Encoder) throws {
    var parts = encoder.unkeyedContainer()
    try parts.encode(tag.rawValue)
    if let id { try parts.encode(id) } else { try parts.encodeNil() }
    try parts.encode(permissions.rawValue)
  }
}
