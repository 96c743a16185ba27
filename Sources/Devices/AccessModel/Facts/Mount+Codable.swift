extension Mount: Codable {
  private enum Keys: String, CodingKey {
    case at
    case fstype
    case superblockReadOnly = "sb_ro"
    case superblockNodev = "sb_nodev"
    case readOnly = "ro"
    case nodev
    case noexec
    case nosymfollow
    case nosuid
    case idmap
    case filesystemNamespace = "fs_userns"
    case source
    case fuse
    case unobserved
  }

  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: Keys.self)
    at = try values.decode(String.self, forKey: .at)
    if let problem = CaseLimits.problem(ofCanonical: at) { throw values.invalid(.at, problem) }
    fstype = try values.decode(String.self, forKey: .fstype)
    superblockReadOnly = try values.decode(Bool.self, forKey: .superblockReadOnly)
    superblockNodev = try values.decode(Bool.self, forKey: .superblockNodev)
    readOnly = try values.decode(Bool.self, forKey: .readOnly)
    nodev = try values.decode(Bool.self, forKey: .nodev)
    noexec = try values.decode(Bool.self, forKey: .noexec)
    nosymfollow = try values.decode(Bool.self, forKey: .nosymfollow)
    nosuid = try values.decodeIfPresent(Bool.self, forKey: .nosuid) ?? false
    idmap = try values.decodeIfPresent(IDMapping.self, forKey: .idmap)
    filesystemNamespace = try values.decodeIfPresent(
      IDMapping.self, forKey: .filesystemNamespace)
    source = try values.decodeIfPresent(String.self, forKey: .source)
    fuse = try values.decodeIfPresent(FuseOptions.self, forKey: .fuse)
    unobserved = try values.decodeIfPresent(Set<Element>.self, forKey: .unobserved) ?? []
    // A null value means that the mount has no maps; a missing key means that they are unknown. The
    // namespace of the superblock matters only if there are maps.
    if !values.contains(.idmap) || idmap != nil && !values.contains(.filesystemNamespace) {
      unobserved.insert(.idmap)
    }
  }

  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: Keys.self)
    try values.encode(at, forKey: .at)
    try values.encode(fstype, forKey: .fstype)
    try values.encode(superblockReadOnly, forKey: .superblockReadOnly)
    try values.encode(superblockNodev, forKey: .superblockNodev)
    try values.encode(readOnly, forKey: .readOnly)
    try values.encode(nodev, forKey: .nodev)
    try values.encode(noexec, forKey: .noexec)
    try values.encode(nosymfollow, forKey: .nosymfollow)
    if nosuid { try values.encode(nosuid, forKey: .nosuid) }
    try values.encode(idmap, forKey: .idmap)
    try values.encode(filesystemNamespace, forKey: .filesystemNamespace)
    try values.encodeIfPresent(source, forKey: .source)
    try values.encodeIfPresent(fuse, forKey: .fuse)
    try values.encodeSorted(unobserved, forKey: .unobserved)
  }
}

extension KeyedEncodingContainer {
  /// Encodes the elements of a set in sorted order, or nothing if the set is empty.
  mutating func encodeSorted<Element: RawRepresentable & Hashable>(
    _ set: Set<Element>, forKey key: Key
  ) throws where Element.RawValue == String {
    guard !set.isEmpty else { return }
    try encode(set.map(\.rawValue).sorted(), forKey: key)
  }
}
