/// An existing object on the requested path, either a directory or link on the way or the final
/// object.
public struct Node: Hashable, Sendable {
  /// An inode flag that permissions cannot override.
  public enum Flag: String, Hashable, Sendable, Codable {
    /// `S_IMMUTABLE`.
    case immutable
    /// `S_APPEND`.
    case append
  }

  /// A property of a node that could not be observed.
  public enum Element: String, Hashable, Sendable, Codable {
    /// The type, mode and owner: stat(2) failed for a reason other than absence.
    case status
    /// The access control list.
    case acl
    /// The immutable and append-only flags: the filesystem does not report them.
    case flags
    /// The contents of the directory.
    ///
    /// The observer is not permitted to search the directory, so a name that is not listed may
    /// still exist.
    case contents
    /// The target of the symbolic link.
    case target
  }

  /// The path, which is absolute and canonical: it contains no symbolic link, `.` or `..`.
  public var path: String
  /// The type of the object; a symbolic link and its target are separate nodes.
  public var type: FileType
  /// The permission bits (`st_mode & 07777`).
  ///
  /// If the node has an access control list, the group bits are its mask.
  public var mode: UInt16
  /// The inode's owner, as the initial user namespace numbers it.
  public var uid: UInt32
  /// The inode's group, as the initial user namespace numbers it.
  public var gid: UInt32
  /// The access control list in stored order; `nil` if the inode has none.
  public var acl: [ACLEntry]?
  /// The device number of a character or block device.
  public var rdev: DeviceNumber?
  /// The target of a symbolic link.
  public var target: String?
  /// The inode flags that restrict writing, from the `stx_attributes` of statx(2).
  public var flags: Set<Flag> = []
  /// The properties that could not be observed; their values are ignored.
  public var unobserved: Set<Element> = []

  /// Creates a fully observed node without an access control list, flags, device number or target.
  public init(path: String, type: FileType, mode: UInt16, uid: UInt32, gid: UInt32) {
    self.path = path
    self.type = type
    self.mode = mode
    self.uid = uid
    self.gid = gid
  }
}

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

/// The type of an inode: the bits of `st_mode` that `S_IFMT` selects.
///
/// The case format uses the raw values.
public enum FileType: String, Hashable, Sendable, Codable, CaseIterable {
  /// `S_IFDIR`.
  case directory = "dir"
  /// `S_IFREG`.
  case regular = "reg"
  /// `S_IFCHR`, such as a camera or a terminal.
  case characterDevice = "chr"
  /// `S_IFBLK`, such as a disk.
  case blockDevice = "blk"
  /// `S_IFIFO`, a named pipe.
  case fifo = "fifo"
  /// `S_IFSOCK`; open(2) always fails with `ENXIO` on a socket, after the permission check.
  case socket = "sock"
  /// `S_IFLNK`.
  case symbolicLink = "lnk"

  /// A Boolean value that indicates whether a driver opens objects of this type.
  public var isDevice: Bool { self == .characterDevice || self == .blockDevice }
}

extension Node {
  /// The mode as four octal digits, such as `0660`.
  var octalMode: String {
    let digits = String(mode, radix: 8)
    return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }
}

/// A device number (`st_rdev`), split into its two parts.
public struct DeviceNumber: Hashable, Sendable {
  /// The major number, which identifies the driver, as the C macro `major` returns it.
  public var major: UInt32
  /// The minor number, which identifies the device within its driver, as the C macro `minor`
  /// returns it.
  public var minor: UInt32

  /// Creates a device number from its two parts.
  public init(major: UInt32, minor: UInt32) {
    self.major = major
    self.minor = minor
  }

  /// A Boolean value that indicates whether the major number is assigned to one driver, and so is
  /// the same on every machine (`Documentation/admin-guide/devices.txt`).
  var hasStaticMajor: Bool { major < 234 }
}

extension DeviceNumber: Codable {
  public init(from decoder: any Decoder) throws {
    var parts = try decoder.unkeyedContainer()
    major = try parts.decode(UInt32.self)
    minor = try parts.decode(UInt32.self)
    guard parts.isAtEnd else {
      throw DecodingError.dataCorruptedError(
        in: parts, debugDescription: "a device number has two parts")
    }
  }

  public func encode(to encoder: any Encoder) throws {
    var parts = encoder.unkeyedContainer()
    try parts.encode(major)
    try parts.encode(minor)
  }
}
