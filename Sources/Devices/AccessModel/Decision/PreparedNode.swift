/// A node in the form that the engine reads.
///
/// It has a fixed size, IDs that are translated by the mount, and names as byte ranges.
struct PreparedNode: Sendable {
  struct Marks: OptionSet {
    let rawValue: UInt16

    static let immutable = Marks(rawValue: 1 << 0)
    static let append = Marks(rawValue: 1 << 1)
    static let hasACL = Marks(rawValue: 1 << 2)
    static let statusUnobserved = Marks(rawValue: 1 << 3)
    static let aclUnobserved = Marks(rawValue: 1 << 4)
    static let flagsUnobserved = Marks(rawValue: 1 << 5)
    static let contentsUnobserved = Marks(rawValue: 1 << 6)
    static let targetUnobserved = Marks(rawValue: 1 << 7)
    /// The maps of the mount were not observed, so the IDs are unknown.
    static let idsUnknown = Marks(rawValue: 1 << 8)
    /// The node cannot be reached: its parent is not listed, or an earlier node has the same path.
    static let unreachable = Marks(rawValue: 1 << 9)
  }

  /// Represents an ID that the mount does not map (`INVALID_VFSUID`).
  static let invalidID = UInt32.max

  var type: FileType
  var mode: UInt16
  var marks: Marks
  /// The owner, translated by the mount.
  var uid: UInt32
  /// The group, translated by the mount.
  var gid: UInt32
  /// A value that indicates whether the subject's user namespace maps the owner.
  var isOwnerMapped = Ternary.no
  /// A value that indicates whether the subject's user namespace maps the group.
  var isGroupMapped = Ternary.no
  var mount: Int32 = -1
  /// The nearest listed ancestor.
  var parent: Int32 = -1
  var firstChild: Int32 = 0
  var childCount: Int32 = 0
  var pathStart: Int32
  var pathCount: Int32
  /// The offset of the last path component.
  var nameStart: Int32
  var targetStart: Int32 = 0
  var targetCount: Int32 = 0
  var firstEntry: Int32 = 0
  var entryCount: Int32 = 0
  var major: UInt32 = 0
  var minor: UInt32 = 0
}

extension PreparedNode.Marks {
  mutating func insert(flags: Set<Node.Flag>) {
    for flag in flags {
      switch flag {
      case .immutable: insert(.immutable)
      case .append: insert(.append)
      }
    }
  }

  mutating func insert(unobserved: Set<Node.Element>) {
    for element in unobserved {
      switch element {
      case .status: insert(.statusUnobserved)
      case .acl: insert(.aclUnobserved)
      case .flags:
        // A flag that was not observed has no value, even if the node contains one.
        insert(.flagsUnobserved)
        subtract([.immutable, .append])
      case .contents: insert(.contentsUnobserved)
      case .target: insert(.targetUnobserved)
      }
    }
  }
}
