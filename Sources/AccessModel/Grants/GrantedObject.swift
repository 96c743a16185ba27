/// The grants on one inode, and its list before and after them.
///
/// It is a value: what is written to the inode follows from it alone, so that grants and their ends
/// come in any order.
public struct GrantedObject: Hashable, Sendable, Codable {
  /// What tells one inode from another.
  public struct Inode: Hashable, Sendable, Codable {
    /// `st_dev` of the filesystem.
    public let filesystem: UInt64
    /// `st_ino`.
    public let number: UInt64
    /// The device that a device node stands for; `nil` for a file or a directory.
    public let device: DeviceNumber?

    /// Creates an identity.
    public init(filesystem: UInt64, number: UInt64, device: DeviceNumber?) {
      self.filesystem = filesystem
      self.number = number
      self.device = device
    }
  }

  /// Where the inode was found: absolute and canonical.
  public private(set) var path: String
  /// The inode that the lists are of.
  public private(set) var inode: Inode
  /// A name of the inode that follows it when it is moved; `nil` where the filesystem has none.
  ///
  /// It is what name_to_handle_at(2) answers: the type, a colon, and the bytes as hexadecimal digits.
  public private(set) var handle: String?
  /// The conditions of udev that match the very device; `nil` where there are none.
  public let conditions: String?
  /// The name of the device's kind; `nil` for a part of the album.
  public let kind: String?
  /// The list without any grant, of this record or another.
  public private(set) var before: AccessList
  /// The list as it was last written.
  public private(set) var written: AccessList
  /// The list that ``written`` replaces; `nil` once it has.
  ///
  /// A program that ends between the record and the list leaves either of the two.
  public private(set) var replaced: AccessList?
  /// Counts the writes of the list by every record of the inode, so that the record that knows the last
  /// one is found; absent in records of older versions.
  private var count: UInt64?
  /// The grants, the first given first.
  ///
  /// A record without grants tells other records of the inode how the last of them ended.
  public private(set) var grants: [AccessGrant] = []

  /// Which write of the list it was that this record knows.
  var revision: UInt64 { count ?? 0 }

  /// Creates the record of an inode without grants.
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

  /// Takes in a list that is about to be written.
  ///
  /// - Parameters:
  ///   - list: The list.
  ///   - state: What it is worked out from.
  public mutating func prepare(_ list: AccessList, from state: InodeGrants) {
    before = state.base
    replaced = state.current
    written = list
    count = state.revision &+ 1
  }

  /// Notes that the list is written.
  public mutating func confirm() { replaced = nil }

  /// Follows the device to another node.
  public mutating func move(to path: String, _ inode: Inode, handle: String? = nil) {
    self.path = path
    self.inode = inode
    self.handle = handle
  }
}
