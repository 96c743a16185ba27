/// The user and group ID maps of a user namespace or an id-mapped mount.
public struct IDMapping: Hashable, Sendable {
  /// The map of user IDs (`uid_map`).
  public var users: IDMap
  /// The map of group IDs (`gid_map`).
  public var groups: IDMap

  /// Creates a mapping from the two maps of a namespace or mount.
  public init(users: IDMap, groups: IDMap) {
    self.users = users
    self.groups = groups
  }
}

/// A map of user or group IDs, such as `/proc/PID/uid_map` or the map of an id-mapped mount.
///
/// An ID that no range covers is not mapped. An empty map maps no IDs.
public struct IDMap: Hashable, Sendable {
  /// A range of `length` IDs that starts at `inside` and maps to the range that starts at
  /// `outside`.
  public struct Range: Hashable, Sendable {
    /// The first ID as numbered inside the namespace, or in the inodes behind an id-mapped mount.
    public var inside: UInt32
    /// The first ID as numbered outside.
    public var outside: UInt32
    /// The number of IDs in the range.
    public var length: UInt32

    /// Creates a range from three values, in the order of a line in `/proc/PID/uid_map`.
    public init(inside: UInt32, outside: UInt32, length: UInt32) {
      self.inside = inside
      self.outside = outside
      self.length = length
    }
  }

  /// The ranges in the order of the kernel's file; the first one that covers an ID applies.
  public var ranges: [Range]

  /// Creates a map from ranges; an empty array maps no IDs.
  public init(_ ranges: [Range]) {
    self.ranges = ranges
  }
}

extension IDMap {
  /// Returns the outside ID for an inside ID; `nil` if no range covers it.
  ///
  /// The kernel's function is `map_id_down`.
  public func outside(_ inside: UInt32) -> UInt32? {
    for range in ranges where inside >= range.inside && inside - range.inside < range.length {
      let (id, overflow) = range.outside.addingReportingOverflow(inside - range.inside)
      return overflow || id == .max ? nil : id
    }
    return nil
  }

  /// Returns the inside ID for an outside ID; `nil` if no range covers it.
  ///
  /// The kernel's function is `map_id_up`.
  public func inside(_ outside: UInt32) -> UInt32? {
    for range in ranges where outside >= range.outside && outside - range.outside < range.length {
      let (id, overflow) = range.inside.addingReportingOverflow(outside - range.outside)
      return overflow || id == .max ? nil : id
    }
    return nil
  }
}

extension Mount {
  /// Returns the user that an inode's owner appears as on this mount; `nil` if the ID is not
  /// mapped.
  ///
  /// The kernel's function is `make_vfsuid`.
  public func userSeen(_ id: UInt32) -> UInt32? {
    Self.seen(id, through: idmap?.users, of: filesystemNamespace?.users)
  }

  /// Returns the group that an inode's group appears as on this mount; `nil` if the ID is not
  /// mapped.
  ///
  /// The kernel's function is `make_vfsgid`.
  public func groupSeen(_ id: UInt32) -> UInt32? {
    Self.seen(id, through: idmap?.groups, of: filesystemNamespace?.groups)
  }

  /// Returns the owner that is stored for a file that a user creates on this mount.
  ///
  /// The kernel's functions are `mapped_fsuid` and `fsuidgid_has_mapping`.
  ///
  /// - Parameter id: The filesystem user ID of the thread that creates the file.
  /// - Returns: The owner; `nil` if the filesystem cannot store one for this user.
  public func userStored(_ id: UInt32) -> UInt32? {
    Self.stored(id, through: idmap?.users, of: filesystemNamespace?.users)
  }

  /// Returns the group that is stored for a file that a user creates on this mount.
  ///
  /// The kernel's functions are `mapped_fsgid` and `fsuidgid_has_mapping`.
  ///
  /// - Parameter id: The filesystem group ID of the thread that creates the file.
  /// - Returns: The group; `nil` if the filesystem cannot store one for this group ID.
  public func groupStored(_ id: UInt32) -> UInt32? {
    Self.stored(id, through: idmap?.groups, of: filesystemNamespace?.groups)
  }

  private static func stored(
    _ id: UInt32, through map: IDMap?, of filesystem: IDMap?
  ) -> UInt32? {
    if id == .max { return nil }
    guard let map else { return filesystem.map { $0.inside(id) != nil } ?? true ? id : nil }
    guard let inside = map.inside(id) else { return nil }
    guard let filesystem else { return inside }
    return filesystem.outside(inside)
  }

  private static func seen(_ id: UInt32, through map: IDMap?, of filesystem: IDMap?) -> UInt32? {
    guard let map else { return id == .max ? nil : id }
    guard let filesystem else { return map.outside(id) }
    return filesystem.inside(id).flatMap { map.outside($0) }
  }
}

extension IDMapping: Codable {
  private enum CodingKeys: String, CodingKey {
    case users = "uid_map"
    case groups = "gid_map"
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
