/// The three permission bits of one class in a mode, or of an access control list entry.
///
/// The raw values are the kernel's: `MAY_READ` is 4, `MAY_WRITE` is 2 and `MAY_EXEC` is 1. On a
/// directory, `execute` is the permission to search it, which means to look up a name in it.
public struct Permissions: OptionSet, Hashable, Sendable {
  public let rawValue: UInt8

  public init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  /// `MAY_READ`: reading a file or listing a directory.
  public static let read = Permissions(rawValue: 4)
  /// `MAY_WRITE`: writing to a file, or creating and removing names in a directory.
  public static let write = Permissions(rawValue: 2)
  /// `MAY_EXEC`: executing a file.
  public static let execute = Permissions(rawValue: 1)
  /// The permission to look up a name in a directory, which is the same bit as ``execute``.
  public static let search = Permissions(rawValue: 1)
}

extension Permissions: CustomStringConvertible {
  /// The permissions as `ls` prints them, such as `rw-`.
  public var description: String {
    (contains(.read) ? "r" : "-") + (contains(.write) ? "w" : "-")
      + (contains(.execute) ? "x" : "-")
  }

  /// The letters of the permissions in the set, such as `rw`, as used in the case format.
  public var letters: String {
    (contains(.read) ? "r" : "") + (contains(.write) ? "w" : "") + (contains(.execute) ? "x" : "")
  }

  /// Creates permissions from letters in any order; `nil` if one of them is not `r`, `w` or `x`.
  public init?(letters: String) {
    self = []
    for letter in letters.utf8 {
      switch letter {
      case UInt8(ascii: "r"): insert(.read)
      case UInt8(ascii: "w"): insert(.write)
      case UInt8(ascii: "x"): insert(.execute)
      default: return nil
      }
    }
  }
}

/// A string with the letter of each permission, such as `"rw"`.
extension Permissions: Codable {
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    guard let permissions = Permissions(letters: try container.decode(String.self)) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "permissions are letters out of r, w and x")
    }
    self = permissions
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(letters)
  }
}

/// An entry of a POSIX access control list, as stored in the inode.
///
/// The order of the entries matters, because the first match counts. IDs are the inode's own, as
/// the initial user namespace numbers them (`kuid_t`, `kgid_t`), before an id-mapped mount
/// translates them. An ID that is not mapped in the observer's namespace reads as 4294967295.
public struct ACLEntry: Hashable, Sendable {
  /// The class of users that an entry applies to.
  ///
  /// The case format uses the raw values.
  public enum Tag: String, Hashable, Sendable {
    /// `ACL_USER_OBJ` if the entry has no ID, `ACL_USER` if it has one.
    case user = "u"
    /// `ACL_GROUP_OBJ` if the entry has no ID, `ACL_GROUP` if it has one.
    case group = "g"
    /// `ACL_MASK`, which limits the entries of all groups and of named users.
    case mask = "m"
    /// `ACL_OTHER`.
    case other = "o"

    /// The name that getfacl(1) prints.
    public var word: String {
      switch self {
      case .user: "user"
      case .group: "group"
      case .mask: "mask"
      case .other: "other"
      }
    }
  }

  /// The class that the entry applies to.
  ///
  /// Together with ``id``, it corresponds to one of the kernel's six tags (`e_tag`).
  public var tag: Tag
  /// The named user or group; `nil` in an entry for the owner, the owning group, the mask or
  /// others.
  public var id: UInt32?
  /// The entry's own permissions (`e_perm`), before the mask is applied.
  public var permissions: Permissions

  /// Creates an entry.
  ///
  /// - Parameters:
  ///   - tag: The class that the entry applies to.
  ///   - id: The named user or group; `nil` for the owner, the owning group, the mask or others.
  ///   - permissions: The permissions, before the mask is applied.
  public init(_ tag: Tag, _ id: UInt32? = nil, _ permissions: Permissions) {
    self.tag = tag
    self.id = id
    self.permissions = permissions
  }
}

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
