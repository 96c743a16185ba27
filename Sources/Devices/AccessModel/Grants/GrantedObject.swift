/// The record of the grants on an inode, with its list before and after them.
///
/// The list to write depends only on such records, so grants can start and end in any order.
public struct GrantedObject: Hashable, Sendable, Codable {
  /// The identity of an inode.
  public struct Inode: Hashable, Sendable, Codable {
    /// `st_dev` of the filesystem.
    public let filesystem: UInt64
    /// `st_ino`.
    public let number: UInt64
    /// The device number of a device node; `nil` for a file or a directory.
    public let device: DeviceNumber?

    /// Creates an identity.
    public init(filesystem: UInt64, number: UInt64, device: DeviceNumber?) {
      self.filesystem = filesystem
      self.number = number
      self.device = device
    }
  }

  /// The path at which the inode was found, which is absolute and canonical.
  public private(set) var path: String
  /// The inode that the lists belong to.
  public private(set) var inode: Inode
  /// A handle that identifies the inode even after it is moved; `nil` if the filesystem has none.
  ///
  /// The handle is the result of name_to_handle_at(2): the type, a colon, and the bytes as
  /// hexadecimal digits.
  public private(set) var handle: String?
  /// The udev conditions that match exactly this device; `nil` if there are none.
  public let conditions: String?
  /// The name of the device's kind; `nil` for a part of the album.
  public let kind: String?
  /// The list without any grants, from this record or others.
  public private(set) var before: AccessList
  /// The list that was last written, or that is about to be.
  public private(set) var written: AccessList
  /// The list that ``written`` replaces; `nil` after the write.
  ///
  /// If the program ends after it saves the record and before it confirms the write, the inode has
  /// either of the two lists.
  public private(set) var replaced: AccessList?
  /// The number of writes of the list by all records of the inode.
  ///
  /// It identifies the records that know the last write. Records of older versions do not contain
  /// it.
  private var count: UInt64?
  /// The grants, from oldest to newest.
  ///
  /// A record without grants shows the other records of the inode how its last grant ended.
  public private(set) var grants: [AccessGrant] = []

  /// The number of the last write that this record knows.
  var revision: UInt64 { count ?? 0 }

  /// Creates a record of an inode without grants.
  public init(
    path: String, inode: Inode, handle: String? = nil, conditions: String?, kind: String?,
    current: AccessList
  ) {
    self.path = path
    self.inode = inode
    self.handle = handle
    self.conditions = conditions
    self.kind = kind
    before = current
    written = current
  }

  /// Adds a grant.
  public mutating func add(_ grant: AccessGrant) { grants.append(grant) }

  /// Removes grants.
  public mutating func remove(_ ids: Set<String>) { grants.removeAll { ids.contains($0.id) } }

  /// Records a list that is about to be written.
  ///
  /// - Parameters:
  ///   - list: The list.
  ///   - state: The state that the list was computed from.
  public mutating func prepare(_ list: AccessList, from state: InodeGrants) {
    before = state.base
    replaced = state.current
    written = list
    count = state.revision &+ 1
  }

  /// Records that the list has been written.
  public mutating func confirm() { replaced = nil }

  /// Records that the object has moved to another path or inode.
  public mutating func move(to path: String, _ inode: Inode, handle: String? = nil) {
    self.path = path
    self.inode = inode
    self.handle = handle
  }
}
