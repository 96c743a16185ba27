extension Node: Codable {
  private enum Keys: String, CodingKey {
    case path
    case type
    case mode
    case uid
    case gid
    case acl
    case rdev
    case target
    case flags
    case unobserved
  }

  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: Keys.self)
    path = try values.decode(String.self, forKey: .path)
    if let problem = CaseLimits.problem(ofCanonical: path) {
      throw values.invalid(.path, problem)
    }
    type = try values.decode(FileType.self, forKey: .type)
    let text = try values.decode(String.self, forKey: .mode)
    guard let bits = UInt16(text, radix: 8), bits <= 0o7777, !text.hasPrefix("+") else {
      throw values.invalid(.mode, "a mode is up to 7777 in octal")
    }
    mode = bits
    uid = try values.decode(UInt32.self, forKey: .uid)
    gid = try values.decode(UInt32.self, forKey: .gid)
    acl = try values.boundedIfPresent(.acl, limit: CaseLimits.entries)
    rdev = try values.decodeIfPresent(DeviceNumber.self, forKey: .rdev)
    target = try values.decodeIfPresent(String.self, forKey: .target)
    if let target, let problem = CaseLimits.problem(ofText: target, limit: CaseLimits.path) {
      throw values.invalid(.target, problem)
    }
    flags = try values.decodeIfPresent(Set<Flag>.self, forKey: .flags) ?? []
    unobserved = try values.decodeIfPresent(Set<Element>.self, forKey: .unobserved) ?? []
    guard !unobserved.contains(.status) else { return }
    if type.isDevice && rdev == nil {
      throw values.invalid(.rdev, "a device has a device number")
    }
    if type == .symbolicLink && target == nil && !unobserved.contains(.target) {
      throw values.invalid(.target, "a symbolic link has a target")
    }
  }

  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: Keys.self)
    try values.encode(path, forKey: .path)
    try values.encode(type, forKey: .type)
    let octal = String(mode, radix: 8)
    try values.encode(String(repeating: "0", count: max(0, 4 - octal.count)) + octal, forKey: .mode)
    try values.encode(uid, forKey: .uid)
    try values.encode(gid, forKey: .gid)
    try values.encodeIfPresent(acl, forKey: .acl)
    try values.encodeIfPresent(rdev, forKey: .rdev)
    try values.encodeIfPresent(target, forKey: .target)
    try values.encodeSorted(flags, forKey: .flags)
    try values.encodeSorted(unobserved, forKey: .unobserved)
  }
}
